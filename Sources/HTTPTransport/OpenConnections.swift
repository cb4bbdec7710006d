internal import CCurl

/// The open connections, and the state of each.
///
/// Sockets that libcurl opened for its own use are not in the list. There is one connection for each running request
/// and each idle connection, mostly a few dozen in all. A plain array is therefore fast enough.
struct OpenConnections {
  /// The current use of a connection.
  private enum Use {
    case request
    /// The transfer of the connection is paused, or has ended, but its result is not collected yet.
    case quiet(ObjectIdentifier)
    /// No request is running on the connection.
    case idle
  }

  private struct Connection {
    let socket: Int32
    /// The local port; 0 until it is read from the system.
    var port: Int32 = 0
    var use = Use.request
  }

  private var list: [Connection] = []

  /// Adds a connection whose socket was created.
  mutating func add(_ socket: Int32) { list.append(Connection(socket: socket)) }

  /// Removes a connection that is about to be closed.
  ///
  /// The system may reuse the socket's number for another connection before the ended transfer is collected.
  mutating func remove(_ socket: Int32) { list.removeAll { $0.socket == socket } }

  /// Whether no request is running on the connection.
  func isIdle(_ socket: Int32) -> Bool {
    list.contains { connection in
      if connection.socket == socket, case .idle = connection.use { true } else { false }
    }
  }

  /// Finds the quiet connection of a handle whose transfer ends, and marks it as not quiet.
  mutating func takeQuiet(of handle: Handle) -> Int32? {
    let handle = ObjectIdentifier(handle)
    let index = list.firstIndex { if case .quiet(handle) = $0.use { true } else { false } }
    guard let index else { return nil }
    list[index].use = .request
    return list[index].socket
  }

  /// Records that a request runs on a connection, and on no other connection of the same handle.
  mutating func use(_ socket: Int32, _ handle: Handle?) {
    let handle = handle.map(ObjectIdentifier.init)
    for index in list.indices {
      if list[index].socket == socket { list[index].use = .request }
      if let handle, case .quiet(handle) = list[index].use { list[index].use = .request }
    }
  }

  /// Marks a connection as quiet: libcurl waits for no event, but the transfer is not over.
  mutating func quieten(_ socket: Int32, _ handle: Handle) {
    for index in list.indices where list[index].socket == socket { list[index].use = .quiet(ObjectIdentifier(handle)) }
  }

  /// Marks a connection as idle. Returns false when the socket is not in the list.
  mutating func rest(_ socket: Int32) -> Bool {
    guard let index = list.firstIndex(where: { $0.socket == socket }) else { return false }
    list[index].use = .idle
    return true
  }

  /// Records that a request is sent from a local port.
  ///
  /// Connections to different servers may share a local port.
  ///
  /// - Parameter wake: called with the socket of each connection that was idle
  mutating func use(from port: Int32, _ wake: (Int32) -> Void) {
    for index in list.indices {
      if case .request = list[index].use { continue }
      if list[index].port == 0 { list[index].port = ccurl_local_port(list[index].socket) }
      guard list[index].port == port else { continue }
      // A transfer that has ended on the connection, but is not yet collected, must not mark it as idle later.
      if case .idle = list[index].use { wake(list[index].socket) }
      list[index].use = .request
    }
  }
}
