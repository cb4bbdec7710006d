/// A variable that an item gives to the flow of a template.
private struct ItemVariable {
  /// The preliminary name of the variable, which identifies the mapping that uses it.
  let mark: String
  let name: String
  /// The names from an item to the value; empty for an item that is a text.
  let keys: [String]
  /// The field with the value in the flow that lists the items; nil if the items come from the configuration.
  var field: SchemaDraft.Field?
  let value: DynamicStream.Value
}

extension ManifestTranslator {
  /// The flow of a template, from which a flow for each item is generated. If a server lists the items, a flow that
  /// pulls them is added before it.
  mutating func generate(_ stream: Component, by dynamic: DynamicStream) -> FlowDraft? {
    guard Self.problem(of: stream, dynamic.name) == nil else { return flow(stream) }
    var lister: FlowDraft?
    var variables: [ItemVariable] = []
    if case .records(let listing) = dynamic.source {
      guard let (draft, fields) = list(listing, of: dynamic) else { return nil }
      (lister, variables) = (draft, fields)
    } else {
      guard let fields = fields(of: dynamic) else { return nil }
      variables = fields
    }
    variables = variables.filter { $0.value.isName } + variables.filter { !$0.value.isName }
    guard !variables.isEmpty else {
      note(.retriever, dynamic.resolver.type, "a mapping that uses 'components_values'", dynamic.resolver)
      return nil
    }
    for variable in variables { context.itemNames[variable.mark] = variable.name }
    let (lost, skipped) = (context.report.losses.count, context.report.unneeded.count)
    guard let draft = flow(stream) else { return nil }
    draft.isGenerated = true
    let noted = Set(
      context.report.losses[lost...].map(\.path) + context.report.unneeded[skipped...].map(\.path))
    let describer = describers[draft.name]
    func isUsed(_ variable: ItemVariable) -> Bool {
      [draft, describer].contains { $0?.mentions("vars.\(variable.mark)") ?? false }
    }
    noteLost(variables, of: draft, except: noted, isUsed)
    var seen: Set<String> = []
    let used = variables.filter {
      ($0.value.isName || isUsed($0) || $0.mark == variables[0].mark) && seen.insert($0.name).inserted
    }
    if let lister { lister.schema = Self.schema(of: used) }
    repeatFlow(draft, used, dynamic, lister)
    if let describer, variables.contains(where: { describer.mentions("vars.\($0.mark)") }) {
      repeatDescription(describer, of: draft)
    }
    return draft
  }

  /// Records the mappings whose values no part of the flow uses.
  private func noteLost(
    _ variables: [ItemVariable], of draft: FlowDraft, except noted: Set<String>, _ isUsed: (ItemVariable) -> Bool
  ) {
    var seen: Set<String> = []
    for variable in variables where !variable.value.isName {
      guard let value = variable.value.mapping["value"], !noted.contains(value.path),
        seen.insert(value.path).inserted,
        !variables.contains(where: { $0.value.path == variable.value.path && isUsed($0) })
      else { continue }
      draft.keys.note(
        context.lose(
          .retriever,
          "components_mapping of '\(variable.value.path.joined(separator: "."))': \(value.scalar ?? "")",
          needs: "a setting of the flow that can use a variable of the item", at: OutputMapping.Origin(value),
          flow: draft.name))
    }
  }

  /// Adds `for` with the items to a flow, and makes the path of its file different for each item.
  private func repeatFlow(
    _ draft: FlowDraft, _ used: [ItemVariable], _ dynamic: DynamicStream, _ lister: FlowDraft?
  ) {
    let origin = OutputMapping.Origin(dynamic.resolver)
    let names = used.filter { $0.value.isName }
    let shown = names.isEmpty ? Array(used.prefix(1)) : names
    var items = OutputMapping()
    if case .texts(let keys) = dynamic.source {
      guard let list = try? context.variables.look(up: keys, default: nil) else { return }
      items["values"] = .scalar(OutputText.quoted("{{ \(list.text) }}"))
      items["as"] = .scalar(used[0].mark)
    } else {
      let file = "\(lister?.name ?? "\(draft.name)_items").jsonl"
      items["file"] = .text(file)
      var paths = OutputMapping()
      for variable in used { paths[variable.mark] = .text(OutputText.path(variable.keys)) }
      items["vars"] = .mapping(paths)
      context.examples[file] = Self.example(used)
      lister?.file = .text(context.path(file))
    }
    if names.count > 1 {
      let parts = names.map { "{{ vars.\($0.mark) }}" }.joined(separator: "_")
      items["name"] = .scalar(OutputText.quoted("\(draft.name)_\(parts)"))
    }
    draft.keys.set("for", .mapping(items), from: origin)
    // A slash in a name does not begin a folder.
    let isText = lister != nil && !names.isEmpty
    let parts = shown.map { isText ? "{{ replace(vars.\($0.mark), '/', '_') }}" : "{{ vars.\($0.mark) }}" }
    draft.file = .scalar(OutputText.quoted("out/\(draft.name)-\(parts.joined(separator: "-")).jsonl"))
    if case .objects(let pointers) = dynamic.source {
      let members = used.map { "'\($0.keys.joined(separator: "."))'" }.joined(separator: ", ")
      let lists = pointers.map { "'\($0.joined(separator: "."))'" }.joined(separator: " and of ")
      draft.keys.note(
        "\(draft.name)_items.jsonl: write an object on a line for each "
          + (pointers.count > 1 ? "combination of elements of" : "element of")
          + " the configuration's \(lists), with \(members)")
    }
  }

  /// Repeats the flow that lists the fields of `draft` for the same items as `draft`.
  private func repeatDescription(_ describer: FlowDraft, of draft: FlowDraft) {
    guard let items = draft.keys["for"], let path = draft.file?.scalar else { return }
    describer.isGenerated = true
    describer.keys.set("for", items, from: describer.origin)
    let file = "\(draft.name)_fields/" + path.dropFirst("\"out/\(draft.name)-".count).dropLast()
    draft.schema?.described?["file"] = .scalar("\"\(file)\"")
    describer.file = .scalar("\"\(context.path(file))\"")
    context.examples[file.replacing(#/\{\{[^}]*\}\}/#, with: "example")] = []
  }

  // MARK: - Items that a server lists

  /// The flow that pulls the items of a resolver, and the variables that its records give; nil after a loss was
  /// recorded.
  private mutating func list(_ listing: Component, of dynamic: DynamicStream) -> (FlowDraft, [ItemVariable])? {
    if let problem = Self.problem(of: listing, "\(dynamic.name)_items") {
      note(problem.kind, problem.what, problem.needs, listing)
      return nil
    }
    let draft = FlowDraft(flowNames.next("\(dynamic.name)_items"), at: OutputMapping.Origin(dynamic.resolver))
    var translator = StreamTranslator(context: context, draft: draft, names: context.names(of: listing))
    translator.translate(listing) { flow($0, isParent: true) }
    let names = translator.recordNames.with("components_values", FlowExpression("source", .any, isLookUp: true))
    var variables: [ItemVariable] = []
    var known: [SchemaDraft.Field] = []
    for value in dynamic.values {
      guard let field = field(of: value, names.of(value.mapping)) else { return nil }
      let mark = value.placeholder
      let isText = field.type["type"]?.scalar.map { $0 == "string" } ?? true
      context.placeholders[mark] = FlowExpression("vars.\(mark)", isText ? .string : .any)
      let twin = known.first { $0.from == field.from && $0.value == field.value && $0.type == field.type }
      let name = twin?.name ?? context.variables.itemName(field.name, except: Set(known.map(\.name)))
      let named = SchemaDraft.Field(
        name: name, type: field.type, isOptional: false, value: field.value, from: field.from, origin: field.origin)
      if twin == nil { known.append(named) }
      variables.append(ItemVariable(mark: mark, name: name, keys: [name], field: named, value: value))
    }
    flows.append(draft)
    translator.grantWishes(to: known)
    return (draft, variables)
  }

  /// The field that stores the value of a mapping in the records of the flow that lists items; nil after a loss was
  /// recorded.
  private mutating func field(of value: DynamicStream.Value, _ names: JinjaNames) -> SchemaDraft.Field? {
    let origin = OutputMapping.Origin(value.mapping)
    let type = value.mapping["value_type"]?.text
    let wish = value.path.last ?? "value"
    if case .part(.expression(let expression)) = value.content,
      let path = JinjaTranslator(names).chain(expression), path.root == "components_values", !path.keys.isEmpty,
      path.fallback == nil
    {
      let plain = ["string", "integer", "number", "boolean"].contains(type) ? type : nil
      // A number that is used as a text stays a number: a part of a path or of a text is written as it is.
      return SchemaDraft.Field(
        name: FlowName.snake(path.keys.last ?? wish),
        type: OutputMapping([("type", .scalar(plain == "string" ? "json" : plain ?? "json"))]),
        isOptional: false, from: OutputText.path(path.keys), origin: origin)
    }
    do throws(JinjaError) {
      var expression: FlowExpression
      switch value.content {
      case .text(let text): expression = try TemplateTranslator(names).expression(of: text)
      case .part(let part): expression = try TemplateTranslator(names).expression(of: [part])
      }
      guard !expression.text.contains("secrets.") else {
        note(.retriever, "components_mapping of '\(wish)' with a secret", "a value that may be stored", value.mapping)
        return nil
      }
      if value.isName || expression.mayBeMissing { expression = expression.asText }
      var name = wish
      if case .part(.expression(let expression)) = value.content, let path = JinjaTranslator(names).chain(expression) {
        name = path.keys.last ?? wish
      }
      let isTyped = ![.any, .list, .map, .null].contains(expression.kind)
      return SchemaDraft.Field(
        name: FlowName.snake(name), type: isTyped ? OutputMapping() : OutputMapping([("type", .scalar("json"))]),
        isOptional: false, value: OutputText.quoted("{{ \(expression.text) }}"), origin: origin)
    } catch {
      lose(value, error)
      return nil
    }
  }

  /// Records the loss of a value of a mapping that no expression of the flow language can compute.
  private mutating func lose(_ value: DynamicStream.Value, _ error: JinjaError) {
    note(
      .expression,
      "components_mapping of '\(value.path.joined(separator: "."))': \(value.mapping["value"]?.scalar ?? "")",
      "a translatable text: \(error.message)", value.mapping)
  }

  /// The schema of the flow that lists items. It has the fields that the flows of the items use.
  private static func schema(of variables: [ItemVariable]) -> SchemaDraft {
    let schema = SchemaDraft()
    for variable in variables { if let field = variable.field { schema.add(field) } }
    return schema
  }

  // MARK: - Items of the configuration

  /// The variables of a template whose items are in the configuration; nil after a loss was recorded.
  private mutating func fields(of dynamic: DynamicStream) -> [ItemVariable]? {
    var variables: [ItemVariable] = []
    var known: [[String]: String] = [:]
    let last: String? = if case .texts(let keys) = dynamic.source { keys.last } else { nil }
    for value in dynamic.values {
      let items = ItemNames(prefix: value.placeholder, areTexts: last != nil)
      var names = JinjaNames(context.variables, value.mapping)
      names.items = items
      do throws(JinjaError) {
        switch value.content {
        case .text(let text): _ = try TemplateTranslator(names).expression(of: text)
        case .part(let part):
          context.placeholders[value.placeholder] = try TemplateTranslator(names).expression(of: [part])
        }
      } catch {
        lose(value, error)
        return nil
      }
      for use in items.uses {
        let wish = use.keys.last ?? "\(last ?? "value")_item"
        let name =
          known[use.keys] ?? context.variables.itemName(FlowName.snake(wish), except: Set(known.values))
        known[use.keys] = name
        variables.append(ItemVariable(mark: use.mark, name: name, keys: use.keys, value: value))
      }
    }
    return variables
  }

  /// An example of an item, as a line of the file that lists items.
  private static func example(_ variables: [ItemVariable]) -> [UInt8] {
    var root = OutputMapping()
    for variable in variables {
      let type = variable.field?.type["type"]?.scalar
      let value = type == "integer" || type == "number" ? "1" : type == "boolean" ? "true" : "\"example\""
      root = root.setting(value, at: variable.keys[...])
    }
    return Array(OutputNode.mapping(root).json.utf8)
  }
}

extension OutputMapping {
  /// Returns the mapping with a scalar set at a path; missing mappings on the path are added.
  fileprivate func setting(_ scalar: String, at keys: ArraySlice<String>) -> OutputMapping {
    guard let first = keys.first else { return self }
    var result = self
    result[first] =
      keys.count == 1
      ? .scalar(scalar) : .mapping((self[first]?.mapping ?? OutputMapping()).setting(scalar, at: keys.dropFirst()))
    return result
  }
}

extension OutputNode {
  /// The value as JSON; its scalars must already be JSON.
  fileprivate var json: String {
    switch self {
    case .scalar(let text): text
    case .list(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .mapping(let mapping):
      "{\(mapping.entries.map { "\(OutputText.quoted($0.name)):\($0.value.json)" }.joined(separator: ","))}"
    }
  }
}
