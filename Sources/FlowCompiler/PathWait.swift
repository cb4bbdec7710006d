internal import ReactorCore
internal import Storage

/// How a flow waits for an output path that another run is writing.
struct PathWait: Sendable {
  /// Between the first two attempts; each later pause is twice as long, up to `longest`.
  private static let shortest = Duration.milliseconds(10)
  private static let longest = Duration.milliseconds(500)

  let delay: Delay
  let stopwatch: Stopwatch
  /// Until when, by the stopwatch.
  let deadline: Duration
  /// Is notified once when there is something to wait for.
  let observer: FlowObserver

  /// Takes the right to write a path as soon as nobody else has it.
  ///
  /// - Throws: `.persistence` at the deadline, `.cancelled` when the task is cancelled.
  func lock(_ path: OutputPath, in root: OutputRoot) async throws(ReactorError) -> PathLock {
    var pause = Self.shortest
    while true {
      if let lock = try await root.lockIfFree(path) { return lock }
      if pause == Self.shortest { observer(.waitingForRun(path: path.text)) }
      let left = deadline - stopwatch.reading()
      guard left > .zero else {
        throw .persistence(
          "another reactor run is writing \(path), and did not end within the flow's time "
            + "(give the flow a longer 'deadline', or run it after the other one)", path: path.text)
      }
      try await delay.wait(min(pause, left))
      pause = min(pause * 2, Self.longest)
    }
  }
}
