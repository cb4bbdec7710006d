internal import Databases

/// The reason why the shared state cannot be used.
package struct StateError: Error, Sendable, Hashable {
  /// What is wrong, with secrets masked.
  package let message: String
  /// What to do; nil without advice.
  package let help: String?
  /// Whether the command line is wrong, and not the database.
  package let isUsage: Bool

  private init(_ message: String, help: String, isUsage: Bool) {
    self.message = message
    self.help = help
    self.isUsage = isUsage
  }

  /// The error of a process with other flows than those of the run.
  static func otherFlows(_ run: String) -> StateError {
    StateError(
      "the run '\(run)' has begun with other flows than this process has",
      help:
        "start all processes of a run with the same flow files, selection and variables; a new run needs a new --run",
      isUsage: true)
  }

  init(_ error: SQLError) {
    let code = error.code.map { " (PostgreSQL \($0))" } ?? ""
    message = "the shared state cannot be used: \(error.message)\(code)"
    help = error.help ?? "check that the database of --state can be reached and that its user may create tables"
    isUsage = false
  }
}
