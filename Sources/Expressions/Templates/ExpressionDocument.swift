public import JSONSyntax

/// A JSON document that contains templates.
public indirect enum ExpressionDocument: Sendable, Hashable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template.
  case template(ExpressionTemplate)
  /// A list.
  case array([ExpressionDocument])
  /// An object; the members are in order.
  case object([Member])

  /// A name and its document.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// Its value.
    public var value: ExpressionDocument

    /// Creates a member.
    public init(_ name: String, _ value: ExpressionDocument) {
      self.name = name
      self.value = value
    }
  }

  /// The names that the expressions take from their scope.
  public var references: [Expression.Reference] {
    switch self {
    case .constant: []
    case .template(let template): template.references
    case .array(let elements): elements.flatMap(\.references)
    case .object(let members): members.flatMap(\.value.references)
    }
  }

  /// The document with all expressions evaluated.
  ///
  /// A template that is a single expression keeps the type of its value. Members and elements that are `{{ optional(…)
  /// }}` without a value are left out.
  public func value(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> JSONValue {
    switch self {
    case .constant(let value): return value
    case .template(let template): return try template.value(in: scope, for: destination).json
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements {
        let value = try element.value(in: scope, for: destination)
        if !element.leavesOut(value) { values.append(value) }
      }
      return .array(values)
    case .object(let members):
      var values: [JSONObject.Member] = []
      for member in members {
        let value = try member.value.value(in: scope, for: destination)
        if !member.value.leavesOut(value) { values.append(JSONObject.Member(name: member.name, value: value)) }
      }
      return .object(JSONObject(values))
    }
  }

  /// Whether a member or element with this value is left out, because it is `{{ optional(…) }}` without a value.
  private func leavesOut(_ value: JSONValue) -> Bool {
    if case .template(let template) = self { template.isOptional && value == .null } else { false }
  }
}
