package import Expressions
internal import FlowModel

/// The values that templates may use and that are fixed before the first request.
package struct ResolutionScope: Sendable {
  /// The values of the file's variables, by name.
  package var variables: [String: VariableValue]
  /// The variables without a value, because an error in the given value was reported.
  package var refusedVariables: Set<String> = []
  /// The values of the file's secrets, by name.
  package var secrets: [String: Secret]
  /// The environment variables.
  package var environment: [String: String]
  /// The names of the schema's fields that are read from records, for requests; empty without a schema.
  package var schemaFields: [String] = []
  /// The texts that expressions computed from secrets.
  package var derivedSecrets = DerivedSecrets()
  /// The values of names that are known only at the end of a run, such as `notice`.
  package var late: [String: ExpressionValue] = [:]
  /// The limit for the texts of all scopes of a set of files.
  package var budget = LoadBudget()
  /// The time that `now()` returns.
  package var now: ExpressionTimestamp

  /// Builds a scope.
  package init(
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
  /// The value of a root name: `vars`, `secrets`, `env`, `schema` or one that is known late.
  package func value(of name: String) -> ExpressionValue? {
    switch name {
    case "vars":
      .map(variables.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, $0.value.expression) })
    case "secrets":
      .map(secrets.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, .string($0.value.reveal())) })
    case "env":
      .map(environment.sorted { $0.key < $1.key }.map { ExpressionMember($0.key, .string($0.value)) })
    case "schema": .map([ExpressionMember("fields", .list(schemaFields.map { .string($0) }))])
    default: late[name]
    }
  }

  /// Whether a piece of a template uses a name that has no value yet.
  func leavesOpen(_ segment: Template.Segment) -> Bool {
    guard segment.isDynamic, case .expression(let expression) = segment else { return false }
    return expression.references.contains {
      !Template.Segment.fixedRoots.contains($0.root) && late[$0.root] == nil
    }
  }
}

extension VariableValue {
  /// The variable's value in expressions. A date remains a text.
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
  /// The type that a value of this variable type has in expressions, as `VariableValue.expression` returns it.
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

/// The text of a template after its values are filled in, and whether it contains a secret.
package struct ResolvedText: Sendable, Hashable {
  /// The text. It is never scanned for templates again.
  package let text: String
  /// Whether the text contains a secret. It must then not be shown.
  package let isSecret: Bool

  /// Builds a resolved text.
  package init(text: String, isSecret: Bool) {
    self.text = text
    self.isSecret = isSecret
  }
}

extension ResolvedText: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text, or a mask if it contains a secret.
  package var description: String { isSecret ? Secret.mask : text }
  /// The same text as `description`.
  package var debugDescription: String { description }
}

extension ResolvedText: CustomReflectable {
  /// A mirror that shows only the description.
  package var customMirror: Mirror { Mirror(self, children: ["text": description]) }
}

/// A secret text. Printing, interpolating, dumping and reflecting it show only a mask.
public struct Secret: Sendable, Hashable {
  /// The text that is shown instead of a secret.
  public static let mask = "***"

  /// The kind of value that a placeholder replaces.
  public enum Placeholder: Sendable, Hashable {
    /// A secret that has no value, in a description of a flow.
    case unset
    /// A secret that had a value when the flow was recorded.
    case recorded
  }

  /// The kind of value that the text replaces; nil for the text of a real secret.
  public let placeholder: Placeholder?
  private let value: String

  /// Creates a secret from its text.
  public init(_ value: String) {
    self.value = value
    placeholder = nil
  }

  /// Creates a placeholder.
  public init(_ value: String, standsFor placeholder: Placeholder) {
    self.value = value
    self.placeholder = placeholder
  }

  /// Returns the secret text, for the code that sends it.
  public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The mask, never the secret.
  public var description: String { Self.mask }
  /// The mask, never the secret.
  public var debugDescription: String { Self.mask }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
