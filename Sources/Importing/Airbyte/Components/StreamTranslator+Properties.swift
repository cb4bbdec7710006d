/// Requests that name the properties which the server should return.
extension StreamTranslator {
  /// The maximum number of property names in a batch, when an endpoint lists them.
  private static let largestBatch = 10_000

  /// Translates the property names that a requester sends, and how they are divided among several requests.
  ///
  /// Templates of the manifest use the names as `query_properties`.
  mutating func properties(_ requester: Component, of stream: Component, parent: ParentFlow) {
    let all = Self.properties(of: requester)
    guard let declared = all.first else { return }
    for other in all.dropFirst() {
      lose(.request, "a second \(other.type)", needs: "one list of properties for a request", at: other)
    }
    var list = ListedNames(always: declared["always_include_properties"]?.texts ?? [])
    if let endpoint = endpoint(of: declared) {
      guard let expression = names(from: endpoint, of: stream, parent) else { return }
      list.expression = expression
    } else {
      let texts = declared["property_list"]?.texts ?? []
      guard texts.count == declared["property_list"]?.list?.count ?? 0 else {
        return lose(.request, "property_list", needs: "a list of names", at: declared)
      }
      list.names = texts
    }
    if let selector = declared.child("property_selector") { select(selector, &list) }
    if let chunking = declared.child("property_chunking", default: "PropertyChunking"),
      let groups = groups(chunking, list, of: stream)
    {
      draft.keys.set("field_groups", .mapping(groups), from: OutputMapping.Origin(chunking))
      list = ListedNames(expression: FlowExpression("field_group", .list))
    }
    names.partitions["query_properties"] = list.whole
    draft.listedProperties = list.joined
  }

  /// The components of a requester that list properties; those in its parameters are last.
  private static func properties(of requester: Component) -> [Component] {
    ["query_properties", "fetch_properties_from_endpoint"].compactMap { requester.child($0) }
      + (requester["request_parameters"]?.members ?? []).compactMap { member in
        member.value["type"]?.text == "QueryProperties" ? requester.sibling(member.value) : nil
      }
  }

  /// The endpoint that returns the property names; nil if the manifest lists them.
  private func endpoint(of declared: Component) -> Component? {
    declared.type == "PropertiesFromEndpoint"
      ? declared : declared.child("property_list", default: "PropertiesFromEndpoint")
  }

  // MARK: - Names

  /// The expression for the names that an endpoint returns: another flow pulls them as records, and all form one batch.
  private mutating func names(
    from endpoint: Component, of stream: Component, _ parent: ParentFlow
  ) -> FlowExpression? {
    let what = "property_list: \(endpoint.type)"
    guard !endpoint.isCustom, let path = endpoint["property_field_path"]?.texts, !path.isEmpty,
      path.count == endpoint["property_field_path"]?.list?.count,
      !path.contains(where: { $0.contains("{{") || $0 == "*" }),
      let retriever = endpoint.node["retriever"]
    else {
      lose(.request, what, needs: "a retriever, and a 'property_field_path' with only names", at: endpoint)
      return nil
    }
    guard draft.keys["each"] == nil, stream["incremental_sync"] == nil else {
      lose(.request, what, needs: "a batch of names together with other parents or a cursor", at: endpoint)
      return nil
    }
    let node = endpoint.node
    let description = SourceNode(
      .mapping([
        .init(name: "type", value: node.with("DeclarativeStream")),
        .init(name: "name", value: node.with("\(draft.name)_properties")),
        .init(name: "retriever", value: retriever),
      ]), line: node.line, path: node.path)
    guard let source = parent(endpoint.sibling(description)) else {
      lose(.request, what, needs: "the flow of that endpoint", at: endpoint)
      return nil
    }
    draft.keys.set(
      "each", .map([("flow", .text(source.name)), ("batch", .integer(Self.largestBatch))]),
      from: OutputMapping.Origin(endpoint))
    let name = field(path, of: source, "x", endpoint, isKey: true)
    let text = name.kind == .string ? name.text : "string(\(name.text))"
    return FlowExpression("batch.map(x, \(text))", .list)
  }

  /// Translates a property selector: only names of fields in the schema are kept.
  private func select(_ selector: Component, _ list: inout ListedNames) {
    guard selector.type == "JsonSchemaPropertySelector", selector.children("properties_transformations").isEmpty,
      let schema = draft.schema
    else {
      return lose(
        .request, "property_selector: \(selector.type)",
        needs: "a JsonSchemaPropertySelector without properties_transformations, and a schema with the fields",
        at: selector)
    }
    let known = schema.fields.filter { $0.value == nil && $0.from == nil }.map(\.name)
    if let expression = list.expression {
      let literals = known.map { FlowExpression.literal($0).text }.joined(separator: ", ")
      list.expression = FlowExpression("\(expression.text).filter(x, x in [\(literals)])", .list)
    }
    list.names = list.names.filter(known.contains)
  }

  // MARK: - Groups

  /// The groups in which property names are requested; nil if one request contains them all, or after a loss was
  /// recorded.
  private func groups(_ chunking: Component, _ list: ListedNames, of stream: Component) -> OutputMapping? {
    guard let limit = chunking["property_limit"]?.integer, limit > 0 else { return nil }
    let countsCharacters = chunking["property_limit_type"]?.text == "characters"
    // In the manifest, each name counts with the character after it, and the names that are in each group do not count.
    func length(_ names: [String]) -> Int {
      countsCharacters ? names.reduce(0) { $0 + $1.utf8.count + 1 } : names.count
    }
    if list.expression == nil, length(list.names) <= limit { return nil }
    guard let strategy = chunking.child("record_merge_strategy", default: "GroupByKeyMergeStrategy"),
      strategy.type == "GroupByKeyMergeStrategy", let key = strategy["key"]
    else {
      lose(
        .request, "property_chunking without 'record_merge_strategy: GroupByKeyMergeStrategy'",
        needs: "a key by which the records of several requests are joined", at: chunking)
      return nil
    }
    let members = key.scalar.map { [$0] } ?? key.texts ?? []
    guard !members.isEmpty, members.allSatisfy({ isReceived($0, in: stream) }) else {
      lose(
        .request, "record_merge_strategy: \(members.joined(separator: ", "))",
        needs: "a key that the records have as received, before their transformations", at: strategy)
      return nil
    }
    var groups = OutputMapping()
    groups["fields"] =
      list.expression.map { .scalar(OutputText.quoted("{{ \($0.text) }}")) } ?? .list(list.names.map(Self.literal))
    if !list.always.isEmpty { groups["key"] = .list(list.always.map(Self.literal)) }
    if countsCharacters {
      groups["max_bytes"] = .integer(limit - 1 + length(list.always))
    } else {
      groups["max"] = .integer(limit + list.always.count)
    }
    let paths = members.map { OutputNode.text(OutputText.path([$0])) }
    groups["by"] = paths.count == 1 ? paths[0] : .list(paths)
    groups["partial"] = .scalar("keep")
    return groups
  }

  /// Whether a member has this name also in the records as received, before the transformations.
  func isReceived(_ name: String, in stream: Component) -> Bool {
    stream.children("transformations").allSatisfy { transformation in
      switch transformation.type {
      case "AddFields":
        transformation.children("fields").allSatisfy { $0["path"]?.list?.first?.scalar != name }
      case "RemoveFields": true
      case "KeysToLower": name == name.lowercased()
      case "KeysToSnakeCase": name.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 == 0x5F }
      case "KeysReplace":
        constant(transformation["old"], of: transformation).map { !$0.isEmpty && !name.contains($0) } ?? false
      default: transformation.isCustom
      }
    }
  }

  fileprivate static func literal(_ name: String) -> OutputNode { .text(OutputText.template(literal: name)) }
}

/// The property names that a request contains.
private struct ListedNames {
  var names: [String] = []
  /// The expression for the names; nil if the names are known before the run.
  var expression: FlowExpression?
  /// The names that each request contains, in addition to its own group.
  var always: [String] = []

  init(always: [String]) { self.always = always }
  init(expression: FlowExpression) { self.expression = expression }

  /// All names that are known before the run, each once.
  private var known: [String] {
    var seen: Set<String> = []
    return (always + names).filter { seen.insert($0).inserted }
  }

  private static func text(_ names: [String]) -> String {
    "[\(names.map { FlowExpression.literal($0).text }.joined(separator: ", "))]"
  }

  /// The names as an expression: a list.
  var whole: FlowExpression {
    guard let expression else { return FlowExpression(Self.text(known), .list) }
    if always.isEmpty { return expression }
    return FlowExpression("\(Self.text(always)) + \(expression.text)", .list, .sum)
  }

  /// The names with commas between them, as a value of the request.
  var joined: OutputNode {
    if expression == nil { return StreamTranslator.literal(known.joined(separator: ",")) }
    return .scalar(OutputText.quoted("{{ join(\(whole.text), ',') }}"))
  }
}
