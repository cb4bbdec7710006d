import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Whether a flow says that one page is enough.
  func isOnePageMeant(_ flow: FieldNodes) -> Bool { word(of: flow.value("pages")) == "none" }

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
    guard !value.node.isNull, let fields = open(value.node, as: .pages, owner: value.key),
      let by = fields.value("by"), case .choice(let ways) = by.spec.kind, let word = choice(by, ways)
    else { return nil }
    refuse(fields, by: word)
    let hasPlace = word == "page" || word == "offset" || word == "cursor"
    let names = runtimeNames
    runtimeNames = names.filter { $0.name != "page" } + Self.answerNames
    defer { runtimeNames = names }
    // Of a request that could not be read nobody knows what it names.
    let isNamed = request.value?.mayUse("page") ?? true
    let mayHaveJSON = request.value.map { $0.body?.isJSON ?? !$0.isWhole } ?? true
    let place = hasPlace ? place(fields, by: by, isNamed: isNamed, bodyIsJSON: mayHaveJSON) : nil
    let stop = fields.value("stop").flatMap { expression($0, of: .bool) }
    guard let way = way(word, fields, by: by), !hasPlace || place != nil || isNamed else { return nil }
    var pages = PagesDeclaration(
      way: way, place: place, size: size(fields), count: jsonPath(fields.value("count")),
      more: jsonPath(fields.value("more")), stop: stop)
    if let max = bounded(fields.value("max")) { pages.max = max }
    if let parallel = bounded(fields.value("parallel")) { pages.parallel = parallel }
    pages.keepsPart = choice(fields.value("partial"), ["fail", "keep"]) == "keep"
    pages.mayLackNext = choice(fields.value("missing"), ["error", "end"]) == "end"
    return pages
  }

  private func word(of value: FieldValue?) -> String? {
    guard case .scalar(let scalar)? = value?.node.content, !scalar.isNull else { return nil }
    return scalar.text
  }

  /// What expressions over an answer may use.
  static let answerNames: [ExpressionType.Member] = [
    ExpressionType.Member("response", .dynamic), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("last", .dynamic), ExpressionType.Member("page", .object(["number": .int, "records": .int])),
  ]

  /// What templates of a request that goes through pages may use.
  static let pageName = ExpressionType.Member(
    "page", .object(["number": .int, "offset": .int, "token": .optional(.dynamic)]))

  /// An integer within the bounds that the key's description names.
  private mutating func bounded(_ value: FieldValue?) -> Int? {
    guard let value, case .integer(let bounds) = value.spec.kind else { return nil }
    return integer(value, in: bounds)?.value
  }

  /// Keys that mean nothing for a way of paging.
  private mutating func refuse(_ fields: FieldNodes, by word: String) {
    // A place that an answer may lack: that of the next page, or whether there is one.
    let missing = fields.key("more") == nil ? ["missing"] : []
    let source = ["from", "from_header", "from_last", "next"]
    let place = ["query", "header", "body"]
    let numbered = ["first", "count", "parallel"]
    let refused: [String] =
      switch word {
      case "page", "offset": source + missing + ["rel"]
      case "cursor": numbered + ["rel"]
      case "next_url": ["from_last", "rel"] + place + numbered
      default: source + place + numbered
      }
    for key in refused {
      guard let range = fields.key(key) else { continue }
      report(
        .misplacedPagesKey, "'\(key)' means nothing for pages by \(word)", at: range, help: "leave it out")
    }
  }

  private mutating func way(_ word: String, _ fields: FieldNodes, by: FieldValue) -> PagesDeclaration.Way? {
    switch word {
    case "page": .number(first: bounded(fields.value("first")) ?? 1)
    case "offset": .offset(first: bounded(fields.value("first")) ?? 0)
    case "link": .link(relation: relation(fields.value("rel")) ?? Located("next", at: by.node.range))
    case "cursor": source(fields, by: by).map { .cursor($0) }
    default: source(fields, by: by).map { .nextURL($0) }
    }
  }

  /// Where the answer tells what comes next: exactly one place.
  private mutating func source(_ fields: FieldNodes, by: FieldValue) -> Located<PagesDeclaration.Source>? {
    let keys = ["from", "from_header", "from_last", "next"].filter { fields.key($0) != nil }
    guard keys.count == 1 else {
      if let later = keys.compactMap({ fields.key($0) }).max(by: { $0.offsets.lowerBound < $1.offsets.lowerBound }) {
        report(.misplacedPagesKey, "the next page is told in one place, not in \(keys.count)", at: later)
      } else if !fields.isFaulty {
        report(
          .incompletePages, "nothing says where the answer tells the next page", at: by.node.range,
          help: "add 'from: $.next', 'from_header', 'from_last' or 'next'")
      }
      return nil
    }
    if let value = fields.value("from") { return jsonPath(value).map { Located(.answer($0.value), at: $0.range) } }
    if let value = fields.value("from_last") {
      return jsonPath(value).map { Located(.lastRecord($0.value), at: $0.range) }
    }
    if let value = fields.value("next") {
      return expression(value, of: .optional(.dynamic)).map { Located(.expression($0.value), at: $0.range) }
    }
    return fields.value("from_header").flatMap { name($0, role: .header) }.map {
      Located(.header($0.value), at: $0.range)
    }
  }

  private mutating func relation(_ value: FieldValue?) -> Located<String>? {
    value.flatMap { value in text(value).map { Located($0, at: value.node.range) } }
  }

  /// Where the request says which page is meant: exactly one place.
  private mutating func place(
    _ fields: FieldNodes, by: FieldValue, isNamed: Bool, bodyIsJSON: Bool
  ) -> PagesDeclaration.Place? {
    let keys = ["query", "header", "body"].filter { fields.key($0) != nil }
    if keys.isEmpty, isNamed { return nil }
    guard keys.count == 1 else {
      if let later = keys.compactMap({ fields.key($0) }).max(by: { $0.offsets.lowerBound < $1.offsets.lowerBound }) {
        report(.misplacedPagesKey, "the request names its page in one place, not in \(keys.count)", at: later)
      } else if !fields.isFaulty {
        report(
          .incompletePages, "nothing says where the request names its page", at: by.node.range,
          help: "add 'query: page', or 'header' or 'body'")
      }
      return nil
    }
    if let value = fields.value("query") { return name(value, role: .parameter).map { .query($0.value) } }
    if let value = fields.value("header") { return name(value, role: .header).map { .header($0.value) } }
    guard let value = fields.value("body"), let path = jsonPath(value) else { return nil }
    guard let steps = path.value.memberSteps else {
      report(
        .invalidPath, "'\(path.value.text)' does not name one member of the body", at: path.range,
        help: "write names only, for example $.variables.after")
      return nil
    }
    guard bodyIsJSON else {
      report(
        .incompletePages, "the request has no JSON body to name its page in", at: value.key,
        help: "add 'body: { json: {} }' to the resource, or use 'query'")
      return nil
    }
    return .body(steps)
  }

  private mutating func size(_ fields: FieldNodes) -> (place: PagesDeclaration.Place, count: Int)? {
    let name = fields.value("size_query").flatMap { self.name($0, role: .parameter) }
    let count = bounded(fields.value("size"))
    if let key = fields.key("size"), fields.isLeftOut("size_query") {
      report(
        .incompletePages, "nothing says where the request names the page size", at: key,
        help: "add, for example, 'size_query: limit'")
    }
    if let key = fields.key("size_query"), fields.isLeftOut("size") {
      report(.incompletePages, "'size_query' needs a 'size'", at: key, help: "add, for example, 'size: 100'")
    }
    guard let name, let count else { return nil }
    return (.query(name.value), count)
  }
}
