package import ReactorCore

/// A connection that replays a tape, and sends requests to the server only where the tape may record.
///
/// It replaces the real connection. Everything above it (pages, retries, logins) is therefore replayed too. The real
/// connection is created with the first request that needs it, so a replay opens no connection.
package struct TapeConnection: Connection {
  /// The maximum size in bytes of a response that is recorded.
  package static let largest = 256 << 20

  private let tape: FlowTape
  private let base: FixtureBase
  private let open: @Sendable () throws(ReactorError) -> any Connection

  /// Creates a connection.
  ///
  /// If two connections of a flow lead to the same server, the first that is created gives the server its name.
  ///
  /// - Parameter open: creates the real connection
  package init(
    _ tape: FlowTape, base: FixtureBase, open: @escaping @Sendable () throws(ReactorError) -> any Connection
  ) {
    self.tape = tape
    self.base = base
    self.open = open
    tape.meet(base)
  }

  /// The origin and the path of the server.
  package var baseURL: String { base.url.origin + base.url.path }
  /// The reachability check: every server counts as reachable, unless the tape records all requests.
  package var reachability: any Reachability { TapeReachability(tape: tape, open: open) }

  /// Returns the recorded response. Without one, sends the request and records the response if the tape may record.
  package func response(for resource: Resource) async throws(ReactorError) -> Response {
    if Task.isCancelled { throw .cancelled }
    if tape.cassette != nil || !tape.asksServers {
      switch try tape.find(resource, at: base) {
      case .response(let response): return response
      case .failure(let error): throw error
      case .miss(let report):
        guard tape.asksServers else { throw .fixture(report.sentence) }
      }
    }
    return try await record(resource)
  }

  private func record(_ resource: Resource) async throws(ReactorError) -> Response {
    let live = try open()
    let number = tape.begin(resource, at: base)
    do throws(ReactorError) {
      var response = try await live.response(for: resource)
      // The whole body is read, also the part that the flow does not read: the recording must be complete.
      let body = try await response.body.collect(upTo: Self.largest)
      tape.end(number, .response(status: response.status, headers: response.headers, url: response.url, body: body))
      response.body = ResponseBody(bytes: body)
      return response
    } catch {
      if error.kind != .cancelled { tape.end(number, .failure(error)) }
      throw error
    }
  }
}

/// Uses the check of the real connection when the tape records all requests. Otherwise every host counts as reachable.
private struct TapeReachability: Reachability {
  let tape: FlowTape
  let open: @Sendable () throws(ReactorError) -> any Connection

  func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  func obstacle(to resource: Resource) async -> ReactorError? {
    guard tape.asksServers, tape.mode == .all else { return nil }
    do throws(ReactorError) {
      return try await open().reachability.obstacle(to: resource)
    } catch {
      return error
    }
  }
}
