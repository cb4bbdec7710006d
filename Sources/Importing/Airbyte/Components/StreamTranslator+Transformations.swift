extension StreamTranslator {
  /// Translates the transformations of a stream, after its schema.
  func transformations(_ stream: Component) {
    for transformation in stream.children("transformations") {
      switch transformation.type {
      case "AddFields": add(transformation)
      case "RemoveFields": remove(transformation)
      case "KeysToLower": reshape("with_entries(.key |= ascii_downcase)", transformation)
      case "KeysToSnakeCase":
        reshape(
          #"walk(if type == "object" then with_entries(.key |= (\#(Self.snakeCase))) else . end)"#, transformation)
      case "KeysReplace": replaceKeys(transformation)
      case "FlattenFields": flatten(transformation)
      case "DpathFlattenFields": flattenPath(transformation)
      default: loseUnknown(transformation, as: "transformation")
      }
    }
  }

  /// A program that writes a name in lower case, with underscores between its words.
  static let snakeCase =
    #"gsub("(?<a>[a-z0-9])(?<b>[A-Z])"; "\(.a)_\(.b)") | gsub("(?<a>[A-Z])(?<b>[A-Z][a-z])"; "\(.a)_\(.b)")"#
    + #" | gsub("[^A-Za-z0-9]+"; "_") | ascii_downcase"#

  private func hasCondition(_ component: Component) -> Bool {
    guard let text = component["condition"]?.scalar else { return false }
    return !text.isEmpty
  }

  // MARK: - Fields

  private func add(_ transformation: Component) {
    var condition: FlowExpression?
    if hasCondition(transformation), let node = transformation["condition"] {
      guard let found = self.condition(node, of: transformation, as: "condition", names: recordNames) else { return }
      condition = found.text == "true" ? nil : found
    }
    for field in transformation.children("fields", default: "AddedFieldDefinition") {
      let path = (field["path"]?.list ?? []).compactMap { constant($0, of: field) }
      guard let value = field["value"], !path.isEmpty, path.count == field["path"]?.list?.count else {
        lose(
          .transformation, "a field added at a path with expressions", needs: "a name that is known before the run",
          at: field)
        continue
      }
      guard path.count == 1 else {
        nested(path, value, field, condition)
        continue
      }
      addField(path[0], value, field, condition)
    }
  }

  private func addField(_ name: String, _ value: SourceNode, _ field: Component, _ condition: FlowExpression?) {
    let type: String? =
      switch field["value_type"]?.text {
      case "string": "string"
      case "integer": "integer"
      case "number": "number"
      case "boolean": "boolean"
      default: nil
      }
    guard let text = value.scalar else {
      lose(.transformation, "the field '\(name)' with \(value.kindName)", needs: "a scalar", at: value)
      return
    }
    var expression: FlowExpression
    do throws(JinjaError) { expression = try TemplateTranslator(recordNames.of(field)).expression(of: text) } catch {
      lose(.expression, "the field '\(name)': \(text)", needs: "a counterpart: \(error.message)", at: value)
      return
    }
    if let condition {
      expression = FlowExpression(
        "\(condition.operand(.or)) ? \(expression.operand(.or)) : source.\(name)", .any, .choice, mayBeMissing: true)
      if let lookUp = Optional(FlowExpression("source", .any).member(name)) {
        expression.text = expression.text.replacing(": source.\(name)", with: ": coalesce(\(lookUp.text), null)")
      }
    }
    guard !expression.text.contains("secrets.") else {
      return lose(.transformation, "the field '\(name)' with a secret", needs: "a value that may be stored", at: value)
    }
    // A path to a member is shorter than an expression.
    let origin = OutputMapping.Origin(field)
    guard let schema = draft.schema else {
      var change = draft.keys["change"]?.mapping ?? OutputMapping()
      var added = change["add"]?.mapping ?? OutputMapping()
      added.set(name, Self.computed(expression), from: origin)
      change["add"] = .mapping(added)
      draft.keys.set("change", .mapping(change), from: origin)
      return
    }
    var known = schema[name] ?? SchemaDraft.Field(name: name, type: OutputMapping(), origin: origin)
    known.origin = origin
    if expression.isLookUp, expression.text.hasPrefix("source."), !expression.text.contains("("),
      type == nil || known.type["type"] != nil,
      !expression.text.contains("['"), condition == nil
    {
      known.from = "$" + expression.text.dropFirst("source".count)
      if known.type.isEmpty { known.type["type"] = .scalar("json") }
      known.isOptional = true
    } else {
      known.value = Self.computedText(expression)
      known.isOptional = expression.mayBeMissing || expression.kind == .null
      let declared = known.type["type"]?.scalar
      let inner = known.type
      known.type = OutputMapping()
      let isSame =
        switch (expression.kind, type ?? declared) {
        case (_, nil): true
        case (.string, "string"), (.integer, "integer"), (.number, "number"), (.bool, "boolean"),
          (.timestamp, "timestamp"):
          true
        default: false
        }
      // The type of the cursor's bounds is that of its field, so a field that has them needs a type of its own.
      if let type = type ?? declared, !isSame || expression.text.contains("cursor.") {
        known.type["type"] = .scalar(type)
        if type == declared { (known.type["of"], known.type["fields"]) = (inner["of"], inner["fields"]) }
      }
      if known.type.isEmpty, expression.kind == .any || expression.kind == .map || expression.kind == .list {
        known.type["type"] = .scalar("json")
      }
      if expression.kind == .null { known.type["type"] = .scalar("json") }
    }
    schema.add(known)
  }

  private static func computedText(_ expression: FlowExpression) -> String {
    if expression.isLiteral, expression.kind == .string {
      return FlowTemplate(expression: expression, canBeLeftOut: false).node.scalar ?? "''"
    }
    if expression.mayBeMissing, expression.isLookUp {
      return OutputText.quoted("{{ coalesce(\(expression.text), null) }}")
    }
    return OutputText.quoted("{{ \(expression.text) }}")
  }

  private static func computed(_ expression: FlowExpression) -> OutputNode { .scalar(computedText(expression)) }

  /// A field inside an object: a program sets it, when its value is a plain one.
  private func nested(_ path: [String], _ value: SourceNode, _ field: Component, _ condition: FlowExpression?) {
    guard condition == nil, let text = value.scalar else {
      lose(
        .transformation, "the field '\(path.joined(separator: "."))'", needs: "a computed member of an object",
        at: field)
      return
    }
    let template = try? JinjaTemplate(text)
    if let constant = template?.constant {
      let quoted = constant.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      return reshape("\(Self.jq(path)) = \"\(quoted)\"", field)
    }
    if let only = template?.only, let chain = JinjaTranslator(names).chain(only), chain.root == "record",
      !chain.keys.isEmpty,
      chain.fallback == nil
    {
      return reshape("\(Self.jq(path)) = \(Self.jq(chain.keys))", field)
    }
    lose(
      .transformation, "the field '\(path.joined(separator: "."))': \(text)", needs: "a computed member of an object",
      at: field)
  }

  private func remove(_ transformation: Component) {
    if hasCondition(transformation) { return removeSome(transformation) }
    for pointer in transformation["field_pointers"]?.list ?? [] {
      let path = (pointer.list ?? []).compactMap(\.scalar)
      guard !path.isEmpty, !path.contains(where: { $0.contains("{{") }) else {
        lose(
          .transformation, "RemoveFields '\(path.joined(separator: "."))'", needs: "a path of names", at: pointer)
        continue
      }
      if let schema = draft.schema, schema.described == nil, path.count == 1, !path[0].contains("*") {
        // A field that is not declared is not stored.
        if !schema.key.contains(path[0]) { schema.remove(path[0]) }
        continue
      }
      var change = draft.keys["change"]?.mapping ?? OutputMapping()
      var paths: [OutputNode] = []
      if case .list(let known)? = change["remove"] { paths = known }
      paths.append(.text(path.contains("**") ? "$.." + (path.last { $0 != "**" } ?? "*") : OutputText.path(path)))
      change["remove"] = .list(paths)
      draft.keys.set("change", .mapping(change), from: OutputMapping.Origin(transformation))
    }
  }

  /// Removes members whose values meet a condition: a program does it, before the record has its schema.
  private func removeSome(_ transformation: Component) {
    let text = transformation["condition"]?.scalar ?? ""
    for pointer in transformation["field_pointers"]?.list ?? [] {
      let path = (pointer.list ?? []).compactMap { constant($0, of: transformation) }
      let whole = path.joined(separator: ".")
      guard let test = PropertyCondition.jq(text) else {
        lose(
          .transformation, "RemoveFields '\(whole)' on a condition: \(text)", needs: "a condition on 'property' alone",
          at: pointer)
        continue
      }
      if path == ["**"] {
        let members = "with_entries(select(.value | \(test) | not))"
        reshape("walk(if type == \"object\" then \(members) else . end)", transformation)
        continue
      }
      let isComputed = path.first.map { draft.schema?[$0]?.value != nil } ?? true
      guard !isComputed, path.count == pointer.list?.count, !path.contains(where: { $0.contains("*") }) else {
        lose(
          .transformation, "RemoveFields '\(whole)' on a condition", needs: "a path of names of the record as received",
          at: pointer)
        continue
      }
      let field = Self.jq(path)
      reshape("if ((\(field) | \(test))? // false) then del(\(field)) else . end", transformation)
    }
  }

  // MARK: - Programs

  /// Adds a program that gets each record.
  func reshape(_ program: String, _ component: Component) {
    var whole = program
    if let known = draft.keys["reshape"]?.mapping?["each"]?.scalar, let text = Self.unquoted(known) {
      whole = "\(text) | \(program)"
    }
    draft.keys.set(
      "reshape", .map([("each", .scalar(OutputText.quoted(whole)))]), from: OutputMapping.Origin(component))
  }

  private static func unquoted(_ text: String) -> String? {
    guard text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }

  private func replaceKeys(_ transformation: Component) {
    guard let old = constant(transformation["old"], of: transformation),
      let new = constant(transformation["new"], of: transformation),
      !old.isEmpty
    else {
      lose(.transformation, "KeysReplace", needs: "texts that are known before the run", at: transformation)
      return
    }
    func text(_ value: String) -> String { "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
    reshape(
      "walk(if type == \"object\" then with_entries(.key |= (split(\(text(old))) | join(\(text(new))))) else . end)",
      transformation)
  }

  private func flatten(_ transformation: Component) {
    let test =
      transformation["flatten_lists"]?.bool == false ? "type == \"object\"" : "type == \"object\" or type == \"array\""
    // A member of an inner object has its own name, and the whole path where that name is taken.
    let inner = "(if type == \"array\" then to_entries | map({key: (.key | tostring), value}) else to_entries end)[]"
    let program =
      "def inner($path): \(inner) | .key as $key | .value as $value"
      + " | if ($value | \(test)) and ($value | length) > 0 then ($value | inner($path + [$key])) else {path: ($path + [$key]), $value} end;"
      + " reduce inner([]) as $leaf ({}; ($leaf.path | last) as $name"
      + " | .[if has($name) then $leaf.path | join(\".\") else $name end] = $leaf.value)"
    reshape(program, transformation)
  }

  private func flattenPath(_ transformation: Component) {
    let path = transformation["field_path"]?.texts ?? []
    guard !path.isEmpty, !path.contains(where: { $0 == "*" || $0.contains("{{") }) else {
      lose(
        .transformation, "DpathFlattenFields '\(path.joined(separator: "."))'", needs: "a path of names",
        at: transformation)
      return
    }
    let field = Self.jq(path)
    var inner = field
    if let keys = transformation.child("key_transformation") {
      func text(_ name: String) -> String {
        let value = keys[name]?.scalar ?? ""
        return "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      inner = "(\(field) | with_entries(.key |= \(text("prefix")) + . + \(text("suffix"))))"
    }
    var program = ""
    if transformation["replace_record"]?.bool == true {
      program = inner
    } else if transformation["delete_origin_value"]?.bool == true {
      program = "\(inner) as $inner | del(\(field)) + $inner"
    } else {
      program = ". + \(inner)"
    }
    reshape("if (\(field) | type) == \"object\" then \(program) else . end", transformation)
  }
}
