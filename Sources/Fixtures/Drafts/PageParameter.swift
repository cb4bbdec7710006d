/// A query parameter and its role in paging.
package struct PageParameter: Sendable, Hashable {
  /// The role of a parameter in paging.
  package enum Role: Sendable {
    case page, offset, size, cursor
  }

  /// The name that the server expects.
  package let name: String
  /// The value that the sample sends, or the server's default.
  package let value: String?
  /// The maximum value that the server allows.
  package let maximum: Int64?
  /// Whether the request always sends the parameter.
  package let isSent: Bool
  /// The role in paging; nil when it has none.
  package let role: Role?

  /// Creates a parameter, and finds its role by its name and by whether its values are numbers.
  package init(_ name: String, value: String? = nil, maximum: Int64? = nil, isNumber: Bool, isSent: Bool) {
    self.name = name
    self.value = value
    self.maximum = maximum
    self.isSent = isSent
    switch Self.role(named: name) {
    // A value that is not a number is a token from an earlier response.
    case .page where !isNumber, .offset where !isNumber: role = .cursor
    case .size where !isNumber: role = nil
    case let found: role = found
    }
  }

  /// Creates a parameter that a person named, which the sample does not send.
  ///
  /// - Parameter takesToken: whether the server expects a token of an earlier response; otherwise the parameter is the
  ///   number of the page, unless its name means an offset
  package init(named name: String, takesToken: Bool) {
    self.name = name
    (value, maximum, isSent) = (nil, nil, false)
    role = takesToken ? .cursor : Self.role(named: name) == .offset ? .offset : .page
  }

  /// Creates a parameter from a request that was sent.
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
