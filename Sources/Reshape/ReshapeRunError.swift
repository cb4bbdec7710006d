public import JSONSyntax

/// The reason why a program failed on an input.
public struct ReshapeRunError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Reason: Sendable, Hashable {
    /// The program raised an error, by a wrong type or by `error`; `value` is the input that `catch` would receive.
    case raised(JSONValue)
    /// The program exceeded ``ReshapeLimits``; no `try` catches this error.
    case limit
  }

  /// A description of the error, in jq's words where jq has a message.
  public var message: String
  /// The kind of the failure.
  public var reason: Reason

  /// Whether a limit was exceeded.
  public var isLimit: Bool { reason == .limit }

  /// The message.
  public var description: String { message }
}

/// The reason why a run ended early: the program failed, or `emit` threw.
public enum ReshapeStop<EmitError: Error>: Error {
  /// The program failed.
  case failed(ReshapeRunError)
  /// `emit` threw.
  case refused(EmitError)
}

/// An error that ends an evaluation; a `try`, a label or the caller handles it.
enum EvaluationError: Error {
  /// An error that `try` catches.
  case raised(JSONValue)
  /// `break`, to the label with this number.
  case exit(Int32)
  case limit(String)

  static func message(_ text: String) -> EvaluationError { .raised(.string(text)) }
}
