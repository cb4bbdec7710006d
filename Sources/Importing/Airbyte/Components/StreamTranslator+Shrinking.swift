extension StreamTranslator {
  /// Translates `page_size_reduction`: after an error, smaller pages are requested.
  func shrink(_ retriever: Component) {
    guard let reduction = retriever.child("page_size_reduction") else { return }
    guard Self.hasRule("REDUCE_PAGE_SIZE", retriever) else { return }
    guard case .mapping(var pages)? = draft.keys["pages"], let by = pages["by"]?.scalar,
      ["cursor", "offset"].contains(by), let size = pages["size"]?.scalar
    else {
      return lose(
        .pages, "page_size_reduction", needs: "pages by offset or token with a size in the query", at: reduction)
    }
    let factor = number(reduction["reduction_factor"], of: reduction).flatMap { Double($0.text) } ?? 2
    if factor != 2 {
      return lose(.pages, "page_size_reduction by \(factor)", needs: "pages that are halved", at: reduction)
    }
    if reduction["reset_policy"]?.text == "AFTER_SUCCESSFUL_PAGE" {
      return lose(.pages, "reset_policy: AFTER_SUCCESSFUL_PAGE", needs: "a size that grows again", at: reduction)
    }
    if let again = reduction["retries_at_minimum_page_size"]?.integer, again > 0 {
      skip(
        "retries_at_minimum_page_size", reason: "a page that cannot be smaller fails at once",
        at: reduction["retries_at_minimum_page_size"] ?? reduction.node)
    }
    let least = max(reduction["minimum_page_size"]?.integer ?? 1, Self.least(of: Int(size), reduction))
    if least > 1, let most = pages["size"] {
      pages["size"] = .mapping(OutputMapping([("max", most), ("min", .integer(least))]))
    }
    // A smaller page is not the last one.
    if pages["stop"]?.scalar?.contains("page.records < ") ?? false {
      pages["stop"] = nil
      pages["short"] = .scalar("end")
    }
    pages.order([
      "by", "from", "from_last", "next", "query", "header", "body", "start", "size", "size_query", "short",
      "more", "stop", "missing",
    ])
    draft.keys.set("pages", .mapping(pages), from: nil)
    draft.shrinks = true
  }

  /// The page size after as many reductions as Airbyte allows for one page; 1 if the initial size is unknown.
  private static func least(of size: Int?, _ reduction: Component) -> Int {
    guard let size else { return 1 }
    let attempts = reduction["max_attempts"]?.integer ?? 5
    return (0..<max(1, min(attempts, 30))).reduce(size) { size, _ in max(1, size / 2) }
  }
}
