/// Limits the requests to hosts over all processes of a run.
public protocol SharedPace: Sendable {
  /// Reserves the start of a request among those of all processes.
  ///
  /// - Parameters:
  ///   - budget: identifies what counts the request: a host, or some requests of a host
  ///   - limit: the number of starts in any window
  /// - Returns: how long the request has to wait from now on; not positive if it may start at once
  func wait(of budget: String, within limit: RatePace.Limit) async throws(ReactorError) -> Duration

  /// Waits until one more request to a host may be without a response.
  ///
  /// The caller must call `leave` when the response has begun or the request has failed.
  func enter(_ host: String, atMost limit: Int) async throws(ReactorError)

  /// Ends a request to a host.
  func leave(_ host: String, atMost limit: Int) async
}
