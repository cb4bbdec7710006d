internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A raw-socket HTTP server on 127.0.0.1 that answers each request with exactly the bytes it is told to send.
///
/// One thread per connection. `stop()` ends all of them, whatever they are doing, and waits. Freed servers stop.
public final class ScriptedServer: Sendable {
  /// What a script does next.
  public enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends the same bytes many times; stops when the client goes away.
    case `repeat`([UInt8], count: Int)
    /// Sends bytes one by one with a pause before each.
    case drip([UInt8], everyMilliseconds: Int)
    /// Does nothing for a while.
    case pause(milliseconds: Int)
    /// Does nothing until the client closes or the server is stopped.
    case hold
    /// Does nothing until something has happened on the server, such as the arrival of another request.
    case until(@Sendable (ScriptedServer) -> Bool)
    /// Ends the sending direction and closes.
    case close
    /// Closes with a TCP reset.
    case reset
    /// Connects to a port of this machine and passes bytes both ways until either side ends: a proxy's tunnel.
    case tunnel(port: UInt16)
  }

  /// One request as it arrived.
  public struct Request: Sendable {
    /// Of its connection, from 0.
    public var connection: Int
    /// `GET /path HTTP/1.1`.
    public var line: String
    /// Names in lower case.
    public var fields: [(name: String, value: String)]
    /// By Content-Length.
    public var body: [UInt8]

    /// The second word of the request line.
    public var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    /// The first word of the request line.
    public var method: String { line.split(separator: " ").first.map(String.init) ?? "" }
    /// The first value of a field.
    public subscript(_ name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }
  }

  struct State {
    var requests: [Request] = []
    var accepted = 0
    var open = 0
    var sent = 0
    var blocked = 0
    var waiting: [DispatchSemaphore] = []
    var isStopping = false
  }

  /// Where it listens.
  public let port: UInt16
  private let listener: Int32
  let stopPipe: (read: Int32, write: Int32)
  let script: @Sendable (Request) -> [Step]
  let state = Mutex(State())
  private let threads = DispatchGroup()

  /// `http://127.0.0.1:port`.
  public var url: String { "http://127.0.0.1:\(port)" }
  /// All requests so far.
  public var requests: [Request] { state.withLock { $0.requests } }
  /// Connections taken so far.
  public var acceptedConnections: Int { state.withLock { $0.accepted } }
  /// Connections open now.
  public var openConnections: Int { state.withLock { $0.open } }
  /// Whether a connection cannot send, because its client does not read.
  public var isBlocked: Bool { state.withLock { $0.blocked > 0 } }
  /// Bytes given to the kernel so far.
  public var bytesSent: Int { state.withLock { $0.sent } }

  /// Starts it; the script says what each request is answered with.
  public init(_ script: @escaping @Sendable (Request) -> [Step]) throws {
    self.script = script
    listener = socket(AF_INET, streamSocket, 0)
    var ends: [Int32] = [-1, -1]
    guard listener >= 0, pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    stopPipe = (ends[0], ends[1])
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 128) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    signal(SIGPIPE, SIG_IGN)
    run { server in server.acceptAll() }
  }

  /// A server that always sends the same bytes and then does the same.
  public convenience init(answer: String, then steps: [Step] = []) throws {
    try self.init { _ in [.send(Array(answer.utf8))] + steps }
  }

  deinit {
    close(listener)
    close(stopPipe.read)
    close(stopPipe.write)
  }

  /// Ends all connections and threads, and waits for them. Nobody can connect from then on.
  public func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    // Never read: it stays readable, for all threads.
    if isFirst { _ = write(stopPipe.write, [1], 1) }
    threads.wait()
    // Without it the kernel goes on accepting, and a client would wait for the response of a server that is gone.
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  /// Waits until the counts satisfy a condition; false when they do not within the limit.
  public func wait(seconds: Double = 20, until condition: @Sendable (ScriptedServer) -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      let change = DispatchSemaphore(value: 0)
      state.withLock { $0.waiting.append(change) }
      if condition(self) { return true }
      // Woken by each change; what the server does not see is looked at again a little later.
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          _ = change.wait(timeout: .now() + .milliseconds(50))
          continuation.resume()
        }
      }
    }
    return condition(self)
  }

  /// Changes the state and wakes who waits for a change.
  func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.signal() }
  }

  private func run(_ body: @escaping @Sendable (ScriptedServer) -> Void) {
    threads.enter()
    let thread = Thread {
      body(self)
      self.threads.leave()
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }

  private func acceptAll() {
    while waitUntilReady(listener, Int16(POLLIN)) {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { continue }
      // Head and body are written one after the other. Otherwise the body waits 40 ms for the client's acknowledgement.
      var yes: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      var number = 0
      change { state in
        number = state.accepted
        state.accepted += 1
        state.open += 1
      }
      let connection = number
      run { server in
        server.serve(socket, connection)
        close(socket)
        server.change { $0.open -= 1 }
      }
    }
  }
}
