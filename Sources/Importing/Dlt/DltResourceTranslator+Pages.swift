extension DltResourceTranslator {
  /// Translates `data_selector`, the path of the records in the response.
  func records() {
    if let node = resource.endpoint("data_selector"), let path = selector {
      draft.keys.set("records", .text(path.text), from: OutputMapping.Origin(node))
      guard path.steps == nil, !path.endsInElements else { return }
      lose(
        .records, "data_selector: \(path.text)",
        "a path to one list, or to its elements: dlt uses the elements of a single list, a flow the list itself",
        node)
    } else if !isSingleEntity {
      lose(
        .records, "data_selector",
        "the path of the records, which dlt guesses from each response; here the response itself is the list",
        resource.node)
    }
  }

  /// The path of the records; nil if it is not declared, so that dlt guesses it from each response.
  private var selector: DltPath? { resource.endpoint("data_selector")?.filled.map { DltPath($0) } }

  /// Whether the path ends with a placeholder such as an id, so that the response is one record.
  private var isSingleEntity: Bool {
    let last = (resource.path.scalar ?? "").split(separator: "/").last ?? ""
    return last.hasPrefix("{") && last.hasSuffix("}") && !last.hasPrefix("{{")
  }

  /// Translates the paginator.
  func pages() {
    let node = resource.endpoint("paginator") ?? client?["paginator"]
    guard let node, !node.isNull else {
      if isSingleEntity { return draft.keys["pages"] = .scalar("none") }
      return auto(resource.node)
    }
    if DltTranslator.isObject(node) {
      return lose(.customCode, "paginator", "its settings instead of a Python object", node)
    }
    let kind = node.text ?? node["type"]?.text ?? "auto"
    var pages = OutputMapping()
    switch kind {
    case "auto": return auto(node)
    case "single_page": return draft.keys.set("pages", .scalar("none"), from: OutputMapping.Origin(node))
    case "json_link", "json_response":
      pages["by"] = .scalar("next_url")
      let path = DltPath(node["next_url_path"]?.filled ?? "next")
      guard !isInRecords(path, "next_url_path", node) else { return }
      pages["from"] = .text(path.text)
      pages["missing"] = .scalar("end")
    case "header_link":
      let relation = node["links_next_key"]?.filled ?? "next"
      guard relation != "next" else {
        return draft.keys.set("pages", .scalar("link"), from: OutputMapping.Origin(node))
      }
      pages["by"] = .scalar("link")
      pages["from"] = .text(relation)
    case "header_cursor":
      pages["by"] = .scalar("cursor")
      pages["from"] = .text("headers.\(node["cursor_key"]?.filled ?? "next")")
      pages["query"] = .text(node["cursor_param"]?.filled ?? "cursor")
    case "cursor":
      pages["by"] = .scalar("cursor")
      let path = DltPath(node["cursor_path"]?.filled ?? "cursors.next")
      if let last = path.inLastRecord(of: selector ?? DltPath("$")) {
        pages["from_last"] = .text(last)
      } else {
        guard !isInRecords(path, "cursor_path", node) else { return }
        pages["from"] = .text(path.text)
      }
      place(node, "cursor_param", "cursor_body_path", fallback: "cursor", in: &pages)
      if let more = node["has_more_path"]?.filled { pages["more"] = .text(DltPath(more).text) }
      if node["stop_after_empty_page"]?.bool ?? false { pages["stop"] = .scalar("page.records == 0") }
      pages["missing"] = .scalar("end")
    case "page_number": number(node, &pages)
    case "offset": offset(node, &pages)
    default: return lose(.pages, "paginator: \(kind)", "a known paginator", node)
    }
    guard pages["query"] != nil || pages["body"] != nil || ["next_url", "link"].contains(pages["by"]?.scalar ?? "")
    else {
      return lose(.pages, "paginator: \(kind)", "a parameter or a member of the body for the page", node)
    }
    if let name = pages["query"]?.scalar { draft.query[name] = nil }
    draft.keys.set("pages", .mapping(pages), from: OutputMapping.Origin(node))
  }

  /// Returns true, and reports the path as not imported, when it leads into the records. Of the records of a page, a flow
  /// can use only the last one for paging.
  private func isInRecords(_ path: DltPath, _ name: String, _ node: SourceNode) -> Bool {
    guard path.isIn(selector ?? DltPath("$")) else { return false }
    lose(
      .pages, "paginator: \(name) \(path.text)", "a path outside of the records, or a path into the last record", node)
    return true
  }

  private func auto(_ node: SourceNode) {
    lose(
      .pages, "paginator: auto",
      "a paging strategy, which dlt guesses from each response; 'reactor init URL' can guess it",
      node)
  }

  /// Declares the parameter, or the member of the body, that contains the number, the offset or the token of the page.
  private func place(
    _ node: SourceNode, _ parameter: String, _ path: String, fallback: String, in pages: inout OutputMapping
  ) {
    if let path = node[path]?.filled {
      pages["body"] = .text(DltPath(path).text)
      if case .none = draft.body { draft.body = .json(OutputMapping()) }
    } else {
      pages["query"] = .text(node[parameter]?.filled ?? fallback)
    }
  }

  private func number(_ node: SourceNode, _ pages: inout OutputMapping) {
    pages["by"] = .scalar("page")
    let first = (node["page"] ?? node["base_page"])?.integer ?? 0
    place(node, "page_param", "page_body_path", fallback: "page", in: &pages)
    if first != 1 { pages["start"] = .integer(first) }
    let more = node["has_more_path"]?.filled
    if let more { pages["more"] = .text(DltPath(more).text) }
    let skipped = first - (node["base_page"]?.integer ?? 0)
    var ends: [String] = []
    if more == nil, let path = total(node) {
      // The total counts the pages before the first one, too.
      if skipped == 0 {
        pages["count"] = .text(path.text)
      } else if let total = totalValue(path, node) {
        ends.append("\(Self.sum("page.number", skipped)) >= \(total)")
      }
    }
    if let maximum = node["maximum_page"]?.integer { ends.append("page.number >= \(max(1, maximum - first))") }
    stop(ends, &pages)
    emptyPages(node, pages)
  }

  private func offset(_ node: SourceNode, _ pages: inout OutputMapping) {
    pages["by"] = .scalar("offset")
    let (first, limit) = (
      (node["offset"] ?? node["initial_offset"])?.integer ?? 0, (node["limit"] ?? node["initial_limit"])?.integer
    )
    place(node, "offset_param", "offset_body_path", fallback: "offset", in: &pages)
    if first != 0 { pages["start"] = .integer(first) }
    if let limit, limit > 0 {
      if let path = node["limit_body_path"]?.filled {
        do throws(JinjaError) {
          try draft.inject(.integer(limit), into: .json(DltPath(path).names), from: OutputMapping.Origin(node))
        } catch {
          lose(.pages, "limit_body_path", "a body that allows it: \(error.message)", node)
        }
      } else {
        let name = node["limit_param"]?.filled ?? "limit"
        pages["size"] = .integer(limit)
        pages["size_query"] = .text(name)
        draft.query[name] = nil
      }
    }
    let more = node["has_more_path"]?.filled
    if let more { pages["more"] = .text(DltPath(more).text) }
    var ends: [String] = []
    var maximum: Int?
    if let limit, limit > 0, let given = node["maximum_offset"]?.integer, given < 1 << 40 {
      maximum = max(1, (given - first + limit - 1) / limit)
    }
    if more == nil, let path = total(node) {
      if first == 0, maximum == nil {
        draft.keys.set("expect", .map([("total", .text(path.text))]), from: OutputMapping.Origin(node))
      } else if let limit, limit > 0, let total = totalValue(path, node) {
        // Only a part of the records that the total counts is requested.
        ends.append("\(Self.sum("page.number * \(limit)", first)) >= \(total)")
      }
    }
    if let maximum { ends.append("page.number >= \(maximum)") }
    stop(ends, &pages)
    emptyPages(node, pages)
  }

  private func stop(_ conditions: [String], _ pages: inout OutputMapping) {
    if !conditions.isEmpty { pages["stop"] = .scalar(OutputText.expression(conditions.joined(separator: " || "))) }
  }

  private static func sum(_ left: String, _ right: Int) -> String {
    right == 0 ? left : right < 0 ? "\(left) - \(-right)" : "\(left) + \(right)"
  }

  /// The expression for the total that the response contains; records a loss if its path leads to several values.
  private func totalValue(_ path: DltPath, _ node: SourceNode) -> String? {
    if let look = path.look(in: FlowExpression("response", .any)), path.steps != [] { return "int(\(look.text))" }
    lose(.pages, "paginator: total_path \(path.text)", "the path of one value", node)
    return nil
  }

  /// The path of the total: `total` if it is not declared, nil if it is null.
  private func total(_ node: SourceNode) -> DltPath? {
    guard let path = node["total_path"] else { return DltPath("total") }
    return path.filled.map { DltPath($0) }
  }

  private func emptyPages(_ node: SourceNode, _ pages: OutputMapping) {
    guard node["stop_after_empty_page"]?.bool == false, pages["count"] == nil, draft.keys["expect"] == nil,
      pages["more"] == nil
    else { return }
    lose(.pages, "stop_after_empty_page: false", "requests after an empty page, which ends the pull of a flow", node)
  }

  // MARK: - Responses

  /// Translates the actions for responses.
  func errors() {
    var rules: [OutputNode] = []
    for action in resource.endpoint("response_actions")?.list ?? [] {
      guard let verb = action["action"]?.text, !DltTranslator.isObject(action), action.members != nil,
        ["ignore", "raise"].contains(verb)
      else {
        let isCode =
          DltTranslator.isObject(action)
          || action["action"].map { $0.text == nil || DltTranslator.isObject($0) } ?? true
        lose(
          isCode ? .customCode : .errors, "response_actions: \(isCode ? "a function" : action["action"]?.scalar ?? "")",
          isCode ? "'errors' instead of its code, which is not run" : "'ignore' or 'raise'", action)
        continue
      }
      var conditions: [String] = []
      if let status = action["status_code"]?.integer { conditions.append("status == \(status)") }
      if let content = action["content"]?.filled {
        guard let text = DltText.fragment(content) else {
          lose(
            .errors, "response_actions: content",
            "a text that occurs in a JSON response, with complete texts in quotes",
            action)
          continue
        }
        conditions.append("contains(to_json(response), \(FlowExpression.literal(text).text))")
      }
      guard !conditions.isEmpty else {
        lose(.errors, "response_actions: \(verb)", "'status_code' or 'content'", action)
        continue
      }
      rules.append(
        .map([
          ("when", .scalar(OutputText.expression(conditions.joined(separator: " && ")))),
          ("do", .scalar(verb == "ignore" ? "skip" : "fail")),
        ]))
    }
    guard !rules.isEmpty else { return }
    draft.keys.set("errors", .list(rules), from: resource.endpoint("response_actions").map { OutputMapping.Origin($0) })
  }

  // MARK: - Other settings

  private static let tables: Set<String> = [
    "table_name", "max_table_nesting", "schema_contract", "table_format", "file_format", "references", "nested_hints",
    "parent", "parent_table_name", "root_key", "section",
  ]

  /// Records the settings that cannot be translated.
  func others() {
    for member in resource.keys {
      switch member.name {
      case "name", "endpoint", "write_disposition", "primary_key", "include_from_parent", "auth": break
      case "columns": columns(member.value)
      case "processing_steps":
        for step in member.value.list ?? [] {
          let names = (step.members ?? []).map(\.name).joined(separator: ", ")
          lose(
            .customCode, "processing_steps: \(names.isEmpty ? "a function" : names)",
            "'where', 'change' or 'reshape' instead of its code, which is not run", step)
        }
      case "selected":
        guard member.value.bool == false else { break }
        draft.tags = ["unselected"]
        skip(
          "selected: false", "the flow has the tag 'unselected': leave it out with -s '!tag:unselected'",
          member.value)
      case "parallelized": skip(member.name, "flows run in parallel by default", member.value)
      case "merge_key":
        lose(.incremental, "merge_key", "a merge of groups of records; a flow merges by its key", member.value)
      case _ where Self.tables.contains(member.name):
        skip(
          member.name, "it describes tables of the destination; 'persistence' names the file or the table", member.value
        )
      default: lose(.unknown, member.name, "a known setting of a resource", member.value)
      }
    }
    let known: Set<String> = [
      "path", "method", "params", "json", "data", "headers", "auth", "paginator", "data_selector", "response_actions",
      "incremental",
    ]
    for member in resource.endpointKeys where !known.contains(member.name) {
      lose(.unknown, "endpoint.\(member.name)", "a known setting of an endpoint", member.value)
    }
  }

  /// Records the types in `columns` as lost if the flow does not declare these fields.
  private func columns(_ node: SourceNode) {
    let columns =
      node.members?.map { ($0.name, $0.value) } ?? node.list?.map { ($0["name"]?.scalar ?? "", $0) } ?? []
    let typed = columns.filter { $0.1["data_type"] != nil && draft.schema?[$0.0] == nil }.map(\.0)
    if !typed.isEmpty {
      lose(
        .schema, "columns: \(typed.joined(separator: ", "))", "fields of 'schema' with these types and 'coerce: true'",
        node)
    }
    if columns.contains(where: { ($0.1.members ?? []).contains { !["name", "data_type"].contains($0.name) } }) {
      skip("columns: everything except 'data_type'", "it describes tables of the destination", node)
    }
    if node.members == nil, node.list == nil, !node.isNull {
      lose(.customCode, "columns", "names and types instead of a Python object", node)
    }
  }
}
