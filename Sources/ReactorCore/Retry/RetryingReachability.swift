/// A check of reachability that is repeated as often as a request would be sent again.
///
/// A retry policy also applies when a connection cannot be opened. The check opens a connection before the request, so
/// it must not fail the flow while the policy still allows retries.
public struct RetryingReachability: Reachability {
  private let reachability: any Reachability
  private let policy: RetryPolicy
  private let patience: Patience
  private let instruments: FlowInstruments

  /// Wraps a check.
  public init(
    _ reachability: any Reachability, policy: RetryPolicy, patience: Patience = Patience(),
    instruments: FlowInstruments = FlowInstruments()
  ) {
    self.reachability = reachability
    self.policy = policy
    self.patience = patience
    self.instruments = instruments
  }

  /// Returns whether a connection can be opened, now or after a wait.
  public func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  /// Returns why no connection can be opened after the last try; nil when one can be opened.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    var retry = 1
    while true {
      guard let obstacle = await reachability.obstacle(to: resource) else { return nil }
      guard retry <= policy.retries, let reason = policy.reason(obstacle, of: resource.method) else { return obstacle }
      let wait = policy.backoff.wait(beforeRetry: retry, random: patience.random())
      instruments.observer(.retrying(attempt: retry, reason: reason, wait: wait))
      do throws(ReactorError) {
        try await patience.delay.wait(wait)
      } catch {
        return error
      }
      retry += 1
    }
  }
}
