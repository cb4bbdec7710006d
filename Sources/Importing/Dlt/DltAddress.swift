internal import ByteCodings
internal import WebSyntax

/// The address of a resource: its server, its path and its query.
struct DltAddress {
  /// The URL before the path, such as `https://example.com/v1` from `base_url`, without user information and without
  /// slashes at its end.
  let server: String
  let path: String
  let query: [(name: String, value: String)]
  /// The user name and the password in the URL, not percent-encoded; nil for a URL without them.
  let user: (name: String, password: String)?

  /// - Parameters:
  ///   - path: the path of the resource as written, which may be a whole URL
  ///   - base: the value of `base_url`; nil for none
  ///
  /// Returns nil if neither the path nor `base` has a server.
  init?(_ path: String, base: String?) {
    var (server, rest) = (base ?? "", path)
    if Self.isWhole(path) {
      (server, rest) = URLText.origin(of: path)
      // A query may follow the host directly, without a path.
      let (host, question) = URLText.split(server, at: "?")
      if host.utf8.count < server.utf8.count { (server, rest) = (host, "/?\(question)") }
    }
    guard !server.isEmpty else { return nil }
    let (inner, question) = URLText.split(rest, at: "?")
    self.path = inner
    query = URLText.pairs(question).map { (Self.decoded($0.name), Self.decoded($0.value)) }
    while server.hasSuffix("/") { server.removeLast() }
    (self.server, user) = Self.withoutUser(server)
  }

  /// Whether the path of a resource is a whole URL.
  static func isWhole(_ path: String) -> Bool { path.hasPrefix("http://") || path.hasPrefix("https://") }

  /// A path as messages show it: without a server and without a query.
  static func label(_ path: String) -> String {
    let inner = isWhole(path) ? URLText.origin(of: path).1 : path
    return URLText.split(inner, at: "?").0
  }

  /// Returns a URL without its user information, and the user name and the password that it contained.
  static func withoutUser(_ url: String) -> (url: String, user: (name: String, password: String)?) {
    guard let start = url.firstRange(of: "://")?.upperBound else { return (url, nil) }
    let host = url[start...].prefix { !"/?#".contains($0) }
    guard let at = host.lastIndex(of: "@") else { return (url, nil) }
    let (name, password) = URLText.split(String(host[..<at]), at: ":")
    return (
      String(url[..<start]) + url[host.index(after: at)...],
      (PercentCoding.decode(name), PercentCoding.decode(password))
    )
  }

  private static func decoded(_ text: String) -> String { PercentCoding.decode(text.replacing("+", with: " ")) }
}
