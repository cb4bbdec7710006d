extension StreamTranslator {
  /// Translates what happens if the server returns only a part of the records of a range.
  func cap(_ retriever: Component) {
    let reset = retriever.child("pagination_reset")
    let split = retriever.child("request_window_splitting")
    if let reset { restart(reset, retriever) }
    if let split {
      guard reset == nil else {
        return lose(
          .pages, "request_window_splitting", needs: "a stream without 'pagination_reset'", at: split)
      }
      halve(split, retriever)
    }
  }

  /// Translates `pagination_reset`: the pages start again, from the greatest cursor value so far.
  private func restart(_ reset: Component, _ retriever: Component) {
    guard reset["action"]?.text == "SPLIT_USING_CURSOR" else {
      return lose(.pages, "pagination_reset: RESET", needs: "a flow that requests all pages again", at: reset)
    }
    let limits = reset.child("limits", default: "PaginationResetLimits")
    let records = limits?["number_of_records"]?.integer
    guard records != nil || Self.hasRule("RESET_PAGINATION", retriever) else { return }
    add(cap: records, then: "restart", name: "pagination_reset", at: reset) { cursor in
      cursor["query"] != nil || draft.uses("cursor.")
    }
  }

  /// Translates `request_window_splitting`: after an error, each half of the range is requested on its own.
  private func halve(_ split: Component, _ retriever: Component) {
    guard Self.hasRule("SPLIT_REQUEST_WINDOW", retriever) else { return }
    add(cap: nil, then: "halve", name: "request_window_splitting", at: split) { cursor in
      cursor["start"] != nil && (cursor["query"]?.mapping != nil || draft.uses("cursor.end"))
    }
    if let least = split["min_split_window"] {
      skip(
        "request_window_splitting: min_split_window",
        reason: "a flow halves even a range of this length, where Airbyte would fail", at: least)
    }
  }

  private func add(
    cap records: Int?, then: String, name: String, at component: Component, where isUsable: (OutputMapping) -> Bool
  ) {
    guard case .mapping(var cursor)? = draft.keys["cursor"], cursor["order"] == nil, isUsable(cursor) else {
      return lose(.pages, name, needs: "a cursor whose range the request uses", at: component)
    }
    var cap = OutputMapping()
    if let records, (1...1_000_000_000).contains(records) { cap["records"] = .integer(records) }
    cap["then"] = .scalar(then)
    cursor["cap"] = .mapping(cap)
    draft.keys["cursor"] = .mapping(cursor)
    draft.hasCap = true
  }

  /// Whether one of the response filters of a retriever has this action, such as `RESET_PAGINATION`.
  static func hasRule(_ action: String, _ retriever: Component) -> Bool {
    var found = false
    func look(_ node: SourceNode, _ depth: Int) {
      guard depth < 12, !found else { return }
      for member in node.members ?? [] {
        if member.name == "action", member.value.text?.uppercased() == action { found = true }
        look(member.value, depth + 1)
      }
      for element in node.list ?? [] { look(element, depth + 1) }
    }
    if let handler = retriever.child("requester", default: "HttpRequester")?["error_handler"] { look(handler, 0) }
    return found
  }
}
