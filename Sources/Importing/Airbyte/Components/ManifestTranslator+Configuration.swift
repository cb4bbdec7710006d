/// Rules by which the configuration is changed before it is used.
extension ManifestTranslator {
  mutating func normalize(_ rules: SourceNode) {
    for migration in rules["config_migrations"]?.list ?? [] {
      for step in migration["transformations"]?.list ?? [] {
        if isForOldConfigurations(step) {
          skip(
            "config_migrations: \(step["type"]?.text ?? "")",
            reason: "not needed: reactor has no older configurations to migrate", step)
        } else {
          apply(step)
        }
      }
    }
    for step in rules["transformations"]?.list ?? [] { apply(step) }
  }

  mutating func lose(_ what: String, needs: String, _ node: SourceNode) {
    addNote(context.lose(.configuration, what, needs: needs, at: OutputMapping.Origin(node)))
  }

  mutating func skip(_ what: String, reason: String, _ node: SourceNode) {
    context.skip(what, reason: reason, at: OutputMapping.Origin(node))
    addNote(context.masked("\(what): \(reason)"))
  }

  private var expressions: TemplateTranslator { TemplateTranslator(JinjaNames(context.variables)) }

  // MARK: - Transformations

  private mutating func apply(_ step: SourceNode) {
    do throws(JinjaError) {
      switch step["type"]?.text {
      case "ConfigAddFields": try add(step)
      case "ConfigRemapField": try remap(step)
      case "ConfigRemoveFields": try remove(step)
      case let type:
        let component = Component(step)
        guard component.isCustom else {
          return lose("config_normalization_rules: \(type ?? "a step")", needs: "a known transformation", step)
        }
        addNote(
          context.lose(
            .customCode, "config_normalization_rules: \(component.className ?? component.type)",
            needs: "its code, which is not in the manifest", at: OutputMapping.Origin(step)))
      }
    } catch {
      lose(
        "config_normalization_rules: \(step["type"]?.text ?? "")",
        needs: "variables that are computed from others: \(error.message)", step)
    }
  }

  /// The condition under which a step applies; nil for a step that always applies.
  private func condition(_ step: SourceNode) throws(JinjaError) -> FlowExpression? {
    guard let text = step["condition"]?.scalar, !text.isEmpty else { return nil }
    let found = try expressions.condition(text)
    return found.text == "true" ? nil : found
  }

  private func add(_ step: SourceNode) throws(JinjaError) {
    let condition = try condition(step)
    if condition?.text == "false" { return }
    for field in step["fields"]?.list ?? [] {
      let path = try Self.path(field["path"])
      guard let text = field["value"]?.scalar, !context.variables.isObject(path) else {
        throw JinjaError("'\(path.joined(separator: "."))' is an object, or has no value")
      }
      var value = try expressions.expression(of: text)
      if field["value_type"]?.text == "string" { value = value.asText }
      if let condition {
        let other = try context.variables.look(up: path, default: nil)
        let (one, two) = (value.kind == .null ? FlowExpression.literal("") : value, other)
        guard one.kind == two.kind || one.kind == .any || two.kind == .any else {
          throw JinjaError("'\(path.joined(separator: "."))' has another type where the condition is false")
        }
        value = FlowExpression(
          "\(condition.operand(.or)) ? \(one.operand(.or)) : \(two.text)", one.kind == .any ? two.kind : one.kind,
          .choice, mayBeEmpty: one.mayBeEmpty || two.mayBeEmpty)
      }
      context.variables.replace(path, with: value)
    }
  }

  /// Replaces a value of the configuration with the value that the step's `map` gives for it; a value that is not in
  /// `map` stays as it is.
  private func remap(_ step: SourceNode) throws(JinjaError) {
    let path = try Self.path(step["field_path"])
    let old = try context.variables.look(up: path, default: nil)
    let pairs = step["map"]?.members ?? []
    guard old.kind == .string, !pairs.isEmpty else { throw JinjaError("'map' must map texts to texts") }
    var texts: [String] = []
    for pair in pairs {
      guard let text = pair.value.scalar, !text.contains("{{") else {
        throw JinjaError("'map' must map texts to texts")
      }
      texts.append("\(FlowExpression.literal(pair.name).text): \(FlowExpression.literal(text).text)")
    }
    context.variables.replace(
      path,
      with: FlowExpression(
        "coalesce({\(texts.joined(separator: ", "))}[\(old.text)], \(old.text))", .string, mayBeEmpty: old.mayBeEmpty))
  }

  private func remove(_ step: SourceNode) throws(JinjaError) {
    let paths = try (step["field_pointers"]?.list ?? []).map { node throws(JinjaError) in try Self.path(node) }
    let declared = paths.filter { context.variables.hasDeclared($0) }
    guard !declared.isEmpty else { return }
    guard try condition(step) == nil, !declared.contains(where: { context.variables.isObject($0) }) else {
      throw JinjaError("the removed value is an object, or the removal has a condition")
    }
    for path in declared { context.variables.replace(path, with: FlowExpression("null", .null)) }
  }

  /// The names of a path; an error if the path contains expressions.
  private static func path(_ node: SourceNode?) throws(JinjaError) -> [String] {
    guard let texts = node?.texts, !texts.isEmpty, !texts.contains(where: { $0.contains("{") || $0.contains("*") })
    else {
      throw JinjaError("a path contains an expression or '*'")
    }
    return texts
  }

  // MARK: - Migrations

  /// Whether a step of a migration changes only values that the manifest no longer declares, and so does nothing here.
  private func isForOldConfigurations(_ step: SourceNode) -> Bool {
    func isOld(_ node: SourceNode?) -> Bool {
      node?.texts.map { !$0.isEmpty && !context.variables.hasDeclared($0) } ?? false
    }
    switch step["type"]?.text {
    case "ConfigRemoveFields": return (step["field_pointers"]?.list ?? []).allSatisfy { isOld($0) }
    case "ConfigRemapField": return isOld(step["field_path"])
    case "ConfigAddFields":
      guard let only = (try? JinjaTemplate(step["condition"]?.scalar ?? ""))?.only else { return false }
      return needsUndeclared(only)
    default: return false
    }
  }

  /// Whether a condition can be true only if the configuration has a value that is not declared.
  private func needsUndeclared(_ condition: JinjaExpression) -> Bool {
    switch condition {
    case .binary(let left, .and, let right): return needsUndeclared(left) || needsUndeclared(right)
    case .binary(let key, .in, let whole):
      let translator = JinjaTranslator(JinjaNames(context.variables))
      guard let path = translator.chain(whole), path.root == "config", let name = translator.constantText(key) else {
        return false
      }
      return !context.variables.hasDeclared(path.keys + [name])
    default:
      guard let path = JinjaTranslator(JinjaNames(context.variables)).chain(condition), path.root == "config",
        !path.keys.isEmpty, path.fallback == nil || path.fallback == JinjaExpression.none
      else { return false }
      return !context.variables.hasDeclared(path.keys)
    }
  }
}
