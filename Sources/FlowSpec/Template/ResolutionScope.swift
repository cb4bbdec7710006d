public import Expressions

/// The values that templates may use: those that are fixed before the first request.
public struct ResolutionScope: Sendable {
  /// Values of the file's variables.
  public var variables: [String: VariableValue]
  /// Variables without a value because the one that was given was refused, which was reported.
  public var refusedVariables: Set<String> = []
  /// Values of the file's secrets.
  public var secrets: [String: Secret]
  /// The environment.
  public var environment: [String: String]
  /// What `now()` means.
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
  /// The value as expressions calculate with it; a date stays text.
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
