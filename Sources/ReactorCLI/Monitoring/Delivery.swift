internal import Fixtures
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore

/// Sends JSON to a receiver by POST, within a time limit for all of it.
struct Delivery: Sendable {
  /// The URL.
  let url: RequestURL
  /// The header fields. Their values are never shown.
  var fields: [Headers.Field] = []
  var timeout: Duration = .seconds(10)
  let proxies: HTTPProxies

  /// Sends texts one after the other, until one is refused.
  ///
  /// - Parameter accept: looks at a response; what it returns is why the receiver did not take all
  /// - Returns: why not all was received, without the URL; nil when it was
  func send(_ bodies: [[UInt8]], accept: (JSONValue) -> String? = { _ in nil }) async -> String? {
    let client = HTTPClient()
    defer { client.shutdown() }
    let end = ContinuousClock.now + timeout
    for body in bodies {
      let left = end - .now
      guard left > .milliseconds(1) else { return "the time limit was reached" }
      do throws(ReactorError) {
        let response = try await response(client, body, within: left)
        let answer = try await response.body.collect(upTo: 1 << 20)
        guard (200..<300).contains(response.status) else { return "the server answered \(response.status)" }
        if let json = try? JSONValue(parsing: answer), let problem = accept(json) { return problem }
      } catch {
        // The message begins with the URL, whose query may have a token.
        return error.message.firstRange(of: ": ").map { String(error.message[$0.upperBound...]) } ?? error.message
      }
    }
    return nil
  }

  private func response(
    _ client: HTTPClient, _ body: [UInt8], within limit: Duration
  ) async throws(ReactorError) -> Response {
    var options = HTTPOptions()
    options.secretHeaderNames = fields.map(\.name)
    (options.timeout, options.connectTimeout, options.proxies) = (limit, limit, proxies)
    let own = [Headers.Field("Content-Type", "application/json")]
    let authorization = url.authorization.map { [Headers.Field($0.name, $0.value)] } ?? []
    return try await HTTPConnection(baseURL: url.origin, client: client, options: options).response(
      for: Resource(
        path: url.path, method: .POST, body: body, headers: Headers(own + authorization + fields),
        query: url.query.map { .init($0.name, $0.value) }))
  }
}
