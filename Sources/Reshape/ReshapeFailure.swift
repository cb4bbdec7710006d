public import JSONSyntax

/// Why a program came to no good end on an input.
public struct ReshapeFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of end it was.
  public enum Reason: Sendable, Hashable {
    /// The program raised an error, by a wrong type or by `error`; `value` is what `catch` would have been given.
    case raised(JSONValue)
    /// The program used up what ``ReshapeLimits`` allows; no `try` catches that.
    case limit
  }

  /// What is wrong, in jq's words where jq has some.
  public var message: String
  /// What kind of end it was.
  public var reason: Reason

  /// Whether it is a limit of ours rather than an error of the program.
  public var isLimit: Bool { reason == .limit }

  /// The message.
  public var description: String { message }
}

/// What ends a run: the program, or the one who takes its results.
public enum ReshapeStop<EmitError: Error>: Error {
  /// The program failed.
  case failed(ReshapeFailure)
  /// `emit` threw.
  case refused(EmitError)
}

/// How an evaluation leaves its way.
enum Interruption: Error {
  /// An error that `try` catches.
  case raised(JSONValue)
  /// `break`, to the label of this number.
  case exit(Int32)
  case limit(String)

  static func message(_ text: String) -> Interruption { .raised(.string(text)) }
}
