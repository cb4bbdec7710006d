/// Converts the requirements of a JSON schema (draft 7) on a value, except its type, to a condition.
struct SchemaCondition {
  /// What is already known about the value.
  enum Subject {
    case text, number, list
    /// A part of a JSON document.
    case any
    /// A value that cannot be compared with texts: a date, a timestamp or a boolean.
    case opaque
  }

  /// Keywords that restrict a value. Other keywords only inform people and forms.
  private static let asking: Set<String> = [
    "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minItems", "maxItems", "uniqueItems", "items", "additionalItems", "contains", "minProperties",
    "maxProperties", "patternProperties", "propertyNames", "dependencies", "if", "then", "else", "allOf", "anyOf",
    "oneOf", "not",
  ]
  private static let variables = ["x", "y", "z"]
  /// An expression has at most 4 KiB, and a condition may be only one part of it.
  private static let maximumBytes = 3000

  /// The keywords that cannot be translated.
  private(set) var unknown: [String] = []
  private var parts: [FlowExpression] = []

  /// The condition; nil when the schema does not restrict the value.
  var expression: FlowExpression? {
    guard let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { JinjaTranslator.both($0, .and, $1) }
  }

  /// Converts the schema to a condition on the expression `value`.
  init(_ schema: SourceNode, of value: String = "value", _ subject: Subject) {
    read(schema, FlowExpression(value, .any), subject, depth: 0)
    if let text = expression?.text, text.utf8.count > Self.maximumBytes {
      parts = []
      unknown.append("a condition of \(text.utf8.count) bytes")
    }
  }

  private init() {}

  private mutating func read(_ schema: SourceNode, _ value: FlowExpression, _ subject: Subject, depth: Int) {
    if subject == .any { readType(schema, value) }
    for member in schema.members ?? [] {
      let known = part(member, value, subject, depth)
      if let known { parts += known } else if Self.asking.contains(member.name) { unknown.append(member.name) }
    }
    guard subject == .any else { return }
    if schema["additionalProperties"]?.bool == false, depth < Self.variables.count {
      let name = Self.variables[depth]
      let known = (schema["properties"]?.members ?? []).map { FlowExpression.literal($0.name).text }
      parts.append(
        FlowExpression("keys(\(value.text)).all(\(name), \(name) in [\(known.joined(separator: ", "))])", .bool))
    }
    for name in schema["required"]?.texts ?? [] {
      parts.append(FlowExpression("has(\(value.member(name).text))", .bool))
    }
    for property in schema["properties"]?.members ?? [] {
      let member = value.member(property.name)
      guard let inner = inner(property.value, member, .any, depth) else { continue }
      let isThere = FlowExpression("!has(\(member.text))", .bool, .unary)
      parts.append(JinjaTranslator.both(isThere, .or, inner))
    }
  }

  /// The condition on a part of the value; nil when the schema does not restrict the part.
  private mutating func inner(
    _ schema: SourceNode, _ value: FlowExpression, _ subject: Subject, _ depth: Int
  ) -> FlowExpression? {
    var condition = SchemaCondition()
    condition.read(schema, value, subject, depth: depth)
    unknown += condition.unknown
    return condition.expression
  }

  private mutating func readType(_ schema: SourceNode, _ value: FlowExpression) {
    let names = [
      "string": ["string"], "integer": ["int"], "number": ["int", "double"], "boolean": ["bool"], "array": ["list"],
      "object": ["map"], "null": ["null"],
    ]
    let types = (schema["type"]?.texts ?? []).flatMap { names[$0] ?? [] }
    guard !types.isEmpty else { return }
    let list = types.map { "'\($0)'" }.joined(separator: ", ")
    parts.append(
      FlowExpression(
        types.count == 1 ? "type(\(value.text)) == \(list)" : "type(\(value.text)) in [\(list)]", .bool, .relation))
  }

  /// The condition of one keyword; nil for a keyword that expressions cannot express, and for one that restricts
  /// nothing.
  private mutating func part(
    _ keyword: SourceNode.Member, _ value: FlowExpression, _ subject: Subject, _ depth: Int
  ) -> [FlowExpression]? {
    let node = keyword.value
    func relation(_ text: String) -> [FlowExpression] { [FlowExpression(text, .bool, .relation)] }
    let isText = subject == .text || subject == .any
    let isNumber = subject == .number || subject == .any
    let isList = subject == .list || subject == .any
    switch keyword.name {
    // A value that only selects one member of a choice.
    case "enum" where subject != .list && subject != .opaque:
      guard let values = node.list, values.count > 1 else { return [] }
      let literals = values.filter { !$0.isNull }.compactMap { Self.literal($0, subject) }
      guard literals.count == values.count(where: { !$0.isNull }) else { return nil }
      return relation("\(value.text) in [\(literals.joined(separator: ", "))]")
    case "pattern" where subject == .opaque: return []
    case "pattern" where isText:
      guard let text = node.text, let pattern = PatternText.anywhere(text) else { return nil }
      return [FlowExpression("matches(\(value.text), \(FlowExpression.literal(pattern).text))", .bool)]
    case "minLength" where isText, "minItems" where isList: return length(node, value, ">=")
    case "maxLength" where isText, "maxItems" where isList: return length(node, value, "<=")
    case "minimum" where isNumber: return Self.number(node).map { relation("\(value.text) >= \($0)") }
    case "maximum" where isNumber: return Self.number(node).map { relation("\(value.text) <= \($0)") }
    case "exclusiveMinimum" where isNumber: return Self.number(node).map { relation("\(value.text) > \($0)") }
    case "exclusiveMaximum" where isNumber: return Self.number(node).map { relation("\(value.text) < \($0)") }
    case "uniqueItems" where isList:
      guard node.bool ?? false else { return [] }
      return relation("length(\(value.text).unique(x, x)) == length(\(value.text))")
    case "items" where isList:
      guard depth < Self.variables.count else { return nil }
      let element = FlowExpression(Self.variables[depth], .any)
      guard let inner = inner(node, element, subject == .list ? .text : .any, depth + 1) else { return [] }
      return [FlowExpression("\(value.operand(.value)).all(\(element.text), \(inner.text))", .bool)]
    default: return nil
    }
  }

  private func length(_ node: SourceNode, _ value: FlowExpression, _ sign: String) -> [FlowExpression]? {
    node.integer.map { [FlowExpression("length(\(value.text)) \(sign) \($0)", .bool, .relation)] }
  }

  private static func number(_ node: SourceNode) -> String? {
    if case .number(let text) = node.content { text } else { nil }
  }

  private static func literal(_ node: SourceNode, _ subject: Subject) -> String? {
    switch (node.content, subject) {
    case (.number(let text), .number), (.number(let text), .any): text
    case (.bool(let value), .any): value ? "true" : "false"
    case (_, .text), (.text, .any): node.scalar.map { FlowExpression.literal($0).text }
    default: nil
    }
  }
}
