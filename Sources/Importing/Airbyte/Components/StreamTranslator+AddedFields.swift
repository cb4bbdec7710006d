/// Fields that transformations add to records.
extension StreamTranslator {
  /// A field that a transformation adds.
  private struct Added {
    /// The names that lead from the record to the field.
    let path: [String]
    /// The type that the value must have; nil for any.
    let type: String?
    /// The condition under which the field is added; nil if it is always added.
    let condition: FlowExpression?
    let component: Component

    init?(_ component: Component, at path: [String], _ condition: FlowExpression?) {
      guard !path.isEmpty else { return nil }
      self.path = path
      let type = component["value_type"]?.text
      self.type = ["string", "integer", "number", "boolean"].contains(type) ? type : nil
      self.condition = condition
      self.component = component
    }

    var name: String { path.joined(separator: ".") }
    var origin: OutputMapping.Origin { OutputMapping.Origin(component) }
  }

  func add(_ transformation: Component) {
    var condition: FlowExpression?
    if Self.hasCondition(transformation), let node = transformation["condition"] {
      guard let found = self.condition(node, of: transformation, as: "condition", names: recordNames) else { return }
      if found.text == "false" { return }
      condition = found.text == "true" ? nil : changed(found)
    }
    for field in transformation.children("fields", default: "AddedFieldDefinition") {
      let path = (field["path"]?.list ?? []).compactMap { constant($0, of: field) }
      guard let value = field["value"], path.count == field["path"]?.list?.count,
        let added = Added(field, at: path, condition)
      else {
        lose(
          .transformation, "a field added at a path with expressions", needs: "a name that is known before the run",
          at: field)
        continue
      }
      if path.count > 1, reshaped(added, value) { continue }
      guard let expression = expression(of: added, value) else { continue }
      if path.count == 1 { set(added, expression) } else { nest(added, expression) }
    }
  }

  static func hasCondition(_ component: Component) -> Bool {
    guard let text = component["condition"]?.scalar else { return false }
    return !text.isEmpty
  }

  /// The value of an added field; nil after a loss was recorded.
  private func expression(of added: Added, _ value: SourceNode) -> FlowExpression? {
    guard let text = value.scalar else {
      lose(.transformation, "the field '\(added.name)' with \(value.kindName)", needs: "a scalar", at: value)
      return nil
    }
    var expression: FlowExpression
    do throws(JinjaError) {
      expression = changed(
        try TemplateTranslator(recordNames.of(added.component)).expression(of: text), in: added.path[0])
    } catch {
      lose(.expression, "the field '\(added.name)': \(text)", needs: "a translatable text: \(error.message)", at: value)
      return nil
    }
    if expression.isDay { expression = expression.asText }
    guard draft.added[added.path[0]] == nil || !expression.text.contains(Self.source(added.path[0]).text) else {
      lose(
        .transformation,
        "the field '\(added.name)', which is added twice: its second value is computed from its first value",
        needs: "a field that is added only once", at: value)
      return nil
    }
    guard !expression.text.contains("secrets."), !(added.condition?.text.contains("secrets.") ?? false) else {
      lose(.transformation, "the field '\(added.name)' with a secret", needs: "a value that may be stored", at: value)
      return nil
    }
    return expression
  }

  /// The expression with members of `source` replaced by members of `record` for fields that earlier transformations
  /// added.
  ///
  /// - Parameter own: the field whose value is computed, which the expression cannot read
  private func changed(_ expression: FlowExpression, in own: String? = nil) -> FlowExpression {
    var result = expression
    for name in draft.added.keys.sorted() where name != own && expression.text.contains("source") {
      let (before, after) = (Self.source(name).text, FlowExpression("record", .any).member(name).text)
      result.text = result.text.ranges(of: before).reversed().reduce(into: result.text) { text, range in
        // `source.a` is also the beginning of `source.ab`.
        let next = range.upperBound < text.endIndex ? text[range.upperBound] : " "
        guard before.hasSuffix("]") || !(next.isLetter || next.isNumber || next == "_") else { return }
        text.replaceSubrange(range, with: after)
      }
    }
    return result
  }

  /// A member of the record as received.
  static func source(_ name: String) -> FlowExpression { FlowExpression("source", .any, isLookUp: true).member(name) }

  /// The value of a field before the next transformation: the value that an earlier transformation gave it, else the
  /// received value.
  func present(_ name: String) -> FlowExpression {
    if let added = draft.added[name] { return added }
    guard let path = draft.schema?[name]?.from, path.hasPrefix("$.") else { return Self.source(name) }
    return .lookUp("source" + path.dropFirst())
  }

  /// An expression for `value` if the condition is true, else for `before`.
  private static func choice(
    _ condition: FlowExpression, _ value: FlowExpression, or before: FlowExpression
  ) -> FlowExpression {
    let other = before.isLookUp && before.mayBeMissing ? "coalesce(\(before.text), null)" : before.text
    return FlowExpression(
      "\(condition.operand(.or)) ? \(value.operand(.or)) : \(other)", .any, .choice, mayBeMissing: true)
  }

  private func set(_ added: Added, _ expression: FlowExpression) {
    var expression = expression
    let name = added.name
    if let condition = added.condition { expression = Self.choice(condition, expression, or: present(name)) }
    guard let schema = draft.schema else { return change(added, expression) }
    var known = schema[name] ?? SchemaDraft.Field(name: name, type: OutputMapping(), origin: added.origin)
    known.origin = added.origin
    let isCursor = name == cursorField && !known.type.isEmpty
    // A path to a member is shorter than an expression.
    if expression.isLookUp, expression.text.hasPrefix("source."), !expression.text.contains("("),
      added.type == nil || known.type["type"] != nil, Self.isPath(expression), added.condition == nil
    {
      known.from = "$" + expression.text.dropFirst("source".count)
      if known.type.isEmpty { known.type["type"] = .scalar("json") }
      known.isOptional = true
    } else {
      if isCursor { expression = instant(expression, of: &known.type) }
      known.value = Self.computedText(expression)
      known.from = nil
      known.isOptional = expression.mayBeMissing || expression.kind == .null
      if !isCursor { known.type = Self.type(of: expression, wanted: added.type, declared: known.type) }
    }
    draft.added[name] = expression
    schema.add(known)
  }

  /// Whether a look-up has no computed names or indexes, and only names that a path can contain without quotes.
  private static func isPath(_ expression: FlowExpression) -> Bool {
    expression.text.ranges(of: "[").allSatisfy { range in
      let index = expression.text[range.upperBound...].prefix { $0 != "]" }
      return !index.isEmpty && index.allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  /// The type of a computed field: `wanted` if there is one, else the declared type, else the type of the expression.
  private static func type(
    of expression: FlowExpression, wanted: String?, declared: OutputMapping
  ) -> OutputMapping {
    let name = declared["type"]?.scalar
    var result = OutputMapping()
    let isSame =
      switch (expression.kind, wanted ?? name) {
      case (_, nil): true
      case (.string, "string"), (.integer, "integer"), (.number, "number"), (.bool, "boolean"),
        (.timestamp, "timestamp"):
        true
      default: false
      }
    // The bounds of the cursor have the type of its field, so a field that is computed from them needs a declared type.
    if let type = wanted ?? name, !isSame || expression.text.contains("cursor.") {
      result["type"] = .scalar(type)
      if type == name { (result["of"], result["fields"]) = (declared["of"], declared["fields"]) }
    }
    if result.isEmpty, [.any, .map, .list].contains(expression.kind) { result["type"] = .scalar("json") }
    if expression.kind == .null { result["type"] = .scalar("json") }
    return result
  }

  /// The computed value of the cursor's field as an instant: the expression parses the field's format, which is then
  /// removed from the type.
  private func instant(_ expression: FlowExpression, of type: inout OutputMapping) -> FlowExpression {
    guard let form = type["format"]?.scalar, expression.kind != .timestamp, type["type"]?.scalar == "timestamp",
      !expression.text.contains("cursor.")
    else {
      // Several formats are read from texts as received.
      if expression.kind == .timestamp { type["format"] = nil }
      return expression
    }
    type["format"] = nil
    let literal = FlowExpression.literal(Self.unquoted(form) ?? form).text
    if expression.isLookUp, expression.mayBeMissing {
      return FlowExpression(
        "has(\(expression.text)) ? timestamp(\(expression.text), \(literal)) : null", .timestamp, .choice,
        mayBeMissing: true)
    }
    return FlowExpression("timestamp(\(expression.text), \(literal))", .timestamp)
  }

  /// Adds a member to the records of a flow without a schema.
  private func change(_ added: Added, _ expression: FlowExpression) {
    var change = draft.keys["change"]?.mapping ?? OutputMapping()
    var members = change["add"]?.mapping ?? OutputMapping()
    members.set(added.path[0], Self.computed(expression), from: added.origin)
    change["add"] = .mapping(members)
    draft.keys.set("change", .mapping(change), from: added.origin)
    draft.added[added.path[0]] = FlowExpression("record", .any).member(added.path[0])
  }

  static func computedText(_ expression: FlowExpression) -> String {
    if expression.isLiteral, expression.kind == .string {
      return FlowTemplate(expression: expression, canBeLeftOut: false).node.scalar ?? "''"
    }
    if expression.mayBeMissing, expression.isLookUp {
      return OutputText.quoted("{{ coalesce(\(expression.text), null) }}")
    }
    return OutputText.quoted("{{ \(expression.text) }}")
  }

  private static func computed(_ expression: FlowExpression) -> OutputNode { .scalar(computedText(expression)) }

  // MARK: - Members of objects

  /// Adds a field inside an object by a jq program, if its value is a constant or a path; returns false otherwise.
  private func reshaped(_ added: Added, _ value: SourceNode) -> Bool {
    guard added.condition == nil, added.type == nil || added.type == "string", let text = value.scalar,
      draft.added[added.path[0]] == nil
    else { return false }
    let template = try? JinjaTemplate(text)
    if let constant = template?.constant {
      // Airbyte reads such a text as a number.
      let isNumber = added.type == nil && Int64(constant).map { String($0) == constant } ?? false
      reshape("\(Self.jq(added.path)) = \(isNumber ? constant : Self.jq(text: constant))", added.component)
      return true
    }
    guard added.type == nil, let only = template?.only, let chain = JinjaTranslator(names).chain(only),
      chain.root == "record", !chain.keys.isEmpty, chain.fallback == nil, draft.added[chain.keys[0]] == nil
    else { return false }
    reshape("\(Self.jq(added.path)) = \(Self.jq(chain.keys))", added.component)
    return true
  }

  /// Adds a computed member to an object of the record. Objects that are missing on its path are created.
  private func nest(_ added: Added, _ expression: FlowExpression) {
    let (name, inner) = (added.path[0], Array(added.path.dropFirst()))
    let declared = draft.schema?[name]?.type["type"]?.scalar
    guard [nil, "object", "json"].contains(declared), inner.count < 8 else {
      return lose(
        .transformation, "the field '\(added.name)'", needs: "an object that contains the field", at: added.component)
    }
    var value = expression
    if added.type == "string" { value = value.asText }
    let before = present(name)
    var whole = Self.merged(before, inner[...], value)
    if let condition = added.condition { whole = Self.choice(condition, whole, or: before) }
    guard let schema = draft.schema else { return change(added, whole) }
    var known = schema[name] ?? SchemaDraft.Field(name: name, type: OutputMapping(), origin: added.origin)
    known.origin = added.origin
    (known.value, known.from) = (Self.computedText(whole), nil)
    known.isOptional = whole.mayBeMissing
    if declared == "object", let fields = known.type["fields"]?.mapping {
      known.type["fields"] = .mapping(Self.declaring(inner[...], in: fields))
    } else {
      known.type = OutputMapping([("type", .scalar("json"))])
    }
    draft.added[name] = whole
    schema.add(known)
  }

  /// An expression for the object with a value set at a path of member names.
  private static func merged(
    _ whole: FlowExpression, _ path: ArraySlice<String>, _ value: FlowExpression
  ) -> FlowExpression {
    guard let name = path.first else { return value }
    let object = whole.mayBeMissing ? "coalesce(\(whole.text), {})" : whole.text
    let inner = merged(FlowExpression(whole.operand(.value), .any).member(name), path.dropFirst(), value)
    let text = inner.mayBeMissing ? "coalesce(\(inner.text), null)" : inner.text
    return FlowExpression("merge(\(object), {\(FlowExpression.literal(name).text): \(text)})", .map)
  }

  /// Adds a field to a declared object, so that the field is stored.
  private static func declaring(_ path: ArraySlice<String>, in fields: OutputMapping) -> OutputMapping {
    guard let name = path.first else { return fields }
    var result = fields
    let rest = path.dropFirst()
    guard !rest.isEmpty, var inner = fields[name]?.mapping, let own = inner["fields"]?.mapping else {
      if rest.isEmpty || fields[name] == nil {
        result[name] = .scalar("json?")
      }
      return result
    }
    inner["fields"] = .mapping(declaring(rest, in: own))
    result[name] = .mapping(inner)
    return result
  }
}
