internal import FlowModel
import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Whether a flow declares `pages: none`.
  func isOnePageMeant(_ flow: FieldNodes) -> Bool { word(of: flow.value(FlowKeys.pages)) == "none" }

  /// Reads a `pages` mapping or its short form; returns nil for `none`.
  ///
  /// - Parameter request: the flow's request, whose templates may use `page`.
  mutating func pages(_ value: FieldValue, request: Reading<ResourceReading>) -> Pages? {
    if let word = word(of: value) {
      if word == "none" { return nil }
      if word == "link" { return Pages(.link(relation: Located("next", at: value.node.range))) }
      return fail(
        .wrongKind, "'pages' is 'none', 'link' or a mapping, not '\(printable(word))'", at: value.node.range,
        suggestion: nearest(to: word, in: ["none", "link"]),
        help: "write a mapping, for example 'pages: { by: page, query: page }'")
    }
    let scope = value.scope.without("page")
    guard !value.node.isNull,
      let nodes = open(value, as: .pages, in: scope.with(scope.names + Self.responseNames)),
      let by = nodes.value(PagesKeys.by)?.node.range, let word = read(PagesKeys.by, of: nodes)
    else { return nil }
    refuse(nodes, by: word)
    let hasPlace = word == "page" || word == "offset" || word == "cursor"
    // If the request has errors, assume that it uses `page`.
    let isNamed = request.value?.mayUse("page") ?? true
    let mayHaveJSON = request.value.map { $0.body?.isJSON ?? !$0.isWhole } ?? true
    let location = hasPlace ? location(nodes, by: by, isNamed: isNamed, bodyIsJSON: mayHaveJSON) : nil
    let stop = read(PagesKeys.stop, of: nodes)
    guard let strategy = strategy(word, nodes, by: by), !hasPlace || location != nil || isNamed else { return nil }
    var pages = Pages(strategy, at: location)
    pages.size = size(nodes)
    pages.count = read(PagesKeys.count, of: nodes)
    pages.more = read(PagesKeys.more, of: nodes)
    pages.stop = stop
    if let max = read(PagesKeys.max, of: nodes) { pages.max = max.value }
    if let parallel = read(PagesKeys.parallel, of: nodes) { pages.parallel = parallel.value }
    pages.keepsPart = read(PagesKeys.partial, of: nodes) == "keep"
    pages.endsAtShort = read(PagesKeys.short, of: nodes) == "end"
    if pages.endsAtShort, let key = nodes.key(PagesKeys.short), nodes.isLeftOut(PagesKeys.size) {
      report(.incompletePages, "'short: end' needs a 'size'", at: key, help: "add 'size' and 'size_query'")
    }
    if let least = read(PagesKeys.leastSize, of: nodes) { pages.leastSize = least.value }
    if let key = nodes.key(PagesKeys.leastSize), nodes.isLeftOut(PagesKeys.size) {
      report(.incompletePages, "'least_size' needs a 'size'", at: key, help: "add 'size' and 'size_query'")
    }
    pages.mayLackNext = read(PagesKeys.missing, of: nodes) == "end"
    return pages
  }

  private func word(of value: FieldValue?) -> String? {
    guard case .scalar(let scalar)? = value?.node.content, !scalar.isNull else { return nil }
    return scalar.text
  }

  /// The names that expressions over a response may use, with their types.
  static let responseNames: [ExpressionType.Member] = [
    ExpressionType.Member("response", .dynamic), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("last", .dynamic), ExpressionType.Member("page", .object(["number": .int, "records": .int])),
  ]

  /// The type of the name `page` in templates of a request with pages.
  static let pageName = ExpressionType.Member(
    "page", .object(["number": .int, "offset": .int, "token": .optional(.dynamic)]))

  /// The keys that declare the source of the next page in a response.
  private static let sources = [PagesKeys.from, PagesKeys.fromHeader, PagesKeys.fromLast, PagesKeys.next]
  /// The keys that declare the location of the page in a request.
  private static let locations = [PagesKeys.query, PagesKeys.header, PagesKeys.body]

  /// Reports keys that have no effect for the declared paging strategy.
  private mutating func refuse(_ nodes: FieldNodes, by word: String) {
    // If the key `more` is declared, `missing` has an effect for every strategy.
    let missing: [any FieldSpec] = nodes.key(PagesKeys.more) == nil ? [PagesKeys.missing] : []
    let numbered: [any FieldSpec] = [PagesKeys.first, PagesKeys.count, PagesKeys.parallel]
    let refused: [any FieldSpec] =
      switch word {
      case "page", "offset": Self.sources + missing + [PagesKeys.rel]
      case "cursor": numbered + [PagesKeys.rel]
      case "next_url": [PagesKeys.fromLast, PagesKeys.rel] + Self.locations + numbered
      default: Self.sources + Self.locations + numbered
      }
    for field in refused {
      guard let range = nodes.key(field) else { continue }
      report(
        .misplacedPagesKey, "'\(field.name)' has no effect with 'by: \(word)'", at: range, help: "leave it out")
    }
  }

  private mutating func strategy(_ word: String, _ nodes: FieldNodes, by: SourceRange) -> Pages.Strategy? {
    switch word {
    case "page": .number(first: read(PagesKeys.first, of: nodes)?.value ?? 1)
    case "offset": .offset(first: read(PagesKeys.first, of: nodes)?.value ?? 0)
    case "link": .link(relation: relation(nodes) ?? Located("next", at: by))
    case "cursor": source(nodes, by: by).map { .cursor($0) }
    default: source(nodes, by: by).map { .nextURL($0) }
    }
  }

  private mutating func relation(_ nodes: FieldNodes) -> Located<String>? {
    guard let rel = read(PagesKeys.rel, of: nodes), let value = nodes.value(PagesKeys.rel) else { return nil }
    return Located(rel, at: value.node.range)
  }

  /// Reads the source of the next page in a response. Exactly one key must declare it.
  private mutating func source(_ nodes: FieldNodes, by: SourceRange) -> Located<Pages.Source>? {
    single(
      of: Self.sources, in: nodes, "source of the next page", owner: by,
      help: "add 'from: $.next', 'from_header', 'from_last' or 'next'", missing: .incompletePages,
      several: .misplacedPagesKey)
  }

  /// Reads the location of the page in a request. Exactly one key must declare it.
  ///
  /// If templates of the request use `page`, no key is required.
  private mutating func location(
    _ nodes: FieldNodes, by: SourceRange, isNamed: Bool, bodyIsJSON: Bool
  ) -> Pages.Location? {
    if isNamed, Self.locations.allSatisfy({ nodes.key($0) == nil }) { return nil }
    let location = single(
      of: Self.locations, in: nodes, "location of the page in the request", owner: by,
      help: "add 'query: page', or 'header' or 'body'", missing: .incompletePages, several: .misplacedPagesKey)
    guard case .body? = location, !bodyIsJSON else { return location }
    return fail(
      .incompletePages, "the request has no JSON body for the page", at: nodes.key(PagesKeys.body),
      help: "add 'body: { json: {} }' to the resource, or use 'query'")
  }

  private mutating func size(_ nodes: FieldNodes) -> Pages.Size? {
    let name = read(PagesKeys.sizeQuery, of: nodes)
    let count = nodes.value(PagesKeys.size).flatMap { setting($0, Pages.size) }
    if let key = nodes.key(PagesKeys.size), nodes.isLeftOut(PagesKeys.sizeQuery) {
      report(
        .incompletePages, "'size' needs a 'size_query'", at: key,
        help: "add, for example, 'size_query: limit'")
    }
    if let key = nodes.key(PagesKeys.sizeQuery), nodes.isLeftOut(PagesKeys.size) {
      report(.incompletePages, "'size_query' needs a 'size'", at: key, help: "add, for example, 'size: 100'")
    }
    guard let name, let count else { return nil }
    return Pages.Size(count, at: .query(name.value))
  }
}

extension Pages {
  /// The allowed page sizes.
  static let sizes = 1...1_000_000

  /// Parses a page size.
  package static func size(_ text: String) throws(SettingError) -> Int {
    try SettingText.integer(text, in: sizes, for: "size")
  }
}
