internal import ByteCodings

/// A URL taken apart, with the names and values of the query decoded.
package struct RequestURL: Sendable, Hashable {
  /// Scheme, host and port.
  package let origin: String
  /// Begins with a slash.
  package let path: String
  /// In order.
  package let query: [RecordedRequest.Field]
  /// User name and password of the URL, as the header that they become.
  package let authorization: RecordedRequest.Field?

  /// Takes a whole http or https URL apart; nil for any other text.
  package init?(_ url: String) {
    guard let scheme = url.firstRange(of: "://"), ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
    else { return nil }
    let rest = url[scheme.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let at = authority.lastIndex(of: "@")
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard !host.isEmpty else { return nil }
    authorization = at.map { at in
      let credentials = PercentText.bytes(String(authority[..<at]))
      return RecordedRequest.Field("Authorization", "Basic " + Base64.encode(credentials))
    }
    origin = url[..<scheme.upperBound].lowercased() + host
    let after = rest[authority.endIndex...]
    let path = after.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : String(path)
    query = after[path.endIndex...].dropFirst().split(separator: "&").map { part in
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      func plain(_ text: Substring) -> String { PercentText.decoded(String(text).replacing("+", with: " ")) }
      return RecordedRequest.Field(plain(pieces[0]), pieces.count > 1 ? plain(pieces[1]) : "")
    }
  }
}
