internal import Synchronization

/// The budgets of a run, one for each host.
public final class RateBudgets: Sendable {
  private let stopwatch: Stopwatch
  private let delay: Delay
  private let shared: (any SharedPace)?
  private let budgets = Mutex<[String: RateBudget]>([:])

  /// Creates a collection without budgets; each budget is created at its first use.
  ///
  /// - Parameter shared: limits the requests of all processes; nil when this process alone sends requests
  public init(stopwatch: Stopwatch = .continuous, delay: Delay = .real, shared: (any SharedPace)? = nil) {
    self.shared = shared
    self.stopwatch = stopwatch
    self.delay = delay
  }

  /// Returns the budget of a host by its origin (`scheme://host:port`).
  public func budget(for origin: String) -> RateBudget {
    budgets.withLock { budgets in
      if let budget = budgets[origin] { return budget }
      let budget = RateBudget(of: origin, stopwatch: stopwatch, delay: delay, shared: shared)
      budgets[origin] = budget
      return budget
    }
  }
}
