internal import Expressions

/// Translates texts with expressions into templates of the flow language.
struct TemplateTranslator {
  private let names: JinjaNames
  private let translator: JinjaTranslator

  init(_ names: JinjaNames) {
    self.names = names
    translator = JinjaTranslator(names)
  }

  /// Translates a text with expressions into a single expression.
  func expression(of text: String) throws(JinjaError) -> FlowExpression {
    try expression(of: Self.unquoted(try JinjaTemplate(text).parts))
  }

  func expression(of parts: [JinjaPart]) throws(JinjaError) -> FlowExpression {
    try joined(Self.trimmed(parts))
  }

  /// Translates the parts into one expression that joins them, with the white space around them.
  func joined(_ parts: [JinjaPart]) throws(JinjaError) -> FlowExpression {
    if parts.count == 1 { return try expression(of: parts[0]) }
    var texts: [FlowExpression] = []
    for part in parts { texts.append(try text(of: part).asText) }
    guard let first = texts.first else { return .literal("") }
    return texts.dropFirst().reduce(first) {
      FlowExpression("\($0.operand(.sum)) + \($1.operand(.product))", .string, .sum)
    }
  }

  /// The value of a part of a text, as an expression.
  private func text(of part: JinjaPart) throws(JinjaError) -> FlowExpression {
    if case .expression(let only) = part { return try translator.choiceOfTexts(only) }
    return try expression(of: part)
  }

  private func expression(of part: JinjaPart) throws(JinjaError) -> FlowExpression {
    switch part {
    case .text(let text): return .literal(text)
    case .expression(let expression): return try translator.translate(expression)
    case .choice(let branches): return try choice(branches)
    case .loop(let loop): return try LoopTranslator(names).translate(loop)
    }
  }

  private func choice(_ branches: [JinjaBranch]) throws(JinjaError) -> FlowExpression {
    var result: FlowExpression?
    for branch in branches.reversed() {
      let isTrue = try branch.condition.map { condition throws(JinjaError) in try translator.truth(condition) }
      // A branch that is never chosen need not be translatable.
      if isTrue?.text == "false" { continue }
      let taken = try expression(of: branch.parts)
      guard let isTrue, isTrue.text != "true" else {
        result = taken
        continue
      }
      let (value, other) = translator.sameKind(taken, result ?? .literal(""))
      result = FlowExpression(
        "\(isTrue.operand(.or)) ? \(value.operand(.or)) : \(other.text)", value.kind == other.kind ? value.kind : .any,
        .choice, mayBeMissing: value.mayBeMissing || other.mayBeMissing,
        mayBeEmpty: value.mayBeEmpty || other.mayBeEmpty || other.text == "''")
    }
    return result ?? .literal("")
  }

  /// The parts, in which parameters are replaced by their texts; such a text may contain expressions itself.
  private func inlined(_ parts: [JinjaPart]) -> [JinjaPart] {
    parts.flatMap { part -> [JinjaPart] in
      guard case .expression(let expression) = part, let path = translator.chain(expression), path.keys.count == 1,
        ["parameters", "options"].contains(path.root), let node = names.parameters[path.keys[0]], let text = node.text,
        !text.contains("parameters"), let inner = try? JinjaTemplate(text)
      else { return [part] }
      return inner.parts
    }
  }

  /// Removes white space at both ends, which blocks leave there and which has no meaning in a text of one line.
  private static func trimmed(_ parts: [JinjaPart]) -> [JinjaPart] {
    guard parts.count > 1 else { return parts }
    let isSpace = { (part: JinjaPart) in
      if case .text(let text) = part { text.allSatisfy(\.isWhitespace) } else { false }
    }
    var rest = parts[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return Array(rest)
  }

  /// The parts without the quotes around the whole text: Airbyte reads a text in quotes as a literal.
  private static func unquoted(_ parts: [JinjaPart]) -> [JinjaPart] {
    guard parts.count > 2, case .text(let first) = parts[0], case .text(let last) = parts[parts.count - 1],
      let quote = first.first, quote == "'" || quote == "\"", last.last == quote
    else { return parts }
    let count = parts.reduce(0) { count, part in
      if case .text(let text) = part { count + text.count { $0 == quote || $0 == "\\" } } else { count }
    }
    guard count == 2 else { return parts }
    var result = parts
    result[0] = .text(String(first.dropFirst()))
    result[parts.count - 1] = .text(String(last.dropLast()))
    return result.filter { $0 != .text("") }
  }

  /// Translates a text into a template.
  ///
  /// - Parameters:
  ///   - canBeLeftOut: whether a part of a request without a value is left out
  ///   - isText: whether a value of any type is converted to text
  func template(
    _ text: String, canBeLeftOut: Bool = false, isText: Bool = true
  ) throws(JinjaError) -> FlowTemplate {
    let template = try JinjaTemplate(text)
    if let constant = template.constant { return FlowTemplate(literal: constant) }
    let parts = Self.unquoted(Self.trimmed(inlined(template.parts)))
    if parts.allSatisfy({ if case .text = $0 { true } else { false } }) {
      return FlowTemplate(literal: JinjaTemplate(parts: parts).constant ?? "")
    }
    if parts.count == 1, case .expression(let only) = parts[0] {
      return try self.template(of: only, canBeLeftOut: canBeLeftOut, isText: isText)
    }
    if parts.count == 1 {
      return FlowTemplate(expression: try expression(of: parts[0]), canBeLeftOut: canBeLeftOut)
    }
    var result = FlowTemplate(literal: "")
    for part in parts {
      switch part {
      case .text(let text): result.append(FlowTemplate(literal: text))
      default:
        let value = try self.text(of: part)
        if value.kind != .null { result.append(FlowTemplate(expression: value, canBeLeftOut: false)) }
      }
    }
    return result
  }

  /// Translates an expression into a template.
  ///
  /// - Parameters:
  ///   - canBeLeftOut: whether a part of a request without a value is left out
  ///   - isText: whether a value of any type is converted to text
  func template(
    of only: JinjaExpression, canBeLeftOut: Bool, isText: Bool = true
  ) throws(JinjaError) -> FlowTemplate {
    if canBeLeftOut, let path = translator.chain(only), path.root == "config",
      path.fallback == nil || path.fallback == JinjaExpression.none,
      let name = try names.variables.optional(path.keys)
    {
      return FlowTemplate(expression: FlowExpression(name, .any, mayBeMissing: true), canBeLeftOut: true)
    }
    let value = try isText ? translator.choiceOfTexts(only) : translator.translate(only)
    return FlowTemplate(expression: value, canBeLeftOut: canBeLeftOut)
  }

  /// Translates a text that contains a condition.
  func condition(_ text: String) throws(JinjaError) -> FlowExpression {
    let template = try JinjaTemplate(text)
    if let constant = template.constant {
      let word = constant.trimmingPrefix(while: \.isWhitespace).lowercased()
      return FlowExpression(["", "false", "0", "none", "no", "[]", "{}"].contains(word) ? "false" : "true", .bool)
    }
    if let only = template.only { return try translator.truth(only) }
    return try expression(of: text).truth
  }
}

/// A template of the flow language.
struct FlowTemplate: Hashable {
  /// The template's text, with `{{ … }}` for expressions.
  private(set) var text: String
  /// The expression of a template that consists of one expression; nil for other templates.
  private(set) var only: FlowExpression?
  private(set) var isConstant: Bool

  init(literal text: String) {
    self.text = OutputText.template(literal: text)
    isConstant = true
  }

  init(expression: FlowExpression, canBeLeftOut: Bool) {
    let expression = expression.isDay ? expression.asText : expression
    only = expression
    isConstant = false
    if canBeLeftOut, expression.text == "''" {
      text = "{{ optional(null) }}"
    } else if expression.isLiteral, expression.kind == .string, !expression.text.contains("\\") {
      text = OutputText.template(literal: String(expression.text.dropFirst().dropLast()))
      isConstant = true
    } else if expression.isLiteral, expression.kind != .string {
      text = expression.text
      isConstant = true
    } else if canBeLeftOut, expression.mayBeMissing || expression.mayBeEmpty || expression.kind == .null {
      text = "{{ optional(\(expression.text)) }}"
    } else if expression.mayBeMissing {
      text = "{{ \(expression.kind == .any ? "coalesce(\(expression.text), '')" : expression.asText.text) }}"
    } else {
      text = "{{ \(expression.text) }}"
    }
  }

  /// The path without a second slash at its beginning.
  var singleSlash: FlowTemplate {
    var result = self
    while result.text.hasPrefix("//") { result.text.removeFirst() }
    return result
  }

  /// Replaces an expression with a parameter of a URI template that keeps slashes.
  ///
  /// - Parameter declare: called with the value of the parameter if the expression occurs
  mutating func useParameter(_ name: String, for expression: String, _ declare: (OutputNode) -> Void) {
    guard text.contains(expression), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
      return
    }
    text = text.replacing(expression, with: "{+\(name)}")
    only = nil
    isConstant = isConstant || !text.contains("{{")
    declare(.scalar(OutputText.quoted(expression)))
  }

  /// Removes slashes at the end.
  mutating func dropSlash() {
    while text.hasSuffix("/"), !text.hasSuffix("//") { text.removeLast() }
  }

  mutating func append(_ other: FlowTemplate) {
    only = text.isEmpty ? other.only : nil
    // A brace before an expression would belong to it.
    if isConstant, text.hasSuffix("{"), other.text.hasPrefix("{") {
      text.removeLast()
      text += "{{ '{' }}"
    }
    text += other.text
    isConstant = isConstant && other.isConstant
  }

  /// The template as a scalar.
  var node: OutputNode {
    let text = ForeignTemplate.escaped(text)
    return .scalar(isConstant ? OutputText.value(text) : OutputText.quoted(text))
  }

  /// Whether the template uses a variable.
  var usesVariables: Bool { text.contains("vars.") }

  /// Whether the template uses a secret.
  var usesSecret: Bool { text.contains("secrets.") }
}
