import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Whether a flow declares `pages: none`.
  func isOnePageMeant(_ flow: FieldNodes) -> Bool { word(of: flow.value(FlowKeys.pages)) == "none" }

  /// Reads a `pages` mapping or its short form; returns nil for `none`.
  ///
  /// - Parameter request: the flow's request, whose templates may use `page`.
  mutating func pages(_ value: FieldValue, request: Reading<RequestDeclaration>) -> Pages? {
    if let word = word(of: value) {
      if word == "none" { return nil }
      if word == "link" { return Pages(.link(relation: Located("next", at: value.node.range))) }
      return fail(
        .wrongKind, "'pages' must be 'none', 'link' or a mapping, not '\(printable(word))'", at: value.node.range,
        suggestion: nearest(to: word, in: ["none", "link"]),
        help: "write a mapping, for example 'pages: { by: page, query: page }'")
    }
    let scope = value.scope.without("page")
    guard !value.node.isNull,
      let nodes = open(value, as: .pages, in: scope.with(scope.names + Self.responseNames)),
      let by = nodes.value(PagesKeys.by)?.node.range, let word = read(PagesKeys.by, of: nodes)
    else { return nil }
    let hasPlace = word == "page" || word == "offset" || word == "cursor"
    // If the request has errors, assume that it uses `page`.
    let isNamed = request.value?.mayUse("page") ?? true
    let mayHaveJSON = request.value.map { $0.body?.isJSON ?? !$0.isWhole } ?? true
    let location = hasPlace ? location(nodes, by: by, isNamed: isNamed, bodyIsJSON: mayHaveJSON) : nil
    let stop = read(PagesKeys.stop, of: nodes)
    guard let strategy = strategy(word, nodes, by: by), !hasPlace || location != nil || isNamed else { return nil }
    var pages = Pages(strategy, at: location)
    let count = read(PagesKeys.size, of: nodes)
    if let name = read(PagesKeys.sizeQuery, of: nodes), let count {
      pages.size = .init(count.max, at: .query(name.value))
    }
    pages.leastSize = count?.min ?? 1
    pages.stop = stop
    fill(&pages, with: PagesKeys.stored, from: nodes)
    return pages
  }

  /// Reads the size of a page: a number, or a mapping.
  mutating func pageSize(_ value: FieldValue) -> WrittenPageSize? {
    if value.node.isScalar { return PageSizeKeys.max.shape.read(&self, value).map { WrittenPageSize(max: $0) } }
    guard let nodes = open(value, as: .pagesSize), let max = read(PageSizeKeys.max, of: nodes) else { return nil }
    return WrittenPageSize(max: max, min: read(PageSizeKeys.min, of: nodes)?.value ?? 1)
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
  private static let sources = [PagesKeys.from, PagesKeys.fromLast, PagesKeys.next]
  /// The keys that declare the location of the page in a request.
  private static let locations = [PagesKeys.query, PagesKeys.header, PagesKeys.body]

  private mutating func strategy(_ word: String, _ nodes: FieldNodes, by: SourceRange) -> Pages.Strategy? {
    switch word {
    case "page": .number(first: read(PagesKeys.start, of: nodes)?.value ?? 1)
    case "offset": .offset(first: read(PagesKeys.start, of: nodes)?.value ?? 0)
    case "link": .link(relation: relation(nodes) ?? Located("next", at: by))
    case "cursor": source(nodes, by: by).map { .cursor($0) }
    default: source(nodes, by: by).map { .nextURL($0) }
    }
  }

  private mutating func relation(_ nodes: FieldNodes) -> Located<String>? {
    guard let value = nodes.value(PagesKeys.from), let relation = text(value) else { return nil }
    return Located(relation, at: value.node.range)
  }

  /// Reads the source of the next page in a response. Exactly one key must declare it.
  private mutating func source(_ nodes: FieldNodes, by: SourceRange) -> Located<Pages.Source>? {
    single(
      of: Self.sources, in: nodes, "source of the next page", owner: by,
      help: "add 'from: $.next', 'from_last' or 'next'", missing: .incompletePages,
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
      .incompletePages, "the request has no JSON body in which the page can be sent", at: nodes.key(PagesKeys.body),
      help: "add 'body: { json: {} }' to the resource, or use 'query'")
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

extension FlowReader {
  /// Checks that the pages of a flow can be made smaller if one of its rules has `do: shrink`.
  ///
  /// - Parameter rules: the rules that the flow itself declares
  mutating func checkShrinking(_ pages: Pages?, _ rules: [ErrorRule], at flow: FieldNodes) {
    guard let rule = rules.first(where: { $0.action == .shrink }),
      pages != nil || flow.isLeftOut(FlowKeys.pages) || isOnePageMeant(flow),
      let problem =
        pages.map(Self.unshrinkable) ?? ("the flow has no pages", "add 'pages', or use another action than 'shrink'")
    else { return }
    report(.incompletePages, "'do: shrink' has no effect: \(problem.0)", at: rule.when.range, help: problem.1)
  }

  /// Why a page cannot be requested with a smaller size; nil if it can.
  private static func unshrinkable(_ pages: Pages) -> (String, String)? {
    switch pages.strategy {
    case .number:
      return (
        "with a smaller page, the numbers of all further pages refer to other records",
        "use 'by: offset', if the server supports it"
      )
    case .nextURL, .link:
      return ("the server writes the size into the URL of the next page", "use another action than 'shrink'")
    case .offset, .cursor: break
    }
    if pages.size == nil { return ("the request has no page size", "add 'size' and 'size_query' to 'pages'") }
    guard let stop = pages.stop,
      stop.value.references.contains(where: { $0.root == "page" && $0.firstMember == "records" })
    else { return nil }
    return ("'stop' would mistake a smaller page for the last one", "write 'short: end' instead of this 'stop'")
  }
}

extension FlowReader {
  /// Reports paths of `pages` that lead into the records. The response is kept without them, so such a path finds
  /// nothing, and with `missing: end` the pull would end after its first page.
  mutating func checkPagePaths(_ flow: FieldNodes, _ records: JSONPath?) {
    guard case .mapping(let mapping)? = flow.value(FlowKeys.pages)?.node.content,
      let steps = records?.singularSteps ?? records?.elementSteps, !steps.isEmpty
    else { return }
    let fields: [any FieldSpec] = [PagesKeys.from, PagesKeys.count, PagesKeys.more]
    for entry in mapping.entries where fields.contains(where: { $0.name == entry.name }) {
      guard case .scalar(let scalar) = entry.value.content, let path = try? JSONPath(parsing: scalar.text),
        let own = path.singularSteps, own.count > steps.count, own.starts(with: steps)
      else { continue }
      report(
        .invalidPath, "'\(printable(path.text))' leads into the records, which this key cannot read",
        at: entry.value.range, help: "take a value of the last record with 'from_last', for example 'from_last: $.id'")
    }
  }
}
