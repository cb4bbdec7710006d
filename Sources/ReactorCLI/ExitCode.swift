/// The exit codes of the process.
///
/// They are few, stable and documented.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// All selected flows passed.
  case passed = 0
  /// At least one response does not match its flow.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A configuration file does not load.
  case configuration = 3
  /// Nothing was selected.
  case nothingSelected = 4
  /// At least one flow could not be judged, because of the network, authentication, a timeout, or a missing persisted
  /// result.
  case notJudged = 5
  /// All flows passed, but a policy is violated.
  case policy = 6
  /// An error of this program.
  case internalError = 70
  /// A result or a report could not be written.
  case notWritten = 74
  /// The run was ended by SIGINT.
  case interrupted = 130
  /// The run was ended by SIGTERM.
  case terminated = 143

  /// The codes by precedence: the first code that applies is the exit code.
  private static let precedence: [ExitCode] = [
    .internalError, .notWritten, .interrupted, .terminated, .usage, .configuration, .nothingSelected, .notJudged,
    .failed,
    .policy, .passed,
  ]

  /// The exit code when several codes apply; 0 when none applies.
  package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Set(codes)
    return precedence.first { codes.contains($0) } ?? .passed
  }
}
