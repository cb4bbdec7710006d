extension StreamTranslator {
  /// Returns the flow of a parent stream, as a draft whose schema a child may extend.
  typealias ParentFlow = (Component) -> FlowDraft?

  /// Translates the partition routers of a retriever into `each`.
  mutating func partitions(_ retriever: Component, parent: ParentFlow) {
    let routers = retriever.children("partition_router")
    guard !routers.isEmpty else { return }
    var parts: [OutputMapping] = []
    for router in routers {
      guard let part = part(router, parent, isOnly: routers.count == 1) else { continue }
      parts.append(part)
    }
    guard !parts.isEmpty else { return }
    let origin = OutputMapping.Origin(routers[0])
    if parts.count == 1 {
      let isShort = parts[0].items.count == 1 && parts[0]["flow"] != nil
      draft.keys.set("each", isShort ? parts[0]["flow"] ?? .mapping(parts[0]) : .mapping(parts[0]), from: origin)
    } else {
      draft.keys.set("each", .list(parts.map { .mapping($0) }), from: origin)
    }
  }

  private mutating func part(_ router: Component, _ parent: ParentFlow, isOnly: Bool) -> OutputMapping? {
    switch router.type {
    case "ListPartitionRouter": return values(router)
    case "SubstreamPartitionRouter": return substream(router, parent, isOnly: isOnly)
    case "GroupingPartitionRouter": return group(router, parent, isOnly: isOnly)
    case "UnionPartitionRouter": return union(router, parent, isOnly: isOnly)
    default:
      loseUnknown(router, as: "partition_router")
      return nil
    }
  }

  /// A name for `each` that is neither used yet nor reserved.
  func name(_ wish: String) -> String {
    let reserved: Set<String> = [
      "vars", "secrets", "env", "page", "cursor", "record", "source", "response", "headers", "status", "last", "token",
      "result", "field_group",
      "batch", "in", "true", "false", "null", "x",
    ]
    let word = FlowName.word(wish)
    var result = reserved.contains(word) ? word + "_value" : word
    var number = 2
    while !draft.eachNames.insert(result).inserted {
      result = "\(word)_\(number)"
      number += 1
    }
    return result
  }

  // MARK: - Lists

  private mutating func values(_ router: Component) -> OutputMapping? {
    guard let field = constant(router["cursor_field"], of: router), let values = list(router) else {
      if router["cursor_field"] == nil {
        lose(.partitions, "partition_router: ListPartitionRouter", needs: "'values' and 'cursor_field'", at: router)
      }
      return nil
    }
    let name = name(field)
    let expression = FlowExpression(name, .any)
    names.partitions[field] = expression
    draft.partitions[field] = expression
    option(router, expression)
    return OutputMapping([("values", values), ("as", .text(name))])
  }

  /// The values of a list of partitions.
  func list(_ router: Component) -> OutputNode? {
    guard let node = router["values"] else {
      lose(.partitions, "partition_router: ListPartitionRouter", needs: "'values' and 'cursor_field'", at: router)
      return nil
    }
    if let elements = node.list {
      var seen: Set<String> = []
      let nodes = elements.compactMap { value($0, of: router, as: "values") }.filter {
        seen.insert($0.scalar ?? "").inserted
      }
      guard !nodes.isEmpty else {
        lose(.partitions, "partition_router: an empty list", needs: "values", at: node)
        return nil
      }
      return .list(nodes)
    } else {
      guard let text = node.scalar else { return nil }
      do throws(JinjaError) {
        let value = try TemplateTranslator(names.of(router)).expression(of: text)
        switch value.kind {
        case .list, .any: return .scalar(OutputText.quoted("{{ \(value.text) }}"))
        default:
          lose(.partitions, "values: \(text)", needs: "a list", at: node)
          return nil
        }
      } catch {
        lose(.expression, "values: \(text)", needs: "a translatable text: \(error.message)", at: node)
        return nil
      }
    }
  }

  /// Records the part of the request into which the value of a partition is put later.
  func option(_ component: Component, _ expression: FlowExpression) {
    guard let option = component.child("request_option", default: "RequestOption"), let target = target(option) else {
      return
    }
    draft.options.append((expression, target, option))
  }

  // MARK: - Parents

  private mutating func substream(_ router: Component, _ parent: ParentFlow, isOnly: Bool) -> OutputMapping? {
    let configs = router.children("parent_stream_configs", default: "ParentStreamConfig")
    guard let config = configs.first else {
      lose(.partitions, "partition_router: SubstreamPartitionRouter", needs: "a parent stream", at: router)
      return nil
    }
    if configs.count > 1 { return inTurn(configs, of: router, parent, isOnly: isOnly) }
    return substream(config, parent, isOnly: isOnly, batch: nil)
  }

  mutating func substream(
    _ config: Component, _ parent: ParentFlow, isOnly: Bool, batch: Int?
  ) -> OutputMapping? {
    guard let stream = config.child("stream", default: "DeclarativeStream"),
      let keyText = constant(config["parent_key"], of: config),
      let field = constant(config["partition_field"], of: config)
    else {
      lose(.partitions, "parent_stream_configs", needs: "'stream', 'parent_key' and 'partition_field'", at: config)
      return nil
    }
    guard let source = parent(stream) else {
      lose(
        .partitions, "the parent stream '\(stream["name"]?.scalar ?? "")'", needs: "the flow of that stream", at: config
      )
      return nil
    }
    let name = batch != nil ? "batch" : isOnly ? "parent" : name(source.name)
    var result = OutputMapping([("flow", .text(source.name))])
    if !isOnly { result["as"] = .text(name) }
    if let batch { result["batch"] = .integer(batch) }
    let path = Self.path(keyText)
    let element = batch == nil ? name : "x"
    var expression = self.field(path, of: source, element, config, isKey: true)
    if batch != nil { expression = FlowExpression("batch.map(x, \(expression.text))", .list) }
    names.partitions[field] = expression
    for extra in config["extra_fields"]?.list ?? [] {
      guard let path = extra.texts, !path.isEmpty, batch == nil else { continue }
      let found = self.field(path, of: source, name, config)
      names.partitions[path.joined(separator: ".")] = found
      if path.count > 1, names.partitions[path[path.count - 1]] == nil {
        names.partitions[path[path.count - 1]] = found
      }
    }
    if batch == nil { grandparents(of: source, name) }
    draft.partitions = names.partitions
    option(config, expression)
    if config["lazy_read_pointer"]?.list?.isEmpty == false {
      lose(.partitions, "lazy_read_pointer", needs: "records that are read from the parent's record", at: config)
    }
    draft.followsChanges =
      draft.followsChanges || (config["incremental_dependency"]?.bool ?? false) && source.schema?.key.isEmpty == false
    return result
  }

  /// The member names in a `parent_key`, which are separated by `/` or `.`.
  static func path(_ key: String) -> [String] {
    let path = key.split(separator: key.contains("/") ? "/" : ".").map(String.init)
    return path.isEmpty ? [key] : path
  }

  /// The expression for a field of the parent's record; the field is added to the parent's schema if it is missing
  /// there.
  func field(
    _ path: [String], of source: FlowDraft, _ element: String, _ config: Component, isKey: Bool = false
  ) -> FlowExpression {
    guard let schema = source.schema else {
      return path.reduce(FlowExpression(element, .any)) {
        FlowExpression($0.member($1).text, .any)
      }
    }
    let whole = path.joined(separator: ".")
    // A member of an object becomes a field of its own, so that every record has it.
    let name = schema[whole] != nil || path.count == 1 ? whole : path.joined(separator: "_")
    if schema[name] == nil {
      var field = SchemaDraft.Field(
        name: name, type: OutputMapping([("type", .scalar("json"))]), origin: OutputMapping.Origin(config))
      if path.count > 1 { field.from = OutputText.path(path) }
      schema.add(field)
    }
    if isKey { schema[name]?.isOptional = false }
    let isOptional = schema[name]?.isOptional ?? true
    let kind: FlowExpression.Kind =
      switch schema[name]?.type["type"]?.scalar {
      case "string"?, "date"?: .string
      case "integer"?: .integer
      case "number"?: .number
      case "boolean"?: .bool
      case "timestamp"?: .timestamp
      default: .any
      }
    return FlowExpression(
      FlowExpression(element, .any).member(name).text, kind, mayBeMissing: isOptional, isLookUp: isOptional)
  }

  /// Makes the values of the parent's own partitions available to the child: if the child uses one, the parent's
  /// records get it as a field.
  private mutating func grandparents(of source: FlowDraft, _ name: String) {
    for (field, value) in source.partitions.sorted(by: { $0.key < $1.key }) where !field.contains(".") {
      let word = FlowName.word(field) + "_of_parent"
      let text = "\(name).\(word)"
      names.partitions["parent_slice.\(field)"] = FlowExpression(text, .any)
      draft.wishes.append(FlowDraft.Wish(text: text, source: source, field: word, value: value))
    }
  }

  /// Adds the fields to the records of parents that the flow turned out to use.
  ///
  /// - Parameter fields: fields that are added to the flow's schema later
  func grantWishes(to fields: [SchemaDraft.Field] = []) {
    for wish in draft.wishes {
      let schema =
        draft.schema?.node.mentions(wish.text) ?? false || fields.contains { $0.value?.contains(wish.text) ?? false }
      guard draft.uses(wish.text) || schema || OutputNode.mapping(draft.keys).mentions(wish.text) else { continue }
      let value = OutputText.quoted("{{ \(wish.value.text) }}")
      if let schema = wish.source.schema {
        var field = SchemaDraft.Field(name: wish.field, type: OutputMapping())
        field.value = value
        field.isOptional = false
        if wish.value.kind == .any { field.type["type"] = .scalar("json") }
        schema.add(field)
      } else {
        var change = wish.source.keys["change"]?.mapping ?? OutputMapping()
        var added = change["add"]?.mapping ?? OutputMapping()
        added[wish.field] = .scalar(value)
        change["add"] = .mapping(added)
        wish.source.keys["change"] = .mapping(change)
      }
    }
  }

  /// Puts the values of partitions into the parts of the request that were recorded for them.
  func injectPartitions() {
    for (expression, target, option) in draft.options { injectSlice(expression, into: target, at: option) }
  }
}
