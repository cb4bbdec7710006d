public import JSONSyntax

/// A place in which an answer tells of a next page, by the names that interfaces commonly use for it.
///
/// Where a flow takes one page, or looks for the next one in a header that is not there, this tells a pull that has all
/// from one that looks in the wrong place.
public struct ToldNextPage: Sendable, Hashable {
  /// What is told.
  public enum Kind: Sendable {
    case url
    case token
    /// Only that there is one.
    case more
  }

  /// Where, as a path: `$.links.next`.
  public let path: String
  /// What it tells.
  public let kind: Kind

  /// The first such place of an answer without its records, one that says what to ask for before one that only says that
  /// there is more; nil when there is none, or when all of them say that this page is the last one.
  ///
  /// - Parameter records: where the records are: what a single record holds tells nothing of pages
  public init?(in envelope: JSONValue, records: [JSONPath.Step]? = nil) {
    let token = Self.first(in: envelope, besides: records, depth: 3) { name, value, steps in
      Self.tokens.contains(name) ? Self.told(by: value, steps) : nil
    }
    // GraphQL has it at `$.data.orders.pageInfo.hasNextPage`.
    let found =
      token
      ?? Self.first(in: envelope, besides: records, depth: 4) { name, value, steps in
        Self.flags.contains(name) && value == .bool(true) ? ToldNextPage(steps, .more) : nil
      }
    guard let found else { return nil }
    self = found
  }

  /// What to write for it.
  public var remedy: String {
    // In a flow mapping of YAML brackets end a plain text.
    let from = path.contains("[") ? "\"\(path)\"" : path
    return switch kind {
    case .url: "write 'pages: { by: next_url, from: \(from) }'"
    case .token: "write 'pages: { by: cursor, from: \(from), query: … }' with the parameter that takes it"
    case .more: "see how the server wants the next page to be asked for, and write that into 'pages'"
    }
  }

  private init(_ steps: [JSONPath.Step], _ kind: Kind) {
    path = JSONPath(singular: steps).text
    self.kind = kind
  }

  /// What the first member says that says something: those of an object before those within them.
  private static func first(
    in value: JSONValue, _ steps: [JSONPath.Step] = [], besides records: [JSONPath.Step]?, depth: Int,
    _ tell: (_ name: String, JSONValue, [JSONPath.Step]) -> ToldNextPage?
  ) -> ToldNextPage? {
    guard depth > 0, steps != records, case .object(let object) = value else { return nil }
    // Nobody calls such a place by a long name, and the path is shown.
    let members = object.members.filter { $0.name.utf8.count <= longestName }
    for member in members {
      if let told = tell(plain(member.name), member.value, steps + [.name(member.name)]) { return told }
    }
    for member in members {
      if let told = first(in: member.value, steps + [.name(member.name)], besides: records, depth: depth - 1, tell) {
        return told
      }
    }
    return nil
  }

  private static func told(by value: JSONValue, _ steps: [JSONPath.Step]) -> ToldNextPage? {
    switch value {
    case .string(let text) where !text.isEmpty:
      return ToldNextPage(steps, text.contains("/") || text.hasPrefix("?") ? .url : .token)
    case .number(let number) where number.double != 0: return ToldNextPage(steps, .token)
    case .object(let link):
      // As HAL and JSON:API write a link.
      guard let target = link["href"]?.string, !target.isEmpty else { return nil }
      return ToldNextPage(steps + [.name("href")], .url)
    default: return nil
    }
  }

  /// `@odata.nextLink`, `next_link` and `NextLink` are one name.
  private static func plain(_ name: String) -> String {
    var name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    if name.hasPrefix("odata") { name.removeFirst(5) }
    return name
  }

  private static let longestName = 40

  private static let flags: Set<String> = ["hasmore", "hasmorepages", "hasnext", "hasnextpage", "moreresults"]

  private static let tokens: Set<String> = [
    "next", "nexturl", "nexturi", "nextlink", "nexthref", "nextpage", "nextpageurl", "nextpageuri", "nextpagelink",
    "nextpagetoken", "nextpagecursor", "nextpageid", "nextcursor", "nexttoken", "nextoffset", "nextmarker",
    "nextcontinuationtoken", "nextrecordsurl", "continuationtoken",
  ]
}
