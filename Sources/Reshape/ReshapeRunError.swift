public import JSONSyntax

/// Why a program failed on an input.
public struct ReshapeRunError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the failure.
  public enum Reason: Sendable, Hashable {
    /// The program raised an error, by a wrong type or by `error`; `value` is what `catch` would have been given.
    case raised(JSONValue)
    /// The program exceeded ``ReshapeLimits``; no `try` catches that.
    case limit
  }

  /// What is wrong, in jq's words where jq has some.
  public var message: String
  /// The kind of the failure.
  public var reason: Reason

  /// Whether a limit was exceeded.
  public var isLimit: Bool { reason == .limit }

  /// The message.
  public var description: String { message }
}

/// Why a run ended early: the program failed, or `emit` threw.
public enum ReshapeStop<EmitError: Error>: Error {
  /// The program failed.
  case failed(ReshapeRunError)
  /// `emit` threw.
  case refused(EmitError)
}

/// Ends an evaluation: a `try`, a label or the caller takes it.
enum EvaluationError: Error {
  /// An error that `try` catches.
  case raised(JSONValue)
  /// `break`, to the label of this number.
  case exit(Int32)
  case limit(String)

  static func message(_ text: String) -> EvaluationError { .raised(.string(text)) }
}
