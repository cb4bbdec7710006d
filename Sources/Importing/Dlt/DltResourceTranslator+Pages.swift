extension DltResourceTranslator {
  /// Translates where the records are.
  func records() {
    if let node = resource.endpoint("data_selector"), let text = node.filled {
      draft.keys.set("records", .text(DltPath(text).text), from: OutputMapping.Origin(node))
    } else if !isSingleEntity {
      lose(
        .records, "data_selector",
        "the path of the records, which dlt finds in each response; here a list is the response",
        resource.node)
    }
  }

  /// Whether the path ends with a placeholder: then the response is one record.
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
      return lose(.customCode, "paginator", "its settings in place of an object of Python", node)
    }
    let kind = node.text ?? node["type"]?.text ?? "auto"
    var pages = OutputMapping()
    switch kind {
    case "auto": return auto(node)
    case "single_page": return draft.keys.set("pages", .scalar("none"), from: OutputMapping.Origin(node))
    case "json_link", "json_response":
      pages["by"] = .scalar("next_url")
      pages["from"] = .text(DltPath(node["next_url_path"]?.filled ?? "next").text)
      pages["missing"] = .scalar("end")
    case "header_link":
      let relation = node["links_next_key"]?.filled ?? "next"
      guard relation != "next" else {
        return draft.keys.set("pages", .scalar("link"), from: OutputMapping.Origin(node))
      }
      pages["by"] = .scalar("link")
      pages["rel"] = .text(relation)
    case "header_cursor":
      pages["by"] = .scalar("cursor")
      pages["from_header"] = .text(node["cursor_key"]?.filled ?? "next")
      pages["query"] = .text(node["cursor_param"]?.filled ?? "cursor")
    case "cursor":
      pages["by"] = .scalar("cursor")
      pages["from"] = .text(DltPath(node["cursor_path"]?.filled ?? "cursors.next").text)
      place(node, "cursor_param", "cursor_body_path", fallback: "after", in: &pages)
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

  private func auto(_ node: SourceNode) {
    lose(
      .pages, "paginator: auto", "how pages are found, which dlt finds in each response; 'reactor init URL' guesses it",
      node)
  }

  /// Where the number, the offset or the token goes: a parameter, or a member of the body.
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
    if first != 1 { pages["first"] = .integer(first) }
    let more = node["has_more_path"]?.filled
    if let more { pages["more"] = .text(DltPath(more).text) }
    if more == nil, let path = total(node) { pages["count"] = .text(path) }
    if let maximum = node["maximum_page"]?.integer {
      pages["stop"] = .scalar("page.number >= \(max(1, maximum - first))")
    }
    emptyPages(node, pages)
  }

  private func offset(_ node: SourceNode, _ pages: inout OutputMapping) {
    pages["by"] = .scalar("offset")
    let (first, limit) = (
      (node["offset"] ?? node["initial_offset"])?.integer ?? 0, (node["limit"] ?? node["initial_limit"])?.integer
    )
    place(node, "offset_param", "offset_body_path", fallback: "offset", in: &pages)
    if first != 0 { pages["first"] = .integer(first) }
    if let limit, limit > 0 {
      if let path = node["limit_body_path"]?.filled {
        do throws(JinjaError) {
          try draft.inject(.integer(limit), into: .json(DltPath(path).names), from: OutputMapping.Origin(node))
        } catch {
          lose(.pages, "limit_body_path", error.message, node)
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
    if more == nil, let path = total(node) {
      draft.keys.set("expect", .map([("total", .text(path))]), from: OutputMapping.Origin(node))
    }
    if let maximum = node["maximum_offset"]?.integer, let limit, limit > 0, maximum < 1 << 40 {
      pages["stop"] = .scalar("page.number >= \(max(1, (maximum - first + limit - 1) / limit))")
    }
    emptyPages(node, pages)
  }

  /// The path of the total; `total` where nothing is written, none where it is null.
  private func total(_ node: SourceNode) -> String? {
    guard let path = node["total_path"] else { return "$.total" }
    return path.filled.map { DltPath($0).text }
  }

  private func emptyPages(_ node: SourceNode, _ pages: OutputMapping) {
    guard node["stop_after_empty_page"]?.bool == false, pages["count"] == nil, draft.keys["expect"] == nil,
      pages["more"] == nil
    else { return }
    lose(.pages, "stop_after_empty_page: false", "pages behind an empty page, which ends a pull", node)
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
          isCode ? "'errors' in place of its code, which is not run" : "'ignore' or 'raise'", action)
        continue
      }
      var conditions: [String] = []
      if let status = action["status_code"]?.integer { conditions.append("status == \(status)") }
      if let content = action["content"]?.filled {
        conditions.append("contains(to_json(response), \(FlowExpression.literal(content).text))")
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

  /// Records the settings that have no counterpart.
  func others() {
    for member in resource.keys {
      switch member.name {
      case "name", "endpoint", "write_disposition", "primary_key", "include_from_parent", "auth", "columns": break
      case "processing_steps":
        for step in member.value.list ?? [] {
          let names = (step.members ?? []).map(\.name).joined(separator: ", ")
          lose(
            .customCode, "processing_steps: \(names.isEmpty ? "a function" : names)",
            "'where', 'change' or 'reshape' in place of its code, which is not run", step)
        }
      case "selected":
        guard member.value.bool == false else { break }
        draft.tags = ["unselected"]
        skip(
          "selected: false", "the flow has the tag 'unselected': leave it out with --exclude tag:unselected",
          member.value)
      case "parallelized": skip(member.name, "flows run at once by default", member.value)
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
}
