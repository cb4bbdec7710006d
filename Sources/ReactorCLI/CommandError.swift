package import Fixtures

/// An error that ends a command. Its message is printed, and the process ends with its code.
package struct CommandError: Error, Sendable, Hashable {
  /// The text of the error, in lower case and without a full stop; empty when all messages have been printed.
  package let message: String
  /// How the user can fix the error.
  package let help: String?
  let code: ExitCode

  /// Creates an error of the command line, or of an environment variable that replaces a flag.
  package init(_ message: String, help: String? = nil) { self.init(message, help: help, .usage) }

  /// Creates an error that ends the process with a code.
  package init(_ message: String, help: String? = nil, _ code: ExitCode) {
    self.message = message
    self.help = help
    self.code = code
  }

  /// Creates the error of an environment variable that nothing reads.
  init(noEffectOf slip: (name: String, meant: String)) {
    self.init("the environment variable '\(slip.name)' has no effect", help: "did you mean '\(slip.meant)'?")
  }

  /// Creates the error of a file.
  package init(_ error: FixtureError, _ code: ExitCode) { self.init(error.message, help: error.help, code) }

  /// The error that ends a command which has printed all its messages.
  static func ended(_ code: ExitCode) -> CommandError { CommandError("", code) }
}
