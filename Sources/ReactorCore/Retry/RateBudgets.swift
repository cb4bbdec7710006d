internal import Synchronization

/// The budgets of a run, one for each host.
public final class RateBudgets: Sendable {
  private let stopwatch: Stopwatch
  private let delay: Delay
  private let budgets = Mutex<[String: RateBudget]>([:])

  /// Begins without budgets; each is made at its first use.
  public init(stopwatch: Stopwatch = .continuous, delay: Delay = .real) {
    self.stopwatch = stopwatch
    self.delay = delay
  }

  /// The budget of a host, by its origin (`scheme://host:port`).
  public func budget(for origin: String) -> RateBudget {
    budgets.withLock { budgets in
      if let budget = budgets[origin] { return budget }
      let budget = RateBudget(stopwatch: stopwatch, delay: delay)
      budgets[origin] = budget
      return budget
    }
  }
}
