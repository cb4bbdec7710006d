internal import CCurl

/// The connections that are open, and what is known of each: what libcurl opened for itself is not among them.
///
/// They are as many as requests under way and idle connections, mostly a few dozen, so a list is enough.
struct OpenConnections {
  /// What goes on over a connection.
  private enum Use {
    case request
    /// Its transfer is paused, or has ended and is not collected yet.
    case quiet(ObjectIdentifier)
    /// No request is under way.
    case idle
  }

  private struct Connection {
    let socket: Int32
    /// Our port; 0 until it is asked of the system.
    var port: Int32 = 0
    var use = Use.request
  }

  private var list: [Connection] = []

  /// A connection's socket was made.
  mutating func add(_ socket: Int32) { list.append(Connection(socket: socket)) }

  /// It is to be closed. Its number may be given to another connection before the transfer that ended is collected.
  mutating func remove(_ socket: Int32) { list.removeAll { $0.socket == socket } }

  /// Whether no request is under way on it.
  func isIdle(_ socket: Int32) -> Bool {
    list.contains { connection in
      if connection.socket == socket, case .idle = connection.use { true } else { false }
    }
  }

  /// The connection that is quiet while its transfer, which this handle carries, comes to its end; it is so no more.
  mutating func takeQuiet(of handle: Handle) -> Int32? {
    let handle = ObjectIdentifier(handle)
    let index = list.firstIndex { if case .quiet(handle) = $0.use { true } else { false } }
    guard let index else { return nil }
    list[index].use = .request
    return list[index].socket
  }

  /// A request is under way on a connection, and so on no other of its handle.
  mutating func use(_ socket: Int32, _ handle: Handle?) {
    let handle = handle.map(ObjectIdentifier.init)
    for index in list.indices {
      if list[index].socket == socket { list[index].use = .request }
      if let handle, case .quiet(handle) = list[index].use { list[index].use = .request }
    }
  }

  /// Nothing is waited for on a connection, although its transfer is not over.
  mutating func quieten(_ socket: Int32, _ handle: Handle) {
    for index in list.indices where list[index].socket == socket { list[index].use = .quiet(ObjectIdentifier(handle)) }
  }

  /// No request is under way on a connection; false where it is none of these.
  mutating func rest(_ socket: Int32) -> Bool {
    guard let index = list.firstIndex(where: { $0.socket == socket }) else { return false }
    list[index].use = .idle
    return true
  }

  /// A request goes out from one of our ports. Connections to different servers may share it.
  ///
  /// - Parameter wake: called for each that was idle
  mutating func use(from port: Int32, _ wake: (Int32) -> Void) {
    for index in list.indices {
      if case .request = list[index].use { continue }
      if list[index].port == 0 { list[index].port = ccurl_local_port(list[index].socket) }
      guard list[index].port == port else { continue }
      // A transfer that has ended on it, but is not collected yet, must not list it as idle later.
      if case .idle = list[index].use { wake(list[index].socket) }
      list[index].use = .request
    }
  }
}
