internal import ReactorCore
internal import WebSyntax

/// A link to the next page, or to later changes, resolved against the URL of the response.
///
/// The link must stay on the origin of that URL, because credentials are sent with the request.
enum NextLink {
  /// Returns the absolute URL of a link.
  ///
  /// - Parameters:
  ///   - link: relative or absolute, as the server wrote it
  ///   - url: the URL of the response, after redirects
  ///   - noun: what the link is, for messages
  /// - Throws: `.server` when the link is not a URL or leads to another origin.
  static func resolving(
    _ link: String, from url: String, as noun: String = "the next page's link"
  ) throws(ReactorError) -> String {
    try checked(link, from: page(url, noun), noun)
  }

  /// Returns the absolute URL of the first `Link` header target with a relation (RFC 8288); nil without one.
  ///
  /// - Throws: `.server` when the link is not a URL or leads to another origin, and for a malformed header with the
  ///   relation.
  static func target(of relation: String, in headers: Headers, from url: String) throws(ReactorError) -> String? {
    let fields = headers.values("Link")
    if fields.isEmpty { return nil }
    let header = LinkHeader(fields)
    let noun = "the next page's link"
    let page = try page(url, noun)
    guard let link = header.target(of: relation, from: page) else {
      // A malformed header is ignored (RFC 8288, appendix B), unless it contains the relation and could announce a
      // page.
      if let malformed = header.malformed, malformed.lowercased().contains(relation.lowercased()) {
        throw .server("the Link header names '\(relation)', but is malformed, starting at '\(malformed.prefix(80))'")
      }
      return nil
    }
    return try checked(link, from: page, noun)
  }

  private static func page(_ url: String, _ noun: String) throws(ReactorError) -> WebURL {
    do throws(WebURL.LinkError) { return try WebURL(requesting: url) } catch { throw refusal(error, noun) }
  }

  private static func checked(_ link: String, from page: WebURL, _ noun: String) throws(ReactorError) -> String {
    let url: WebURL
    do throws(WebURL.LinkError) { url = try page.following(link) } catch { throw refusal(error, noun) }
    guard url.origin == page.origin else {
      throw .server("\(noun) leads to another origin, \(url.origin ?? "none"), which is refused")
    }
    return url.requested
  }

  private static func refusal(_ error: WebURL.LinkError, _ noun: String) -> ReactorError {
    switch error {
    case .malformed(let error): .server("\(noun) is not a URL: it \(error)")
    case .scheme(let scheme):
      .server("\(noun) has the scheme '\(scheme.prefix(20))', which is refused")
    case .user: .server("\(noun) contains user information, which is refused")
    }
  }
}
