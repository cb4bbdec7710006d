internal import CCurl

/// The connections that are open, and what is known of each: what libcurl opened for itself is not among them.
///
/// There are as many as requests under way and kept connections, a few dozen at most places: a list is quicker than a
/// table, and every question is asked for each request.
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
    /// Our port; 0 until somebody has asked the system.
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
    let place = list.firstIndex { if case .quiet(handle) = $0.use { true } else { false } }
    guard let place else { return nil }
    list[place].use = .request
    return list[place].socket
  }

  /// A request is under way on a connection, and so on no other of its handle.
  mutating func use(_ socket: Int32, _ handle: Handle?) {
    let handle = handle.map(ObjectIdentifier.init)
    for place in list.indices {
      if list[place].socket == socket { list[place].use = .request }
      if let handle, case .quiet(handle) = list[place].use { list[place].use = .request }
    }
  }

  /// Nothing is waited for on a connection, although its transfer is not over.
  mutating func quieten(_ socket: Int32, _ handle: Handle) {
    for place in list.indices where list[place].socket == socket { list[place].use = .quiet(ObjectIdentifier(handle)) }
  }

  /// No request is under way on a connection; false where it is none of these.
  mutating func rest(_ socket: Int32) -> Bool {
    guard let place = list.firstIndex(where: { $0.socket == socket }) else { return false }
    list[place].use = .idle
    return true
  }

  /// A request goes out from one of our ports. Connections to different servers may share it.
  ///
  /// - Parameter wake: told of each that was idle
  mutating func use(from port: Int32, _ wake: (Int32) -> Void) {
    for place in list.indices {
      if case .request = list[place].use { continue }
      if list[place].port == 0 { list[place].port = ccurl_local_port(list[place].socket) }
      guard list[place].port == port else { continue }
      // A transfer that has ended on it, but is not collected yet, must not list it as idle later.
      if case .idle = list[place].use { wake(list[place].socket) }
      list[place].use = .request
    }
  }
}
