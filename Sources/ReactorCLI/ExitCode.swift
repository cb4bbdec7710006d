/// What the process tells its caller: few codes, stable, documented.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// All selected flows passed.
  case passed = 0
  /// At least one flow was answered with something that does not fit.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A file of the configuration does not load.
  case configuration = 3
  /// Nothing was selected.
  case nothingSelected = 4
  /// At least one flow could not be judged: network, authentication, timeout, nothing persisted.
  case notJudged = 5
  /// All passed, but a policy was not kept.
  case policy = 6
  /// A fault of this program.
  case fault = 70
  /// A result or a report could not be written.
  case notWritten = 74
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// From the one that hides all others to the one that hides none.
  private static let precedence: [ExitCode] = [
    .fault, .notWritten, .interrupted, .terminated, .usage, .configuration, .nothingSelected, .notJudged, .failed,
    .policy, .passed,
  ]

  /// The code to end with when several hold; 0 when none does.
  package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Set(codes)
    return precedence.first { codes.contains($0) } ?? .passed
  }
}
