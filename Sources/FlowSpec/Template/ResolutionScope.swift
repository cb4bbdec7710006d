public import Expressions

/// The values that templates may use: those that are fixed before the first request.
public struct ResolutionScope: Sendable {
  /// Values of the file's variables.
  public var variables: [String: VariableValue]
  /// Variables without a value because the given one was reported as wrong.
  public var refusedVariables: Set<String> = []
  /// Values of the file's secrets.
  public var secrets: [String: Secret]
  /// The environment.
  public var environment: [String: String]
  /// The result of `now()`.
  public var now: ExpressionTimestamp

  /// Builds a scope.
  public init(
    variables: [String: VariableValue] = [:], secrets: [String: Secret] = [:], environment: [String: String] = [:],
    now: ExpressionTimestamp = .epoch
  ) {
    self.variables = variables
    self.secrets = secrets
    self.environment = environment
    self.now = now
  }
}

extension ResolutionScope: ExpressionScope {
  /// The value of a name: `vars`, `secrets` or `env`.
  public func value(of name: String) -> ExpressionValue? {
    switch name {
    case "vars":
      .map(variables.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, $0.value.expression) })
    case "secrets":
      .map(secrets.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, .string($0.value.reveal())) })
    case "env":
      .map(environment.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, .string($0.value)) })
    default: nil
    }
  }
}

extension VariableValue {
  /// The value in expressions; a date stays text.
  var expression: ExpressionValue {
    switch type {
    case .string, .date: .string(text)
    case .integer: Int64(text).map { .int($0) } ?? .string(text)
    case .number: ExpressionValue(json)
    case .boolean: .bool(text == "true")
    case .timestamp: ExpressionTimestamp(iso8601: text).map { .timestamp($0) } ?? .string(text)
    case .list: .list(elements.map { .string($0) })
    case .duration: (try? DurationText.seconds(in: text)).map { .duration(.seconds($0)) } ?? .string(text)
    }
  }
}

extension VariableType {
  /// What `VariableValue.expression` gives.
  var expressionType: ExpressionType {
    switch self {
    case .string, .date: .string
    case .integer: .int
    case .number: .double
    case .boolean: .bool
    case .timestamp: .timestamp
    case .duration: .duration
    case .list: .list(.string)
    }
  }
}

/// A template's text with its values filled in, and whether a secret is in it.
public struct ResolvedText: Sendable, Hashable {
  /// The text; it is never read for templates again.
  public let text: String
  /// Whether a secret is in it: then it must not be shown.
  public let isSecret: Bool

  /// Builds a resolved text.
  public init(text: String, isSecret: Bool) {
    self.text = text
    self.isSecret = isSecret
  }
}

extension ResolvedText: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text, or a mask instead of a secret.
  public var description: String { isSecret ? Secret.mask : text }
  /// The same.
  public var debugDescription: String { description }
}

extension ResolvedText: CustomReflectable {
  /// Shows nothing but the description.
  public var customMirror: Mirror { Mirror(self, children: ["text": description]) }
}

/// A text that never shows itself: printing, interpolating, dumping and reflecting give a mask.
public struct Secret: Sendable, Hashable {
  /// The text shown instead of a secret.
  public static let mask = "***"

  private let value: String

  /// Takes a secret.
  public init(_ value: String) { self.value = value }

  /// The text itself, for the code that sends it.
  public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The mask.
  public var description: String { Self.mask }
  /// The mask.
  public var debugDescription: String { Self.mask }
  /// Nothing inside.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
