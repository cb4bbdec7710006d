internal import ReactorCore
internal import WebSyntax

/// A link to the next page, resolved against the URL that gave it.
///
/// It must stay on the origin that gave it, because credentials go along with the request.
enum NextLink {
  /// The absolute URL of a link.
  ///
  /// - Parameters:
  ///   - link: relative or absolute, as the server wrote it
  ///   - url: the URL of the response, after redirects
  /// - Throws: `.server` for what is no URL or leads to another origin.
  static func resolving(_ link: String, from url: String) throws(ReactorError) -> String {
    try checked(link, from: page(url))
  }

  /// The absolute URL of the `Link` header's first target with a relation (RFC 8288); nil without one.
  ///
  /// - Throws: `.server` also for a malformed header that names the relation.
  static func target(of relation: String, in headers: Headers, from url: String) throws(ReactorError) -> String? {
    let fields = headers.values("Link")
    if fields.isEmpty { return nil }
    let header = LinkHeader(fields)
    let page = try page(url)
    guard let link = header.target(of: relation, from: page) else {
      // What is malformed is passed over (RFC 8288, appendix B), unless records may be behind it.
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
