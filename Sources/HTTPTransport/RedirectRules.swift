internal import WebSyntax

/// Decides where a redirect leads and what is sent there, by RFC 9110 section 15.4 and a policy.
struct RedirectRules {
  /// The next request.
  struct Step: Equatable {
    var url: WebURL
    var method: String
    var keepsBody: Bool
    /// Whether secrets may be sent; false when the origin changes.
    var keepsSecrets: Bool
  }

  /// Why a redirect is not followed; the reason completes "the response …".
  struct RedirectError: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  let policy: HTTPRedirects

  /// Returns the next request. Nil when the response is not a redirect that must be followed.
  ///
  /// - Parameter followed: the number of redirects that led to this response
  func step(
    status: Int, locations: [String], from url: WebURL, method: String, followed: Int
  ) throws(RedirectError) -> Step? {
    guard policy.scope != .none, [301, 302, 303, 307, 308].contains(status), let location = locations.first else {
      return nil
    }
    guard locations.allSatisfy({ $0 == location }) else { throw RedirectError("redirects to two different URLs") }
    guard followed < policy.limit else {
      throw RedirectError("is redirect number \(followed + 1), and \(policy.limit) are allowed")
    }
    let target: WebURL
    do throws(WebURL.LinkError) {
      target = try url.following(location)
    } catch {
      switch error {
      case .malformed: throw RedirectError("redirects to something that is not a URL")
      case .user: throw RedirectError("redirects to a URL with user information, which is refused")
      case .scheme(let scheme):
        let shown = scheme.count > 20 ? scheme.prefix(20) + "…" : scheme[...]
        throw RedirectError("redirects to the scheme '\(shown)', which is refused")
      }
    }
    let origin = Origin(target)
    if url.scheme == "https", target.scheme == "http", !policy.allowsDowngrade {
      throw RedirectError("redirects from https to http (\(origin)), which is refused")
    }
    let staysHome = origin == Origin(url)
    guard staysHome || policy.scope == .anyOrigin else {
      throw RedirectError("redirects to another origin, \(origin), which is refused unless the flow allows it")
    }
    let becomesGet = status == 303 && method != "HEAD" || (status == 301 || status == 302) && method == "POST"
    return Step(
      url: target, method: becomesGet ? "GET" : method, keepsBody: !becomesGet, keepsSecrets: staysHome)
  }
}
