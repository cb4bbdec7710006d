/// One of several sources of partitions that are used one after the other.
private enum UnionMember {
  case values(OutputNode)
  /// The flow of a parent stream, and the names that lead to the partition's value in its records.
  case flow(FlowDraft, path: [String], config: Component)
}

/// Partitions of several sources, one source after the other.
extension StreamTranslator {
  /// Translates a union of routers: each value is requested once, in the order of the routers.
  ///
  /// - Parameter batch: the number of values per request; nil for a request for each value
  mutating func union(
    _ router: Component, _ parent: ParentFlow, isOnly: Bool, batch: Int? = nil
  ) -> OutputMapping? {
    guard let field = constant(router["partition_field"], of: router), let members = members(router, field, parent),
      !members.isEmpty
    else {
      lose(
        .partitions, "partition_router: UnionPartitionRouter",
        needs: "lists and parent streams with one 'partition_field'", at: router)
      return nil
    }
    return union(members, field, at: router, isOnly: isOnly, isDistinct: true, batch: batch)
  }

  /// Translates several parent streams of one router, one after the other. Without `isDistinct`, a value that occurs in
  /// two of them is requested twice.
  ///
  /// - Parameters:
  ///   - isDistinct: whether each value is requested once
  ///   - batch: the number of values per request; nil for a request for each value
  mutating func inTurn(
    _ configs: [Component], of router: Component, _ parent: ParentFlow, isOnly: Bool, isDistinct: Bool = false,
    batch: Int? = nil
  ) -> OutputMapping? {
    let fields = Set(configs.map { constant($0["partition_field"], of: $0) })
    let options = Set(configs.map { $0["request_option"]?.digest })
    guard fields.count == 1, options.count == 1, let field = fields.first.flatMap({ $0 }),
      let members = flows(configs, field, parent)
    else {
      lose(
        .partitions, "\(configs.count) parent streams of one router",
        needs: "one 'partition_field' and one 'request_option' for all of them", at: router)
      return nil
    }
    guard let result = union(members, field, at: router, isOnly: isOnly, isDistinct: isDistinct, batch: batch) else {
      return nil
    }
    if batch == nil, let value = names.partitions[field] { option(configs[0], value) }
    return result
  }

  // MARK: - Members

  /// The sources of a union of partitions, in order; nil if one of them cannot be translated.
  private func members(_ router: Component, _ field: String, _ parent: ParentFlow) -> [UnionMember]? {
    var result: [UnionMember] = []
    for inner in router.children("partition_routers") {
      let found: [UnionMember]? =
        switch inner.type {
        case "ListPartitionRouter" where constant(inner["cursor_field"], of: inner) == field:
          list(inner).map { [.values($0)] }
        case "SubstreamPartitionRouter":
          flows(inner.children("parent_stream_configs", default: "ParentStreamConfig"), field, parent)
        case "UnionPartitionRouter" where constant(inner["partition_field"], of: inner) == field:
          members(inner, field, parent)
        default: nil
        }
      guard let found else { return nil }
      result += found
    }
    return result
  }

  private func flows(_ configs: [Component], _ field: String, _ parent: ParentFlow) -> [UnionMember]? {
    var result: [UnionMember] = []
    for config in configs {
      guard constant(config["partition_field"], of: config) == field,
        let key = constant(config["parent_key"], of: config),
        let flow = config.child("stream", default: "DeclarativeStream").flatMap(parent),
        config["lazy_read_pointer"]?.list?.isEmpty ?? true
      else { return nil }
      result.append(.flow(flow, path: Self.path(key), config: config))
    }
    return result.isEmpty ? nil : result
  }

  // MARK: - Result

  private mutating func union(
    _ members: [UnionMember], _ field: String, at router: Component, isOnly: Bool, isDistinct: Bool,
    batch: Int?
  ) -> OutputMapping? {
    var paths: Set<[String]> = []
    var flows: Set<String> = []
    var isRepeated = false
    for case .flow(let flow, let path, _) in members {
      paths.insert(path)
      isRepeated = !flows.insert(flow.name).inserted || isRepeated
    }
    guard !isRepeated else {
      lose(.partitions, "the same parent stream twice", needs: "different parent streams", at: router)
      return nil
    }
    // The field with the value has the same name in all records.
    let only = paths.count == 1 ? paths.first : nil
    let key = only.flatMap { $0.count == 1 ? $0[0] : nil } ?? FlowName.word(field)
    var parts: [OutputNode] = []
    var kinds: Set<FlowExpression.Kind> = []
    for member in members {
      switch member {
      case .values(let values):
        parts.append(.map([("values", values)]))
        kinds.insert(.any)
      case .flow(let flow, let path, let config):
        guard let kind = provide(key, path, in: flow, config) else {
          lose(
            .partitions, "the parent '\(flow.name)' of several",
            needs: "no other field '\(key)' in its records, which is the value's name in all parents", at: config)
          return nil
        }
        kinds.insert(kind)
        parts.append(.text(flow.name))
      }
    }
    var result = OutputMapping([("union", .list(parts))])
    if isDistinct { result["key"] = .text(key) }
    if let batch {
      names.partitions[field] = FlowExpression("batch.map(x, \(FlowExpression("x", .any).member(key).text))", .list)
      draft.partitions = names.partitions
      result["batch"] = .integer(batch)
      return result
    }
    let name = isOnly ? "parent" : self.name(field)
    let kind = kinds.count == 1 ? kinds.first ?? .any : .any
    names.partitions[field] = FlowExpression(FlowExpression(name, .any).member(key).text, kind)
    extras(members, name)
    draft.partitions = names.partitions
    if !isOnly { result["as"] = .text(name) }
    return result
  }

  /// Adds a field with the partition's value to the records of a parent, unless they already have such a field.
  ///
  /// - Returns: the kind of the value; nil if a different field already has the name
  private func provide(
    _ name: String, _ path: [String], in flow: FlowDraft, _ config: Component
  ) -> FlowExpression.Kind? {
    if path == [name] { return field(path, of: flow, "parent", config, isKey: true).kind }
    guard let schema = flow.schema else {
      var change = flow.keys["change"]?.mapping ?? OutputMapping()
      var added = change["add"]?.mapping ?? OutputMapping()
      let value = path.reduce(FlowExpression("record", .any)) { FlowExpression($0.member($1).text, .any) }
      guard added[name] == nil else { return nil }
      added[name] = .scalar(OutputText.quoted("{{ \(value.text) }}"))
      change["add"] = .mapping(added)
      flow.keys["change"] = .mapping(change)
      return .any
    }
    guard schema[name] == nil else { return nil }
    let known = path.count == 1 ? schema[path[0]] : nil
    var added = SchemaDraft.Field(
      name: name, type: known?.type ?? OutputMapping([("type", .scalar("json"))]), isOptional: false,
      origin: OutputMapping.Origin(config))
    added.value = known?.value
    added.from = known?.value == nil ? known?.from ?? OutputText.path(path) : nil
    schema.add(added)
    return field([name], of: flow, "parent", config, isKey: true).kind
  }

  /// Makes the `extra_fields` of the parents' records available to the expressions of the stream. Parents that are values
  /// of a list have no fields.
  private mutating func extras(_ members: [UnionMember], _ name: String) {
    for case .flow(let flow, _, let config) in members {
      for extra in config["extra_fields"]?.list ?? [] {
        guard let path = extra.texts, path.count == 1 else {
          if extra.texts?.isEmpty == false {
            lose(
              .partitions, "extra_fields of several parents: \((extra.texts ?? []).joined(separator: "."))",
              needs: "a field at the top of the records", at: config)
          }
          continue
        }
        _ = field(path, of: flow, name, config)
        names.partitions[path[0]] = FlowExpression(
          FlowExpression(name, .any).member(path[0]).text, .any, mayBeMissing: true, isLookUp: true)
      }
    }
  }
}
