internal import ReactorCore
internal import WebSyntax

/// A link to the next page, resolved against the URL of the response.
///
/// The link must stay on the origin of that URL, because credentials are sent with the request.
enum NextLink {
  /// Returns the absolute URL of a link.
  ///
  /// - Parameters:
  ///   - link: relative or absolute, as the server wrote it
  ///   - url: the URL of the response, after redirects
  /// - Throws: `.server` when the link is not a URL or leads to another origin.
  static func resolving(_ link: String, from url: String) throws(ReactorError) -> String {
    try checked(link, from: page(url))
  }

  /// Returns the absolute URL of the first `Link` header target with a relation (RFC 8288); nil without one.
  ///
  /// - Throws: `.server` as for a link, and for a malformed header that contains the relation.
  static func target(of relation: String, in headers: Headers, from url: String) throws(ReactorError) -> String? {
    let fields = headers.values("Link")
    if fields.isEmpty { return nil }
    let header = LinkHeader(fields)
    let page = try page(url)
    guard let link = header.target(of: relation, from: page) else {
      // A malformed header is ignored (RFC 8288, appendix B), unless it could announce further records.
      if let malformed = header.malformed, malformed.lowercased().contains(relation.lowercased()) {
        throw .server("the Link header cannot be read from '\(malformed.prefix(80))' on, where '\(relation)' is named")
      }
      return nil
    }
    return try checked(link, from: page)
  }

  private static func page(_ url: String) throws(ReactorError) -> WebURL {
    do throws(WebURL.LinkError) { return try WebURL(requesting: url) } catch { throw refusal(error) }
  }

  private static func checked(_ link: String, from page: WebURL) throws(ReactorError) -> String {
    let url: WebURL
    do throws(WebURL.LinkError) { url = try page.following(link) } catch { throw refusal(error) }
    guard url.origin == page.origin else {
      throw .server("the next page's link leads to another origin, \(url.origin ?? "none"), which is refused")
    }
    return url.requested
  }

  private static func refusal(_ error: WebURL.LinkError) -> ReactorError {
    switch error {
    case .malformed(let error): .server("the next page's link is not a URL: it \(error)")
    case .scheme(let scheme):
      .server("the next page's link has the scheme '\(scheme.prefix(20))', which is refused")
    case .user: .server("the next page's link holds user information, which is refused")
    }
  }
}
