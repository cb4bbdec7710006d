internal import Fixtures

/// Why a command cannot go on; it is printed, and the process ends with its code.
package struct CommandError: Error, Sendable, Hashable {
  /// Lower case, no full stop; empty when everything is printed already.
  package let message: String
  /// How to fix it.
  package let help: String?
  let code: ExitCode

  /// An error of the command line, or of an environment variable that stands for a flag.
  package init(_ message: String, help: String? = nil) { self.init(message, help: help, .usage) }

  init(_ message: String, help: String? = nil, _ code: ExitCode) {
    self.message = message
    self.help = help
    self.code = code
  }

  init(_ error: FixtureError, _ code: ExitCode) { self.init(error.message, help: error.help, code) }

  /// Ends a command that has printed everything.
  static func ended(_ code: ExitCode) -> CommandError { CommandError("", code) }
}
