internal import ByteCodings
internal import WebSyntax

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
    guard let url = try? WebURL(url), url.isHTTP, let origin = url.origin else { return nil }
    self.origin = origin
    path = url.path
    authorization =
      url.hasCredentials
      ? RecordedRequest.Field(
        "Authorization",
        "Basic " + Base64.encode(PercentCoding.decode(Array("\(url.username):\(url.password)".utf8)[...]))) : nil
    query = (url.query ?? "").split(separator: "&").map { part in
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        PercentCoding.decode($0.replacing("+", with: " "))
      }
      return RecordedRequest.Field(pieces[0], pieces.count > 1 ? pieces[1] : "")
    }
  }
}
