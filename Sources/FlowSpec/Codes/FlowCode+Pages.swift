import SourceDiagnostics

extension FlowCode {
  /// Codes about answers in several pages.
  static let pagesEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .misplacedPagesKey, "key that means nothing for this way of paging",
      """
      Each way of paging has its own keys: numbers and offsets are counted, tokens and URLs are taken from the response, \
      links from its header.
      """, wrong: .flow("pages: { by: link, query: page }"), right: .flow("pages: { by: page, query: page }")),
    entry(
      .incompletePages, "paging that is not fully described",
      "A pull needs to know where the response tells its next page, and where the request names it.",
      wrong: .flow("pages: { by: cursor, query: cursor }"),
      right: .flow("pages: { by: cursor, from: $.next, query: cursor }")),
  ]
}
