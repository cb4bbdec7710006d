/// Translates `{% for %}` in a text: the texts of a list's elements are joined.
struct LoopTranslator {
  /// Names that the variable of a loop cannot have, because expressions use them.
  private static let reserved: Set<String> = [
    "vars", "secrets", "env", "page", "cursor", "record", "source", "response", "headers", "status", "last", "token",
    "result", "field_group", "batch", "parent", "schema", "job", "in", "true", "false", "null", "x",
  ]

  private let names: JinjaNames

  init(_ names: JinjaNames) { self.names = names }

  func translate(_ loop: JinjaLoop) throws(JinjaError) -> FlowExpression {
    let elements = try elements(of: loop)
    var whole = elements.list
    let (parts, separator) = try Self.separated(loop.parts)
    let body = try TemplateTranslator(elements.names).joined(parts).asText
    // `join` converts elements to texts itself.
    if ![elements.name, "string(\(elements.name))"].contains(body.text) {
      whole = "\(whole).map(\(elements.name), \(body.text))"
    }
    let between = separator.isEmpty ? "" : ", \(FlowExpression.literal(separator).text)"
    return FlowExpression("join(\(whole)\(between))", .string, mayBeEmpty: true)
  }

  /// The expression for the list of values that an expression has for the elements of a loop.
  func collected(_ value: JinjaExpression, from loop: JinjaLoop) throws(JinjaError) -> FlowExpression {
    let elements = try elements(of: loop)
    let value = try JinjaTranslator(elements.names).translate(value)
    guard value.text != elements.name else { return FlowExpression(elements.list, .list) }
    return FlowExpression("\(elements.list).map(\(elements.name), \(value.text))", .list)
  }

  /// The elements of a loop: the list without elements that do not meet the condition, and the name for an element.
  private struct Elements {
    /// The expression of the list.
    let list: String
    /// The name of the variable for an element.
    let name: String
    /// The names that expressions in the loop may use.
    let names: JinjaNames
  }

  private func elements(of loop: JinjaLoop) throws(JinjaError) -> Elements {
    var list = try JinjaTranslator(names).translate(loop.list)
    if let structure = names.variables.list(list) { list = structure }
    guard list.kind == .list || list.kind == .any || list.kind == .map else {
      throw JinjaError("'{% for %}' over a value that is not a list cannot be translated")
    }
    var inner = names
    let element = word(loop.names[0])
    inner.locals[loop.names[0]] = FlowExpression(element, list.isOfTexts ? .string : .any)
    var whole = list.mayBeMissing ? "coalesce(\(list.text), [])" : list.operand(.value)
    if loop.names.count == 2 {
      let mapping = list.mayBeMissing ? "coalesce(\(list.text), {})" : list.operand(.value)
      inner.locals[loop.names[0]]?.kind = .string
      inner.locals[loop.names[1]] = FlowExpression("\(mapping)[\(element)]", .any)
      whole = "keys(\(mapping))"
    }
    if let condition = loop.condition {
      let test = try JinjaTranslator(inner).truth(condition)
      whole = "\(whole).filter(\(element), \(test.text))"
    }
    return Elements(list: whole, name: element, names: inner)
  }

  /// A name for the variable of a loop that is not yet used in the template.
  private func word(_ wish: String) -> String {
    let used = names.locals.values.map(\.text) + names.partitions.values.map(\.text)
    var result = Self.reserved.contains(wish) ? wish + "_item" : wish
    while used.contains(where: { $0 == result || $0.hasPrefix(result + ".") || $0.hasPrefix(result + "[") }) {
      result += "_item"
    }
    return result
  }

  /// The parts of the loop without its separator, and the separator: a text that depends on `loop.first` or
  /// `loop.last`.
  private static func separated(_ parts: [JinjaPart]) throws(JinjaError) -> (parts: [JinjaPart], separator: String) {
    if let last = parts.last, let text = separator(last, unless: "last") { return (Array(parts.dropLast()), text) }
    if let first = parts.first, let text = separator(first, unless: "first") { return (Array(parts.dropFirst()), text) }
    return (parts, "")
  }

  /// The text of a part that is written for all elements except the first or the last one; nil for other parts.
  private static func separator(_ part: JinjaPart, unless position: String) -> String? {
    let test = JinjaExpression.member(.name("loop"), .text(position))
    switch part {
    case .choice(let branches):
      if branches.count == 1, branches[0].condition == .not(test) {
        return JinjaTemplate(parts: branches[0].parts).constant
      }
      guard branches.count == 2, branches[0].condition == test, branches[1].condition == nil,
        JinjaTemplate(parts: branches[0].parts).constant == ""
      else { return nil }
      return JinjaTemplate(parts: branches[1].parts).constant
    case .expression(.conditional(.not(test), then: .text(let text), let otherwise)):
      return [nil, JinjaExpression.text(""), JinjaExpression.none].contains(otherwise) ? text : nil
    case .expression(.conditional(test, then: .text(""), .text(let text)?)): return text
    default: return nil
    }
  }
}
