public import ReactorCore

/// A link to the next page, resolved against the URL that gave it.
public enum NextAddress {
  /// The absolute URL of a link: it must stay on the origin that gave it, because credentials go along with the request.
  ///
  /// - Parameters:
  ///   - link: relative or absolute, as the server wrote it
  ///   - url: the URL that answered, after redirects
  /// - Throws: `.server` for what is no URL or leads to another origin.
  public static func resolving(_ link: String, from url: String) throws(ReactorError) -> String {
    let here: WebAddress
    let there: WebAddress
    do throws(WebAddress.Fault) {
      here = try WebAddress(url)
      there = try here.resolving(link)
    } catch {
      if case .scheme(let scheme) = error {
        throw .server("the next page's link has the scheme '\(scheme.prefix(20))', which is refused")
      }
      throw .server("the next page's link is not a URL")
    }
    guard !there.hasUser else { throw .server("the next page's link holds user information, which is refused") }
    guard there.origin == here.origin else {
      throw .server("the next page's link leads to another origin, \(there.origin), which is refused")
    }
    return there.text
  }
}
