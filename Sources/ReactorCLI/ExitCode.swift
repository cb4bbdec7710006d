/// The exit codes of the process: few, stable, documented.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// All selected flows passed.
  case passed = 0
  /// At least one response does not fit its flow.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A file of the configuration does not load.
  case configuration = 3
  /// Nothing was selected.
  case nothingSelected = 4
  /// At least one flow could not be judged: network, authentication, timeout, nothing persisted.
  case notJudged = 5
  /// All passed, but a policy does not hold.
  case policy = 6
  /// An error of this program.
  case internalError = 70
  /// A result or a report could not be written.
  case notWritten = 74
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// The first code that holds is the exit code.
  private static let precedence: [ExitCode] = [
    .internalError, .notWritten, .interrupted, .terminated, .usage, .configuration, .nothingSelected, .notJudged,
    .failed,
    .policy, .passed,
  ]

  /// The exit code when several hold; 0 when none does.
  package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Set(codes)
    return precedence.first { codes.contains($0) } ?? .passed
  }
}
