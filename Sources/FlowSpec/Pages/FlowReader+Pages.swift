internal import FlowTerms
import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Whether a flow says that one page is enough.
  func isOnePageMeant(_ flow: FieldNodes) -> Bool { word(of: flow.value(FlowKeys.pages)) == "none" }

  /// A `pages` mapping or its short form, nil for `none`; what does not fit the way of paging is reported.
  ///
  /// - Parameter request: the flow's request, whose templates may name the page themselves.
  mutating func pages(_ value: FieldValue, request: Reading<ResourceReading>) -> PagesDeclaration? {
    if let word = word(of: value) {
      if word == "none" { return nil }
      if word == "link" { return PagesDeclaration(way: .link(relation: Located("next", at: value.node.range))) }
      report(
        .wrongKind, "'pages' is 'none', 'link' or a mapping, not '\(printable(word))'", at: value.node.range,
        meant: nearest(to: word, in: ["none", "link"]),
        help: "write the way into a mapping, for example 'pages: { by: page, query: page }'")
      return nil
    }
    let scope = value.scope.without("page")
    guard !value.node.isNull,
      let nodes = open(value, as: .pages, in: scope.with(scope.names + Self.responseNames)),
      let by = nodes.value(PagesKeys.by)?.node.range, let word = read(PagesKeys.by, of: nodes)
    else { return nil }
    refuse(nodes, by: word)
    let hasPlace = word == "page" || word == "offset" || word == "cursor"
    // Of a request that could not be read nobody knows what it names.
    let isNamed = request.value?.mayUse("page") ?? true
    let mayHaveJSON = request.value.map { $0.body?.isJSON ?? !$0.isWhole } ?? true
    let place = hasPlace ? place(nodes, by: by, isNamed: isNamed, bodyIsJSON: mayHaveJSON) : nil
    let stop = read(PagesKeys.stop, of: nodes)
    guard let way = way(word, nodes, by: by), !hasPlace || place != nil || isNamed else { return nil }
    var pages = PagesDeclaration(
      way: way, place: place, size: size(nodes), count: read(PagesKeys.count, of: nodes),
      more: read(PagesKeys.more, of: nodes), stop: stop)
    if let max = read(PagesKeys.max, of: nodes) { pages.max = max.value }
    if let parallel = read(PagesKeys.parallel, of: nodes) { pages.parallel = parallel.value }
    pages.keepsPart = read(PagesKeys.partial, of: nodes) == "keep"
    pages.mayLackNext = read(PagesKeys.missing, of: nodes) == "end"
    return pages
  }

  private func word(of value: FieldValue?) -> String? {
    guard case .scalar(let scalar)? = value?.node.content, !scalar.isNull else { return nil }
    return scalar.text
  }

  /// What expressions over a response may use.
  static let responseNames: [ExpressionType.Member] = [
    ExpressionType.Member("response", .dynamic), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("last", .dynamic), ExpressionType.Member("page", .object(["number": .int, "records": .int])),
  ]

  /// What templates of a request that goes through pages may use.
  static let pageName = ExpressionType.Member(
    "page", .object(["number": .int, "offset": .int, "token": .optional(.dynamic)]))

  /// The keys that say where the response has the next page.
  private static let sources = [PagesKeys.from, PagesKeys.fromHeader, PagesKeys.fromLast, PagesKeys.next]
  /// The keys that say where the request names its page.
  private static let places = [PagesKeys.query, PagesKeys.header, PagesKeys.body]

  /// Keys that mean nothing for a way of paging.
  private mutating func refuse(_ nodes: FieldNodes, by word: String) {
    // A response may lack the next page, and whether there is one.
    let missing: [any FieldSpec] = nodes.key(PagesKeys.more) == nil ? [PagesKeys.missing] : []
    let numbered: [any FieldSpec] = [PagesKeys.first, PagesKeys.count, PagesKeys.parallel]
    let refused: [any FieldSpec] =
      switch word {
      case "page", "offset": Self.sources + missing + [PagesKeys.rel]
      case "cursor": numbered + [PagesKeys.rel]
      case "next_url": [PagesKeys.fromLast, PagesKeys.rel] + Self.places + numbered
      default: Self.sources + Self.places + numbered
      }
    for field in refused {
      guard let range = nodes.key(field) else { continue }
      report(
        .misplacedPagesKey, "'\(field.name)' means nothing for pages by \(word)", at: range, help: "leave it out")
    }
  }

  private mutating func way(_ word: String, _ nodes: FieldNodes, by: SourceRange) -> PagesDeclaration.Way? {
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

  /// Where the response has the next page; exactly one key says it.
  private mutating func source(_ nodes: FieldNodes, by: SourceRange) -> Located<PageTerms.Source>? {
    switch nodes.written(of: Self.sources) {
    case .one(let field): return read(field, of: nodes)
    case .several(let names, let last):
      report(.misplacedPagesKey, "the next page is told in one place, not in \(names.count)", at: last)
    case .none:
      guard !nodes.hasError else { break }
      report(
        .incompletePages, "nothing says where the response tells the next page", at: by,
        help: "add 'from: $.next', 'from_header', 'from_last' or 'next'")
    }
    return nil
  }

  /// Where the request names its page; exactly one key says it.
  private mutating func place(
    _ nodes: FieldNodes, by: SourceRange, isNamed: Bool, bodyIsJSON: Bool
  ) -> PageTerms.Location? {
    switch nodes.written(of: Self.places) {
    case .one(let field):
      guard let place = read(field, of: nodes) else { return nil }
      guard case .body = place, !bodyIsJSON else { return place }
      report(
        .incompletePages, "the request has no JSON body to name its page in", at: nodes.key(field),
        help: "add 'body: { json: {} }' to the resource, or use 'query'")
    case .several(let names, let last):
      report(.misplacedPagesKey, "the request names its page in one place, not in \(names.count)", at: last)
    case .none:
      guard !isNamed, !nodes.hasError else { break }
      report(
        .incompletePages, "nothing says where the request names its page", at: by,
        help: "add 'query: page', or 'header' or 'body'")
    }
    return nil
  }

  private mutating func size(_ nodes: FieldNodes) -> (place: PageTerms.Location, count: Int)? {
    let name = read(PagesKeys.sizeQuery, of: nodes)
    let count = read(PagesKeys.size, of: nodes)
    if let key = nodes.key(PagesKeys.size), nodes.isLeftOut(PagesKeys.sizeQuery) {
      report(
        .incompletePages, "nothing says where the request names the page size", at: key,
        help: "add, for example, 'size_query: limit'")
    }
    if let key = nodes.key(PagesKeys.sizeQuery), nodes.isLeftOut(PagesKeys.size) {
      report(.incompletePages, "'size_query' needs a 'size'", at: key, help: "add, for example, 'size: 100'")
    }
    guard let name, let count else { return nil }
    return (.query(name.value), count.value)
  }
}
