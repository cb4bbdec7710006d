package import ReactorCore

/// A connection that replays a tape, and asks the server only where the tape may record.
///
/// It replaces the real connection, so everything above it (pages, retries, logins) is replayed too.
/// The real one is made with the first request that needs it: a replay opens nothing.
package struct TapeConnection: Connection {
  /// The largest response that is recorded, in bytes.
  package static let largest = 256 << 20

  private let tape: FlowTape
  private let base: FixtureBase
  private let open: @Sendable () throws(ReactorError) -> any Connection

  /// Builds a connection. Where two of a flow lead to one server, the first that is built gives it its name.
  ///
  /// - Parameter open: makes the real connection.
  package init(
    _ tape: FlowTape, base: FixtureBase, open: @escaping @Sendable () throws(ReactorError) -> any Connection
  ) {
    self.tape = tape
    self.base = base
    self.open = open
    tape.meet(base)
  }

  /// The server's origin and path.
  package var baseURL: String { base.url.origin + base.url.path }
  /// The real connection's check, where the tape records.
  package var reachability: any Reachability { TapeReachability(tape: tape, open: open) }

  /// The recorded response; else, where that is allowed, the server's, which is recorded.
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
      // All of it, also what the flow will not read: the recording is of the response, not of the reading.
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

/// Whether a host can be reached; a replay asks none and takes each for reachable.
private struct TapeReachability: Reachability {
  let tape: FlowTape
  let open: @Sendable () throws(ReactorError) -> any Connection

  func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  func obstacle(to resource: Resource) async -> ReactorError? {
    guard tape.asksServers, tape.mode == .all else { return nil }
    do throws(ReactorError) {
      return await try open().reachability.obstacle(to: resource)
    } catch {
      return error
    }
  }
}
