public import JSONSyntax

/// A sign in a response that there is another page, by the names that interfaces commonly use for it.
///
/// Where a flow takes one page, or looks for the next one in a header that is not there, this distinguishes a pull that has all
/// records from one that has the first of them. A false alarm costs the user one line (`pages: none`), a miss costs
/// records; so names count that only look like paging, unless the response also says that this page is the last one.
public struct NextPageHint: Sendable, Hashable {
  /// What the sign is.
  public enum Kind: Sendable, Hashable {
    /// The URL of the next page.
    case url
    /// A token or number by which the next page is asked for.
    case token
    /// Only that there is more.
    case more
    /// A number of pages.
    case pages
    /// A number of records, of which the response holds fewer.
    case total(Int64, held: Int)
  }

  /// Where it is: a JSONPath such as `$.links.next`, or `header 'X-Next-Page'`.
  public let location: String
  /// What it is.
  public let kind: Kind

  init(at location: String, _ kind: Kind) {
    self.location = location
    self.kind = kind
  }

  /// The first sign in a response; nil when there is none, or when the response says that this page is the last one.
  ///
  /// - Parameters:
  ///   - envelope: the response without its records
  ///   - records: where the records are: what a single record holds says nothing of pages
  ///   - count: how many records the response holds; nil where that is not known
  public init?(in envelope: JSONValue, records: [JSONPath.Step]? = nil, count: Int? = nil) {
    var search = NextPageSearch(records: records, count: count)
    search.visit(envelope, [], depth: 1)
    guard let hint = search.hint else { return nil }
    self = hint
  }

  /// What the sign says, to stand after "the response ".
  public var words: String {
    if case .total(let total, let held) = kind {
      return "says \(total) records \(preposition) \(location) and holds \(held)"
    }
    return "says \(preposition) \(location) that there is another page"
  }

  private var preposition: String { location.hasPrefix("header") ? "in" : "at" }

  /// What to write for it.
  public var remedy: String {
    // In a flow mapping of YAML brackets end a plain text.
    let from = location.contains("[") ? "\"\(location)\"" : location
    return switch kind {
    case .url: "write 'pages: { by: next_url, from: \(from) }'"
    case .token: "write 'pages: { by: cursor, from: \(from), query: … }' with the parameter that takes it"
    case .pages: "write 'pages: { by: page, query: …, count: \(from) }' with the parameter that takes the page's number"
    case .total:
      "write 'pages: { by: offset, query: … }' or 'pages: { by: page, query: … }' with the server's parameter"
    case .more: "see how the server wants the next page to be asked for, and write that into 'pages'"
    }
  }
}
