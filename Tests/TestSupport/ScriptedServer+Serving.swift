internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
  let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
  private let peekFlags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
#else
  internal import Darwin
  let streamSocket = SOCK_STREAM
  private let sendFlags = MSG_DONTWAIT
  private let peekFlags = MSG_PEEK | MSG_DONTWAIT
#endif

extension ScriptedServer {
  /// One connection's life: requests in, scripts out.
  func serve(_ socket: Int32, _ number: Int) {
    var buffer: [UInt8] = []
    while let request = readRequest(socket, number, &buffer) {
      change { $0.requests.append(request) }
      for step in script(request) {
        guard perform(step, on: socket, &buffer) else { return }
      }
    }
  }

  /// False when the connection is over.
  private func perform(_ step: Step, on socket: Int32, _ buffer: inout [UInt8]) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, to: socket)
    case .repeat(let bytes, let count):
      return sendRepeatedly(bytes, count, to: socket)
    case .drip(let bytes, let milliseconds):
      for byte in bytes {
        guard rest(socket, milliseconds), send([byte], to: socket) else { return false }
      }
      return true
    case .pause(let milliseconds): return rest(socket, milliseconds)
    case .hold:
      while rest(socket, 1_000) {}
      return false
    case .until(let condition):
      while !condition(self) {
        guard rest(socket, 2) else { return false }
      }
      return true
    case .close:
      // Unread bytes would turn the close into a reset.
      shutdown(socket, Int32(SHUT_WR))
      return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    case .tunnel(let port):
      tunnel(socket, to: port, buffer)
      return false
    }
  }

  /// The first byte of a TLS handshake (RFC 8446, section 5.1).
  private static let tlsHandshake: UInt8 = 0x16

  private func readRequest(_ socket: Int32, _ number: Int, _ buffer: inout [UInt8]) -> Request? {
    while true {
      if buffer.first == Self.tlsHandshake {
        // What servers of plain HTTP do when somebody begins with TLS.
        _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8), to: socket)
        return nil
      }
      if let request = takeRequest(number, &buffer) { return request }
      guard waitUntilReady(socket, Int16(POLLIN)), receive(socket, &buffer) else { return nil }
    }
  }

  private func receive(_ socket: Int32, _ buffer: inout [UInt8]) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: bytes[..<count])
    return true
  }

  private func takeRequest(_ number: Int, _ buffer: inout [UInt8]) -> Request? {
    guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    let length = fields.first { $0.0 == "content-length" }.flatMap { Int($0.1) } ?? 0
    guard buffer.count - end.upperBound >= length else { return nil }
    let body = Array(buffer[end.upperBound..<(end.upperBound + length)])
    buffer.removeFirst(end.upperBound + length)
    return Request(
      connection: number, line: lines.first.map(String.init) ?? "", fields: fields.map { (name: $0.0, value: $0.1) },
      body: body)
  }

  /// Many copies for each call: what is measured is the client, not the calls of this server.
  private func sendRepeatedly(_ bytes: [UInt8], _ count: Int, to socket: Int32) -> Bool {
    let together = max(1, min(count, 16_384 / max(1, bytes.count)))
    // Joining large pieces byte by byte would take longer than a test waits for the first of them.
    let block = together == 1 ? bytes : [UInt8]((0..<together).map { _ in bytes }.joined())
    for _ in 0..<count / together where !send(block, to: socket) { return false }
    return send(Array(block.prefix(count % together * bytes.count)), to: socket)
  }

  private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard waitUntilWritable(socket) else { return false }
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.send(socket, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, sendFlags)
        #else
          Darwin.send(socket, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, sendFlags)
        #endif
      }
      if count > 0 {
        sent += count
        change { $0.sent += count }
      } else if errno != EAGAIN, errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Waits; false when the client has closed or the server is stopped before the time is over.
  private func rest(_ socket: Int32, _ milliseconds: Int) -> Bool {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      let left = Int32((end - ContinuousClock.now) / .milliseconds(1))
      if left <= 0 { return true }
      var polled = [
        pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, left) > 0 else { continue }
      if polled[0].revents != 0 { return false }
      var byte: UInt8 = 0
      guard recv(socket, &byte, 1, peekFlags) > 0 else { return false }
      // The client goes on talking: not our business now.
      polled.removeLast()
      if poll(&polled, 1, max(1, left)) > 0 { return false }
    }
  }

  /// Waits for an event; false when the server is stopped.
  func waitUntilReady(_ socket: Int32, _ events: Int16) -> Bool {
    while true {
      var polled = [
        pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: events, revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[0].revents != 0 { return false }
      if polled[1].revents != 0 { return true }
    }
  }

  /// As `waitUntilReady`, and tells that the connection is blocked meanwhile.
  private func waitUntilWritable(_ socket: Int32) -> Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    if poll(&polled, 1, 0) > 0 { return waitUntilReady(socket, Int16(POLLOUT)) }
    change { $0.blocked += 1 }
    defer { change { $0.blocked -= 1 } }
    return waitUntilReady(socket, Int16(POLLOUT))
  }

  private func tunnel(_ client: Int32, to port: UInt16, _ early: [UInt8]) {
    let server = socket(AF_INET, streamSocket, 0)
    defer { close(server) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, early.isEmpty || send(early, to: server) else { return }
    while true {
      var polled = [stopPipe.read, client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, 3, -1) > 0, polled[0].revents == 0 else { return }
      for (index, from, to) in [(1, client, server), (2, server, client)] where polled[index].revents != 0 {
        var bytes: [UInt8] = []
        guard receive(from, &bytes), send(bytes, to: to) else { return }
      }
    }
  }
}
