internal import Synchronization

/// The budgets of a run, one for each host.
public final class RateBudgets: Sendable {
  private let stopwatch: Stopwatch
  private let pause: Pause
  private let budgets = Mutex<[String: RateBudget]>([:])

  /// No budgets yet; each is made when its host is first asked for.
  public init(stopwatch: Stopwatch = .continuous, pause: Pause = .continuous) {
    self.stopwatch = stopwatch
    self.pause = pause
  }

  /// The budget of a host, by its origin (`scheme://host:port`).
  public func budget(for origin: String) -> RateBudget {
    budgets.withLock { budgets in
      if let budget = budgets[origin] { return budget }
      let budget = RateBudget(stopwatch: stopwatch, pause: pause)
      budgets[origin] = budget
      return budget
    }
  }
}
