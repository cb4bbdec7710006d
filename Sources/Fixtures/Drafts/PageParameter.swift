/// A query parameter as far as it has to do with pages.
package struct PageParameter: Sendable, Hashable {
  /// What a parameter says of pages.
  package enum Role: Sendable {
    case page, offset, size, cursor
  }

  /// As the server knows it.
  package let name: String
  /// What the sample sends, or what the server takes for absent.
  package let value: String?
  /// The greatest value that is allowed.
  package let maximum: Int64?
  /// Whether the request sends it in any case.
  package let isSent: Bool
  /// What it says of pages; nil for nothing.
  package let role: Role?

  /// Judges by the name and by the form of its values.
  package init(_ name: String, value: String? = nil, maximum: Int64? = nil, isNumber: Bool, isSent: Bool) {
    self.name = name
    self.value = value
    self.maximum = maximum
    self.isSent = isSent
    switch Self.role(named: name) {
    // What is no number is a token that a response gave.
    case .page where !isNumber, .offset where !isNumber: role = .cursor
    case .size where !isNumber: role = nil
    case let found: role = found
    }
  }

  /// A parameter of a request that was sent.
  package init(_ field: RecordedRequest.Field) {
    self.init(field.name, value: field.value, isNumber: Int64(field.value) != nil, isSent: true)
  }

  static func role(named name: String) -> Role? { roles[DraftText.plain(name)] }

  private static let roles: [String: Role] = {
    let words: [(Role, String)] = [
      (.page, "currentpage p page pageindex pageno pagenum pagenumber"),
      (.offset, "offset pageoffset skip start startat startindex"),
      (.size, "count limit maxresults num pagelimit pagesize perpage resultsperpage rows rpp size take top"),
      (.cursor, "after continuation continuationtoken continue cursor marker nextcursor nexttoken"),
      (.cursor, "pageafter pagecursor pagetoken scrollid startcursor startingafter"),
    ]
    let pairs = words.flatMap { role, names in names.split(separator: " ").map { (String($0), role) } }
    return Dictionary(pairs) { first, _ in first }
  }()
}
