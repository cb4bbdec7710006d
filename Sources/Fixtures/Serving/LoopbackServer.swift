internal import DetachedThread
internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small HTTP/1.1 server on 127.0.0.1, for people and programs of this machine. Each connection has a thread.
package final class LoopbackServer: Sendable {
  /// The maximum number of concurrent connections; further connections wait.
  private static let maximumConnections = 256
  /// The maximum sizes of a request's head and body in bytes.
  private static let largestHead = 64 << 10
  /// The seconds for which a connection may send nothing, and within which the head of a request must be complete.
  private static let patience = 15
  private static let largestBody = 64 << 20

  /// The port on which the server listens.
  package let port: UInt16
  private let listener: Int32
  private let content: any LoopbackContent
  private let base: FixtureBase
  private let log: @Sendable (String) -> Void
  private let open = Mutex(0)

  /// The server's URL, `http://127.0.0.1:port`.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// Creates a server that listens but does not respond yet.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for any free port
  ///   - log: is called with each request and its status
  package init(_ content: any LoopbackContent, port: UInt16, log: @escaping @Sendable (String) -> Void)
    throws(FixtureError)
  {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(AF_INET, stream, 0)
    guard listener >= 0 else { throw FixtureError("a socket cannot be opened") }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else {
      close(listener)
      throw FixtureError("port \(port) of 127.0.0.1 cannot be used", help: "leave --port out to get a free port")
    }
    self.port = UInt16(bigEndian: address.sin_port)
    self.content = content
    self.log = log
    base = try FixtureBase(parsing: "http://127.0.0.1:\(self.port)")
  }

  deinit { close(listener) }

  /// Starts to respond, on the server's own threads.
  package func start() { DetachedThread.start { [self] in acceptAll() } }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        if errno == EMFILE || errno == ENFILE {
          usleep(50_000)
          continue
        }
        return
      }
      while open.withLock({ $0 }) >= Self.maximumConnections { usleep(5_000) }
      open.withLock { $0 += 1 }
      DetachedThread.start { [self] in
        serve(connection)
        close(connection)
        open.withLock { $0 -= 1 }
      }
    }
  }

  // MARK: - One connection

  private func serve(_ socket: Int32) {
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer: [UInt8] = []
    while let request = read(socket, &buffer) {
      // A page of another site may use a host name of its own that resolves to this address.
      guard isOwn(request.headers) else {
        log("\(request.method) \(request.target) refused: its Host is not this server")
        _ = write(
          Array("HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8), to: socket)
        return
      }
      let reply = content.reply(
        method: request.method, target: request.target, headers: request.headers, body: request.body, base: base)
      log("\(request.method) \(request.target) \(reply.fault.map { "fault \($0)" } ?? String(reply.status))")
      guard send(reply, isHead: request.method == "HEAD", on: socket), !request.closes else { return }
    }
  }

  /// Whether a request names this server as its host.
  private func isOwn(_ headers: [RecordedRequest.Field]) -> Bool {
    let hosts = headers.filter { $0.name.lowercased() == "host" }.map { $0.value.lowercased() }
    return hosts.count == 1 && ["127.0.0.1:\(port)", "localhost:\(port)"].contains(hosts[0])
  }

  private struct Request {
    var method: String
    var target: String
    var headers: [RecordedRequest.Field]
    var body: [UInt8]
    var closes: Bool
  }

  private func read(_ socket: Int32, _ buffer: inout [UInt8]) -> Request? {
    var end = buffer.firstRange(of: Array("\r\n\r\n".utf8))
    var deadline: ContinuousClock.Instant?
    while end == nil {
      guard buffer.count <= Self.largestHead, receive(socket, &buffer) else { return nil }
      // A client that sends its head byte by byte would hold the connection for ever.
      deadline = deadline ?? .now + .seconds(Self.patience)
      guard let deadline, .now < deadline else { return nil }
      end = buffer.firstRange(of: Array("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else {
      _ = write(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8), to: socket)
      return nil
    }
    let headers = lines.dropFirst().compactMap { line -> RecordedRequest.Field? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return .init(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    buffer.removeFirst(end.upperBound)
    if value("expect")?.lowercased() == "100-continue" {
      guard write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: socket) else { return nil }
    }
    guard let body = body(length: value("content-length"), coding: value("transfer-encoding"), socket, &buffer) else {
      return nil
    }
    return Request(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body,
      closes: value("connection")?.lowercased() == "close" || words[2] == "HTTP/1.0")
  }

  private func body(length: String?, coding: String?, _ socket: Int32, _ buffer: inout [UInt8]) -> [UInt8]? {
    if coding?.lowercased() == "chunked" { return chunks(socket, &buffer) }
    guard let count = Int(length ?? "0"), (0...Self.largestBody).contains(count) else { return nil }
    while buffer.count < count { guard receive(socket, &buffer) else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func chunks(_ socket: Int32, _ buffer: inout [UInt8]) -> [UInt8]? {
    var body: [UInt8] = []
    func line() -> String? {
      while true {
        if let end = buffer.firstRange(of: [0x0D, 0x0A]) {
          defer { buffer.removeFirst(end.upperBound) }
          return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        }
        guard buffer.count <= Self.largestHead, receive(socket, &buffer) else { return nil }
      }
    }
    while let text = line() {
      guard let count = Int(text.prefix { $0 != ";" }, radix: 16), count >= 0, count <= Self.largestBody - body.count
      else { return nil }
      if count == 0 {
        while let trailer = line() { if trailer.isEmpty { return body } }
        return nil
      }
      while buffer.count < count + 2 { guard receive(socket, &buffer) else { return nil } }
      body += buffer[..<count]
      buffer.removeFirst(count + 2)
    }
    return nil
  }

  /// Sends a response; returns false when the connection is over.
  private func send(_ reply: ServedTapes.Reply, isHead: Bool, on socket: Int32) -> Bool {
    switch reply.fault {
    case .delay(let milliseconds): usleep(UInt32(milliseconds) * 1000)
    case .empty: return false
    case .garbage:
      _ = write(Array("this is no HTTP\u{0}\r\n".utf8), to: socket)
      return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    case .cut, .status, nil: break
    }
    var head = "HTTP/1.1 \(reply.status) \(Self.reason(reply.status))\r\n"
    for field in reply.headers where !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
      head += "\(field.name): \(field.value)\r\n"
    }
    let hasBody = reply.status >= 200 && reply.status != 204 && reply.status != 304
    if hasBody { head += "Content-Length: \(reply.body.count)\r\n" }
    head += "\r\n"
    let body = isHead || !hasBody ? [] : reply.body
    if reply.fault == .cut {
      _ = write(Array(head.utf8) + body.prefix(body.count / 2), to: socket)
      shutdown(socket, Int32(SHUT_WR))
      return false
    }
    return write(Array(head.utf8) + body, to: socket)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Recorded"
    }
  }

  private func receive(_ socket: Int32, _ buffer: inout [UInt8]) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer += bytes[..<count]
      return true
    }
  }

  private func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemSend(socket, $0.baseAddress.map { $0 + written }, bytes.count - written, flags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}

// A wrapper, because the method of the type above hides the system function with the same name.
private func systemSend(_ socket: Int32, _ buffer: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, buffer, count, flags)
}
