internal import RunViews

/// Looks at runs that have ended, to hand on what happened: metrics, notifications.
///
/// It is called when results, history and reports are written, so it cannot change or lose any of them.
protocol RunObserver: Sendable {
  /// Called once, by the process that ends the run.
  ///
  /// - Parameter console: for warnings, such as that a receiver could not be reached
  /// - Returns: the exit codes that this causes; a receiver that is down causes none
  func observe(_ run: EndedRun, _ console: Console) async -> Set<ExitCode>
}
