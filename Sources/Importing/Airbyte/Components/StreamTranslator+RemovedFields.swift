/// Fields that transformations remove from records.
extension StreamTranslator {
  func remove(_ transformation: Component) {
    if Self.hasCondition(transformation) {
      let text = transformation["condition"]?.scalar ?? ""
      let isOnValues = (try? JinjaTemplate(text))?.only?.mentions("property") ?? true
      guard !isOnValues else { return removeSome(transformation, text) }
      guard let node = transformation["condition"],
        let condition = condition(node, of: transformation, as: "condition", names: names), condition.text != "false"
      else { return }
      if condition.text != "true" { return remove(transformation, if: condition) }
    }
    for pointer in transformation["field_pointers"]?.list ?? [] {
      let path = (pointer.list ?? []).compactMap { constant($0, of: transformation) }
      guard !path.isEmpty, path.count == pointer.list?.count else {
        let written = (pointer.list ?? []).compactMap(\.scalar).joined(separator: ".")
        lose(.transformation, "RemoveFields '\(written)'", needs: "a path that is known before a run", at: pointer)
        continue
      }
      if let schema = draft.schema, schema.described == nil, path.count == 1, !path[0].contains("*") {
        // A field that is not declared is not stored.
        if !schema.key.contains(path[0]) { schema.remove(path[0]) }
        continue
      }
      if let schema = draft.schema, schema.described == nil, !path.contains(where: { $0.contains("*") }) {
        // A field that is not declared is not stored.
        guard let field = schema[path[0]], !removeDeclared(path, field, schema) else { continue }
        let isRead = field.value != nil || schema.fields.contains { $0.name != path[0] && $0.reads(path) }
        if isRead {
          removeLater(path, field, schema, at: pointer)
          continue
        }
      }
      var change = draft.keys["change"]?.mapping ?? OutputMapping()
      var paths: [OutputNode] = []
      if case .list(let known)? = change["remove"] { paths = known }
      paths.append(.text(path.contains("**") ? "$.." + (path.last { $0 != "**" } ?? "*") : OutputText.path(path)))
      change["remove"] = .list(paths)
      draft.keys.set("change", .mapping(change), from: OutputMapping.Origin(transformation))
    }
  }

  /// Removes a member from a value whose members are not declared. The field gets an expression for this, so other
  /// fields can still be computed from the removed member.
  private func removeLater(_ path: [String], _ field: SchemaDraft.Field, _ schema: SchemaDraft, at pointer: SourceNode)
  {
    guard path.count == 2, field.type["format"] == nil else {
      return lose(
        .transformation, "RemoveFields '\(path.joined(separator: "."))'",
        needs: "a removal after other fields are computed from it", at: pointer)
    }
    let value = present(path[0])
    let expression = FlowExpression(
      "type(\(value.text)) == 'map' ? without(coalesce(\(value.text), {}), \(FlowExpression.literal(path[1]).text)) "
        + ": coalesce(\(value.text), null)", .any, .choice, mayBeMissing: true)
    var field = field
    (field.value, field.from, field.isOptional) = (Self.computedText(expression), nil, true)
    if field.type.isEmpty { field.type["type"] = .scalar("json") }
    field.origin = OutputMapping.Origin(pointer)
    schema.add(field)
    draft.added[path[0]] = expression
  }

  /// Removes a member from the declared type of an object; returns false if the members of the object are not declared.
  private func removeDeclared(_ path: [String], _ field: SchemaDraft.Field, _ schema: SchemaDraft) -> Bool {
    guard field.value == nil, let type = Self.removing(path[1...], from: field.type) else { return false }
    var field = field
    field.type = type
    schema.add(field)
    return true
  }

  /// The type of an object without the member at a path; nil if its members are not declared, or if no member would be
  /// left.
  private static func removing(_ path: ArraySlice<String>, from type: OutputMapping) -> OutputMapping? {
    guard let name = path.first, var fields = type["fields"]?.mapping else { return nil }
    var type = type
    if path.count == 1 {
      guard fields[name] != nil else { return type }
      fields[name] = nil
    } else if let inner = fields[name]?.mapping {
      guard let rest = removing(path.dropFirst(), from: inner) else { return nil }
      fields[name] = .mapping(rest)
    } else {
      return fields[name] == nil ? type : nil
    }
    guard !fields.isEmpty else { return nil }
    type["fields"] = .mapping(fields)
    return type
  }

  /// Makes fields null if a condition on the configuration is true.
  private func remove(_ transformation: Component, if condition: FlowExpression) {
    for pointer in transformation["field_pointers"]?.list ?? [] {
      let path = (pointer.list ?? []).compactMap { constant($0, of: transformation) }
      guard path.count == 1, path.count == pointer.list?.count, !path[0].contains("*"), let schema = draft.schema,
        schema.described == nil, !condition.text.contains("secrets.")
      else {
        let written = (pointer.list ?? []).compactMap(\.scalar).joined(separator: ".")
        lose(
          .transformation, "RemoveFields '\(written)' on the condition \(condition.text)",
          needs: "a schema that declares the field", at: pointer)
        continue
      }
      // A field that is not declared is not stored, and a key stays.
      guard var field = schema[path[0]], !schema.key.contains(path[0]) else { continue }
      guard field.type["format"] == nil else {
        lose(
          .transformation, "RemoveFields '\(path[0])' on the condition \(condition.text)",
          needs: "a field without a format of its own", at: pointer)
        continue
      }
      let value = present(path[0])
      let kept = value.isLookUp && value.mayBeMissing ? "coalesce(\(value.text), null)" : value.operand(.or)
      let expression = FlowExpression(
        "\(condition.operand(.or)) ? null : \(kept)", .any, .choice, mayBeMissing: true)
      (field.value, field.from, field.isOptional) = (Self.computedText(expression), nil, true)
      if field.type.isEmpty { field.type["type"] = .scalar("json") }
      field.origin = OutputMapping.Origin(transformation)
      schema.add(field)
      draft.added[path[0]] = expression
    }
  }

  /// Removes members whose values meet a condition, by a program that runs before the schema is applied.
  private func removeSome(_ transformation: Component, _ text: String) {
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
          .transformation, "RemoveFields '\(whole)' on a condition",
          needs: "a path with only names, in the record as received", at: pointer)
        continue
      }
      let field = Self.jq(path)
      reshape("if ((\(field) | \(test))? // false) then del(\(field)) else . end", transformation)
    }
  }
}

extension SchemaDraft.Field {
  /// Whether the field is read from this path of the record as received, or from a value inside of the value at the
  /// path.
  fileprivate func reads(_ path: [String]) -> Bool {
    let look = "source." + path.joined(separator: ".")
    return from.map { $0 == OutputText.path(path) || $0.hasPrefix(OutputText.path(path) + ".") } ?? false
      || value?.contains(look) ?? false
  }
}
