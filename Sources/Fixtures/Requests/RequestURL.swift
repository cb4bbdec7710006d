internal import ByteCodings
internal import WebSyntax

/// The parts of a URL, with the names and values of the query decoded.
package struct RequestURL: Sendable, Hashable {
  /// Scheme, host and port.
  package let origin: String
  /// The path, which begins with a slash.
  package let path: String
  /// The query parameters in order.
  package let query: [RecordedRequest.Field]
  /// The user name and password of the URL, as an `Authorization` header.
  package let authorization: RecordedRequest.Field?

  /// Parses an absolute http or https URL; nil for any other text.
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
