public import ReactorCore

/// Waits for the lock of an output path while another run writes it.
public struct PathWait: Sendable {
  /// The pause between the first two attempts. Each later pause is twice as long, up to `longest`.
  private static let shortest = Duration.milliseconds(10)
  private static let longest = Duration.milliseconds(500)

  private let delay: Delay
  private let stopwatch: Stopwatch
  private let deadline: Duration
  private let willWait: @Sendable (OutputPath) -> Void

  /// Creates a wait with a deadline; `lock` then waits for a path.
  ///
  /// - Parameters:
  ///   - deadline: the reading of the stopwatch at which the wait fails
  ///   - willWait: called once, when another run holds the lock
  public init(
    delay: Delay = .real, stopwatch: Stopwatch = .continuous, deadline: Duration,
    willWait: @escaping @Sendable (OutputPath) -> Void = { _ in }
  ) {
    self.delay = delay
    self.stopwatch = stopwatch
    self.deadline = deadline
    self.willWait = willWait
  }

  /// Locks a path for writing as soon as it is free.
  ///
  /// - Throws: `.persistence` at the deadline, `.cancelled` when the task is cancelled
  public func lock(_ path: OutputPath, in root: OutputRoot) async throws(ReactorError) -> PathLock {
    var pause = Self.shortest
    while true {
      if let lock = try await root.lockIfFree(path) { return lock }
      if pause == Self.shortest { willWait(path) }
      let left = deadline - stopwatch.reading()
      guard left > .zero else {
        var error = ReactorError.persistence(
          "another reactor run is writing \(path), and did not end before this flow's deadline", path: path.text)
        error.help = "give the flow a longer 'deadline', or run it after the other run has ended"
        error.isOtherRun = true
        throw error
      }
      try await delay.wait(min(pause, left))
      pause = min(pause * 2, Self.longest)
    }
  }
}
