internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A proxy that loses a connection to PostgreSQL at a chosen message.
///
/// It listens on 127.0.0.1 and knows enough of the protocol (version 3, unencrypted) to tell which response belongs to
/// which message. One thread per connection; all end with the last reference.
package final class CuttingProxy: Sendable {
  /// When a connection is lost.
  ///
  /// That is at the first message from the client that contains the text, as it is written there. A
  /// statement's text is in the message that prepares it, which may be an exchange of its own.
  package enum Trigger: Sendable {
    /// The message does not reach the server.
    case before(String)
    /// The server has carried it out, and nothing of its response reaches the client.
    case during(String)
    /// The client has the whole response.
    case after(String)
  }

  private let server: PostgreSQLServer
  private let traffic: Traffic

  /// Starts it. The server may be down meanwhile: connections then end at once.
  package init(to server: PostgreSQLServer) throws {
    self.server = server
    traffic = try Traffic(upstream: server.socketPath)
  }

  deinit { traffic.stop() }

  package var port: UInt16 { traffic.listener.port }

  /// A connection URI over the proxy, without a password.
  package var url: String { server.url(port: port) }

  /// Taken so far, those that only cancel a statement among them.
  package var connections: Int { traffic.state.withLock { $0.connections } }

  /// How many connections triggers have cut.
  package var cuts: Int { traffic.state.withLock { $0.cuts } }

  /// Cuts the first connection that the trigger fits.
  ///
  /// It fires once, and replaces one that has not fired yet.
  package func cut(_ trigger: Trigger) { traffic.state.withLock { $0.trigger = trigger } }

  /// Loses open connections now, whatever passes through them.
  ///
  /// - Parameter isLost: called for each one
  /// - Returns: how many were lost
  package func cutNow(where isLost: () -> Bool = { true }) -> Int {
    traffic.state.withLock { state in
      let lost = state.clients.filter { _ in isLost() }
      // Their threads see the end of the client, and close both sides.
      for client in lost { shutdown(client, Int32(SHUT_RDWR)) }
      return lost.count
    }
  }
}

/// The threads of a proxy, which must not hold the proxy itself.
private final class Traffic: Sendable {
  struct State {
    var connections = 0
    var cuts = 0
    var trigger: CuttingProxy.Trigger?
    /// The sockets of open connections.
    var clients: Set<Int32> = []
  }

  let listener: LoopbackSocket
  let state = Mutex(State())
  private let upstream: String
  /// Readable for all threads once the other end is closed.
  private let stopping: (read: Int32, write: Int32)
  private let threads = DispatchGroup()

  init(upstream: String) throws {
    self.upstream = upstream
    listener = try LoopbackSocket()
    var ends: [Int32] = [-1, -1]
    guard listen(listener.descriptor, 128) == 0, pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    stopping = (ends[0], ends[1])
    signal(SIGPIPE, SIG_IGN)
    run { traffic in traffic.acceptAll() }
  }

  /// Ends all connections and waits for the threads.
  func stop() {
    close(stopping.write)
    threads.wait()
    close(stopping.read)
  }

  private func run(_ body: @escaping @Sendable (Traffic) -> Void) {
    threads.enter()
    let thread = Thread {
      body(self)
      self.threads.leave()
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }

  private func acceptAll() {
    while true {
      var polled = [stopping.read, listener.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[0].revents != 0 { return }
      let client = accept(listener.descriptor, nil, nil)
      guard client >= 0 else { continue }
      state.withLock { state in
        state.connections += 1
        state.clients.insert(client)
      }
      run { traffic in
        traffic.serve(client)
        // Under the lock, so that no new connection with the same number is cut.
        traffic.state.withLock { state in
          state.clients.remove(client)
          close(client)
        }
      }
    }
  }

  // MARK: - One connection

  private func serve(_ client: Int32) {
    guard let server = connected(to: upstream) else { return }
    defer { close(server) }
    for socket in [client, server] { _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) }
    var conversation = Conversation()
    var (toServer, toClient): ([UInt8], [UInt8]) = ([], [])
    while !conversation.isOver {
      // Both directions at once: who waits until all is read must not keep the other from being read.
      var polled = [
        pollfd(fd: stopping.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: client, events: events(toRead: toServer, toWrite: toClient), revents: 0),
        pollfd(fd: server, events: events(toRead: toClient, toWrite: toServer), revents: 0),
      ]
      guard poll(&polled, 3, -1) > 0 else { continue }
      if polled[0].revents != 0 { return }
      if polled[1].revents & ~Int16(POLLOUT) != 0 {
        guard let bytes = received(from: client) else { break }
        toServer += conversation.fromClient(bytes, take: take)
      }
      if polled[2].revents & ~Int16(POLLOUT) != 0 {
        guard let bytes = received(from: server) else { break }
        toClient += conversation.fromServer(bytes)
      }
      guard send(&toServer, to: server), send(&toClient, to: client) else { break }
    }
    if conversation.isOver { state.withLock { $0.cuts += 1 } }
    finish(&toServer, to: server)
    finish(&toClient, to: client)
  }

  /// Nothing more is read while much of it waits to be written.
  private func events(toRead: [UInt8], toWrite: [UInt8]) -> Int16 {
    Int16((toRead.count < 1 << 20 ? POLLIN : 0) | (toWrite.isEmpty ? 0 : POLLOUT))
  }

  /// Takes the trigger away when it fits.
  private func take(_ message: ArraySlice<UInt8>) -> CuttingProxy.Trigger? {
    state.withLock { state in
      guard let trigger = state.trigger, message.contains(Array(trigger.text.utf8)) else { return nil }
      state.trigger = nil
      return trigger
    }
  }

  /// Empty when there is nothing yet; nil at the end.
  private func received(from socket: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = read(socket, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? [] : nil
  }

  /// Sends what the socket takes now, and keeps the rest; false when the connection is over.
  private func send(_ bytes: inout [UInt8], to socket: Int32) -> Bool {
    guard !bytes.isEmpty else { return true }
    let count = write(socket, bytes, bytes.count)
    if count < 0 { return [EAGAIN, EINTR].contains(errno) }
    bytes.removeFirst(count)
    return true
  }

  /// Sends the rest, for a few seconds at most, and says that no more follows.
  private func finish(_ bytes: inout [UInt8], to socket: Int32) {
    let deadline = ContinuousClock.now + .seconds(5)
    while !bytes.isEmpty, ContinuousClock.now < deadline, send(&bytes, to: socket) {
      var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      if !bytes.isEmpty { poll(&polled, 1, 100) }
    }
    shutdown(socket, Int32(SHUT_WR))
  }

  private func connected(to path: String) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let upstream = socket(AF_UNIX, streamSocket, 0)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isConnected { return upstream }
    close(upstream)
    return nil
  }
}
