extension StreamTranslator {
  /// Translates a paginator.
  ///
  /// - Parameters:
  ///   - retriever: the component with the paginator
  ///   - records: the path of the records in the response, as an expression such as `response.data`
  func pages(_ retriever: Component, records: String?) {
    guard let paginator = retriever.child("paginator", default: "NoPagination"), paginator.type != "NoPagination" else {
      return
    }
    guard paginator.type == "DefaultPaginator", let strategy = paginator.child("pagination_strategy") else {
      return loseUnknown(paginator, as: "paginator")
    }
    var pages = OutputMapping()
    switch strategy.type {
    case "PageIncrement":
      pages["by"] = .scalar("page")
      let first = strategy["start_from_page"]?.integer ?? 0
      if first != 1 { pages["start"] = .integer(first) }
    case "OffsetIncrement": pages["by"] = .scalar("offset")
    case "CursorPagination":
      guard cursorPages(strategy, paginator, records, &pages) else { return }
    default: return loseUnknown(strategy, as: "pagination_strategy")
    }
    token(paginator, strategy, &pages)
    size(paginator, strategy, &pages)
    let by = pages["by"]?.scalar ?? ""
    let isPlaced =
      ["link", "next_url"].contains(by) || pages["query"] != nil || pages["header"] != nil
      || ["page.number", "page.offset", "page.token"].contains { draft.uses($0) }
    guard isPlaced, by != "next_url" || pages["from_last"] == nil else {
      return lose(
        .pages, "paginator: \(strategy.type)", needs: "a parameter or a path that requests the next page", at: paginator
      )
    }
    guard readable(&pages, strategy) else { return }
    if !pages.entries.isEmpty {
      pages.order([
        "by", "from", "from_last", "next", "query", "header", "body", "start", "size", "size_query", "more", "stop",
        "missing",
      ])
      let isLink = pages.items.count == 1 && pages["by"]?.scalar == "link"
      draft.keys.set("pages", isLink ? .scalar("link") : .mapping(pages), from: OutputMapping.Origin(paginator))
    }
  }

  /// Removes keys of `pages` that read parts of the response outside of its records, because a response that consists
  /// of rows or lines has no other parts.
  ///
  /// - Returns: whether pages can still be requested without these keys
  private func readable(_ pages: inout OutputMapping, _ strategy: Component) -> Bool {
    let decode = draft.keys["decode"]
    let format = decode?.scalar ?? decode?.mapping?["format"]?.scalar ?? "json"
    guard ["jsonl", "csv", "tsv", "lines"].contains(format) else { return true }
    let missing = ["from", "more", "next", "stop"].filter { name in
      guard let value = pages[name] else { return false }
      return name == "more" || name == "from" && value.scalar?.hasPrefix("$") ?? false || value.mentions("response")
    }
    guard !missing.isEmpty else { return true }
    lose(
      .pages, "paginator: \(strategy.type) with \(format)", needs: "a response with data beside its records",
      at: strategy)
    for name in missing { pages[name] = nil }
    return !missing.contains("from") && !missing.contains("next")
  }

  /// The expression for `next_page_token`, according to the pagination strategy; nil for an unknown strategy.
  static func pageToken(_ retriever: Component) -> FlowExpression? {
    switch retriever.child("paginator")?.child("pagination_strategy")?.type {
    case "PageIncrement"?: FlowExpression("page.number", .integer)
    case "OffsetIncrement"?: FlowExpression("page.offset", .integer)
    case "CursorPagination"?: .lookUp("page.token")
    default: nil
    }
  }

  private func token(_ paginator: Component, _ strategy: Component, _ pages: inout OutputMapping) {
    guard let option = paginator.child("page_token_option", default: "RequestOption") else { return }
    if option.type == "RequestPath" {
      guard pages["by"]?.scalar == "cursor" else { return }
      pages["by"] = .scalar("next_url")
      // A path of the last record names a token; a URL is an expression.
      if pages["from_last"] != nil, let value = lastRecordValue(strategy) {
        pages["from_last"] = nil
        pages["next"] = .scalar(OutputText.expression(value.text))
        pages["missing"] = .scalar("end")
      }
      return
    }
    guard pages["by"]?.scalar != "link", let target = target(option) else { return }
    switch target {
    case .query(let name):
      pages["query"] = .text(name)
      // The parameter of the pages replaces one of the request.
      draft.query[name] = nil
    case .header(let name): pages["header"] = .text(name)
    case .form, .json:
      let value = Self.pageTokenExpression(pages)
      inject(value, into: target, at: option)
    }
  }

  private static func pageTokenExpression(_ pages: OutputMapping) -> FlowExpression {
    switch pages["by"]?.scalar {
    case "page": FlowExpression("page.number", .integer)
    case "offset": FlowExpression("page.offset", .integer)
    default: .lookUp("page.token")
    }
  }

  private func size(_ paginator: Component, _ strategy: Component, _ pages: inout OutputMapping) {
    guard let node = strategy["page_size"] else { return }
    let isCursor = strategy.type == "CursorPagination"
    var number = node.integer
    var expression: FlowExpression?
    if number == nil, let text = node.text {
      do throws(JinjaError) {
        let value = try TemplateTranslator(names.of(strategy)).expression(of: text)
        if let literal = Int(value.text.trimmingPrefix("'").prefix { $0 != "'" }) {
          number = literal
        } else {
          expression = value
        }
      } catch {
        lose(.expression, "page_size: \(text)", needs: "a translatable text: \(error.message)", at: node)
        return
      }
    }
    if let option = paginator.child("page_size_option", default: "RequestOption"), option["field_name"]?.scalar != "",
      let target = target(option)
    {
      if case .query(let name) = target, let number, number > 0 {
        pages["size"] = .integer(number)
        pages["size_query"] = .text(name)
        draft.query[name] = nil
      } else if case .query(let name) = target, let expression, expression.kind == .integer,
        !expression.text.contains("secrets.")
      {
        pages["size"] = .scalar(OutputText.quoted("{{ \(expression.text) }}"))
        pages["size_query"] = .text(name)
        draft.query[name] = nil
      } else {
        inject(expression ?? FlowExpression("\(number ?? 0)", .integer), into: target, at: option)
      }
    }
    // A page with fewer records than its size is the last one.
    guard !isCursor, pages["stop"] == nil else { return }
    if let number, number > 0 {
      pages["stop"] = .scalar("page.records < \(number)")
    } else if let expression, expression.kind == .integer {
      pages["stop"] = .scalar(OutputText.expression("page.records < \(expression.operand(.sum))"))
    }
  }

  // MARK: - Cursors

  private var pageNames: JinjaNames {
    var names = names
    names.roots["response"] = FlowExpression("response", .any, isLookUp: true)
    names.roots["headers"] = FlowExpression("headers", .map, isLookUp: true)
    names.roots["last_record"] = FlowExpression("last", .any, mayBeMissing: true, isLookUp: true)
    names.roots["last_page_size"] = FlowExpression("page.records", .integer)
    names.pageToken = nil
    return names
  }

  private func cursorPages(
    _ strategy: Component, _ paginator: Component, _ records: String?, _ pages: inout OutputMapping
  ) -> Bool {
    guard let value = strategy["cursor_value"], let text = value.scalar else {
      lose(.pages, "paginator: CursorPagination", needs: "'cursor_value'", at: strategy)
      return false
    }
    pages["by"] = .scalar("cursor")
    var names = pageNames.of(strategy)
    if let size = strategy["page_size"]?.integer { names.roots["page_size"] = FlowExpression("\(size)", .integer) }
    let template: JinjaTemplate
    do throws(JinjaError) { template = try JinjaTemplate(text) } catch {
      lose(.expression, "cursor_value: \(text)", needs: "a translatable text: \(error.message)", at: value)
      return false
    }
    let path = template.only.flatMap { JinjaTranslator(names).pathIfThere($0) }
    if let path, !path.keys.isEmpty,
      path.fallback == nil || path.fallback == JinjaExpression.none || path.fallback == .text("")
    {
      switch path.root {
      case "response":
        pages["from"] = .text(OutputText.path(path.keys))
        pages["missing"] = .scalar("end")
      case "headers":
        if path.keys.count > 1, path.keys[0].lowercased() == "link" {
          pages["by"] = .scalar("link")
          if path.keys[1] != "next" { pages["from"] = .text(path.keys[1]) }
        } else {
          pages["from"] = .text("headers.\(path.keys[0])")
        }
      case "last_record": pages["from_last"] = .text(OutputText.path(path.keys))
      default: break
      }
    }
    if pages.items.count == 1, pages["by"]?.scalar == "cursor" {
      guard let next = pageExpression(text, value, "cursor_value", names, records, isCondition: false) else {
        return false
      }
      pages["next"] = .scalar(OutputText.expression(next.text))
      pages["missing"] = .scalar("end")
    }
    stop(strategy, names, records, &pages)
    return true
  }

  /// The `cursor_value` as an expression, to find out whether it is a member of the last record; nil if it cannot be
  /// translated.
  private func lastRecordValue(_ strategy: Component) -> FlowExpression? {
    guard let text = strategy["cursor_value"]?.scalar else { return nil }
    return try? TemplateTranslator(pageNames.of(strategy)).expression(of: text)
  }

  private func stop(_ strategy: Component, _ names: JinjaNames, _ records: String?, _ pages: inout OutputMapping) {
    guard let condition = strategy["stop_condition"], let text = condition.scalar else { return }
    // The absence of the link ends the pull anyway.
    if pages["by"]?.scalar == "link", text.contains("headers"), text.lowercased().contains("link") { return }
    if case .not(let inner)? = (try? JinjaTemplate(text))?.only, let path = JinjaTranslator(names).chain(inner),
      path.root == "response", !path.keys.isEmpty
    {
      let steps = OutputText.path(path.keys)
      // A token that is absent ends the pull anyway.
      if pages["from"]?.scalar == steps { return }
      if records != "response." + path.keys.joined(separator: ".") {
        pages["more"] = .text(steps)
        pages["missing"] = .scalar("end")
        return
      }
    }
    guard let stop = pageExpression(text, condition, "stop_condition", names, records, isCondition: true),
      stop.text != "false"
    else { return }
    pages["stop"] = .scalar(OutputText.expression(stop.text))
  }

  /// Translates an expression on a page. `response` has no records in the flow, so uses of the records become uses of
  /// `page`.
  private func pageExpression(
    _ text: String, _ node: SourceNode, _ field: String, _ names: JinjaNames, _ records: String?, isCondition: Bool
  ) -> FlowExpression? {
    var result: FlowExpression
    do throws(JinjaError) {
      let translator = TemplateTranslator(names)
      if isCondition {
        result = try translator.condition(text)
      } else if let only = (try? JinjaTemplate(text))?.only, only.readingJSON != only {
        result = try JinjaTranslator(names).translate(only.readingJSON)
      } else {
        result = try translator.expression(of: text)
      }
    } catch {
      lose(.expression, "\(field): \(text)", needs: "a translatable text: \(error.message)", at: node)
      return nil
    }
    guard let records else { return result }
    for (found, replacement) in [
      ("length(coalesce(\(records), []))", "page.records"), ("length(\(records))", "page.records"),
      ("last(coalesce(\(records), []))", "last"), ("last(\(records))", "last"),
      ("!(coalesce(\(records), '') in ['', 0, false, [], {}])", "page.records > 0"),
      ("coalesce(\(records), '') in ['', 0, false, [], {}]", "page.records == 0"),
      ("!(coalesce(\(records), []) in ['', 0, false, [], {}])", "page.records > 0"),
      ("coalesce(\(records), []) in ['', 0, false, [], {}]", "page.records == 0"),
      ("length(coalesce(\(records), [])) == 0", "page.records == 0"),
    ] {
      result.text = result.text.replacing(found, with: replacement)
    }
    // `data` is also the beginning of `data_total`.
    let rest = result.text.ranges(of: records).contains { range in
      guard range.upperBound < result.text.endIndex else { return true }
      let next = result.text[range.upperBound]
      return !(next.isLetter || next.isNumber || next == "_")
    }
    if rest {
      lose(
        .pages, "\(field): \(text)", needs: "the records in 'response', which contains everything else",
        at: node)
      return nil
    }
    return result
  }
}

extension JinjaExpression {
  /// The expression, changed so that texts with JSON objects are parsed: Airbyte sends such a token as an object in a
  /// body.
  fileprivate var readingJSON: JinjaExpression {
    switch self {
    case .conditional(let condition, let then, let otherwise):
      let other = otherwise == .text("") ? JinjaExpression.none : otherwise?.readingJSON
      let value = then.readingJSON
      return value == then ? self : .conditional(condition, then: value, otherwise: other)
    case .binary(_, .plus, _), .binary(_, .join, _): return startsObject ? .filter(self, "fromjson", []) : self
    default: return self
    }
  }

  private var startsObject: Bool {
    switch self {
    case .text(let text): text.hasPrefix("{")
    case .binary(let first, .plus, _), .binary(let first, .join, _): first.startsObject
    default: false
    }
  }
}
