public import JSONSyntax

/// A hint in a response that another page exists, found by the usual names for paging.
///
/// A flow may request only one page, or may look for the next page in a header that the response does not have. The
/// hint then distinguishes a complete pull from a pull that has only the first records. A false alarm costs the user
/// one line (`pages: none`), but a missed page costs records. Names that only resemble paging therefore count too,
/// unless the response also indicates that this page is the last page.
public struct NextPageHint: Sendable, Hashable {
  /// The kinds of hint.
  public enum Kind: Sendable, Hashable {
    /// The URL of the next page.
    case url
    /// A token or number that requests the next page.
    case token
    /// Only the information that more records exist.
    case more
    /// The number of pages.
    case pages
    /// The total number of records; the response has fewer.
    case total(Int64, held: Int)
  }

  /// The location of the hint: a JSONPath such as `$.links.next`, or `header 'X-Next-Page'`.
  public let location: String
  /// The kind of the hint.
  public let kind: Kind

  init(at location: String, _ kind: Kind) {
    self.location = location
    self.kind = kind
  }

  /// Finds the first hint in a response; nil when there is none, or when this page is the last page.
  ///
  /// - Parameters:
  ///   - envelope: the response without its records
  ///   - records: the path of the records; the members of a single record are not hints
  ///   - count: the number of records in the response; nil where it is not known
  public init?(in envelope: JSONValue, records: [JSONPath.Step]? = nil, count: Int? = nil) {
    var search = NextPageSearch(records: records, count: count)
    search.visit(envelope, [], depth: 1)
    guard let hint = search.hint else { return nil }
    self = hint
  }

  /// The meaning of the hint, as the rest of a sentence that begins with "the response ".
  public var words: String {
    if case .total(let total, let held) = kind {
      return "says \(total) records \(preposition) \(location) and contains \(held)"
    }
    return "says \(preposition) \(location) that there is another page"
  }

  private var preposition: String { location.hasPrefix("header") ? "in" : "at" }

  /// The declaration of paging that the user should write.
  public var remedy: String {
    // Inside a flow mapping of YAML, a bracket ends an unquoted text.
    let from = location.contains("[") ? "\"\(location)\"" : location
    return switch kind {
    case .url: "write 'pages: { by: next_url, from: \(from) }'"
    case .token: "write 'pages: { by: cursor, from: \(from), query: … }' with the parameter that takes the token"
    case .pages: "write 'pages: { by: page, query: …, count: \(from) }' with the parameter that takes the page's number"
    case .total:
      "write 'pages: { by: offset, query: … }' or 'pages: { by: page, query: … }' with the server's parameter"
    case .more: "find out how the server expects the next page to be requested, and declare that in 'pages'"
    }
  }
}
