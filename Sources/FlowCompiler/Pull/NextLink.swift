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
  ///   - url: the URL that answered, after redirects
  /// - Throws: `.server` for what is no URL or leads to another origin.
  static func resolving(_ link: String, from url: String) throws(ReactorError) -> String {
    let here: WebURL
    let there: WebURL
    do throws(WebURLError) {
      here = try WebURL(url)
      there = try WebURL(link, relativeTo: here)
    } catch {
      throw .server("the next page's link is not a URL: \(error)")
    }
    return try checked(there, from: here)
  }

  /// The absolute URL of the `Link` header's first target with a relation (RFC 8288); nil without one.
  static func target(of relation: String, in headers: Headers, from url: String) throws(ReactorError) -> String? {
    let fields = headers.values("Link")
    if fields.isEmpty { return nil }
    let here: WebURL
    let there: WebURL?
    do throws(WebURLError) {
      here = try WebURL(url)
      there = try LinkHeader(fields).target(of: relation, from: here)
    } catch {
      throw .server("the next page's link is not a URL: \(error)")
    }
    guard let there else { return nil }
    return try checked(there, from: here)
  }

  private static func checked(_ there: WebURL, from here: WebURL) throws(ReactorError) -> String {
    guard there.isHTTP else {
      throw .server("the next page's link has the scheme '\(there.scheme.prefix(20))', which is refused")
    }
    guard !there.hasCredentials else {
      throw .server("the next page's link holds user information, which is refused")
    }
    guard there.origin == here.origin else {
      throw .server("the next page's link leads to another origin, \(there.origin ?? "none"), which is refused")
    }
    return there.requested
  }
}
