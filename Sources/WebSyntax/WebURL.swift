/// A URL, parsed, normalised and resolved by the rules of the WHATWG URL standard, as browsers do.
///
/// What servers write into `Location`, `Link` and next links is meant for such readers, so these rules and not RFC 3986's
/// strict grammar are followed: tabs and line ends are dropped, a backslash separates like a slash in http URLs, dot
/// segments are resolved (also as `%2e`), hosts are lower-cased, numbers as hosts are IPv4 addresses in any of their
/// spellings, default ports vanish, and each part is percent-encoded by its own set.
///
/// One rule is narrower: a host outside ASCII is refused, not mapped by IDNA (UTS 46); write its `xn--` form. Any scheme
/// can be read, because a redirect or a link may lead anywhere; ask `isHTTP` before asking a server.
public struct WebURL: Sendable, Hashable {
  /// The scheme in lower case, without its colon.
  public internal(set) var scheme: String
  /// The user name, percent-encoded; empty when there is none.
  public internal(set) var username = ""
  /// The password, percent-encoded; empty when there is none.
  public internal(set) var password = ""
  /// The host as it is written in the URL (an IPv6 address in brackets); nil when there is none, empty in `file:///x`.
  public internal(set) var host: String?
  /// The port, 0 to 65535; nil when none was written or it is the scheme's default.
  public internal(set) var port: Int?
  /// The query, percent-encoded, without its question mark; empty for a bare `?`, nil when there is none.
  public internal(set) var query: String?
  /// The fragment, percent-encoded, without its number sign; nil when there is none.
  public internal(set) var fragment: String?

  /// The names between the slashes of a path; unused where `opaquePath` is set.
  var segments: [String] = []
  /// The path of a URL like `mailto:someone`, which has no segments.
  var opaquePath: String?

  init(scheme: String) { self.scheme = scheme }

  /// Reads a URL; a relative one is resolved against `base` (RFC 3986's reference resolution, the standard's details).
  ///
  /// - Complexity: linear in the text.
  /// - Parameter allowsZone: whether an IPv6 address may have a zone (RFC 6874), which the standard refuses.
  public init(_ text: String, relativeTo base: WebURL? = nil, allowsZone: Bool = false) throws(WebURLError) {
    var reader = URLReader(text, allowsZone: allowsZone)
    self = try reader.read(relativeTo: base)
  }

  /// The path, percent-encoded, with its leading slash where it has segments.
  public var path: String {
    opaquePath
      ?? segments.reduce(into: "") { text, segment in
        text += "/"
        text += segment
      }
  }

  /// Whether a request can be sent to it: scheme http or https. Such a URL always has a host.
  public var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether it holds a user name or a password.
  public var hasCredentials: Bool { !username.isEmpty || !password.isEmpty }

  /// The port that a connection goes to: the one written, else the scheme's default; nil where the scheme has none.
  public var effectivePort: Int? { port ?? Self.defaultPort(of: scheme) }

  /// Scheme, host and port as text (`https://example.com:8443`); nil for schemes whose URLs have no origin in common.
  public var origin: String? {
    switch scheme {
    case "http", "https", "ws", "wss", "ftp": return "\(scheme)://\(authority)"
    case "blob":
      guard let inner = try? WebURL(path), inner.isHTTP else { return nil }
      return inner.origin
    default: return nil
    }
  }

  /// Host and port as in the URL and in a Host field; empty when there is no host.
  public var authority: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }

  /// The whole URL. Reading it again gives an equal value.
  public var serialized: String { text(credentials: true, fragment: true) }

  /// The URL of a request: without credentials and fragment.
  public var requested: String { text(credentials: false, fragment: false) }

  private func text(credentials: Bool, fragment showsFragment: Bool) -> String {
    var text = scheme + ":"
    if host != nil {
      text += "//"
      if credentials, hasCredentials {
        text += username
        if !password.isEmpty { text += ":" + password }
        text += "@"
      }
      text += authority
    } else if opaquePath == nil, segments.count > 1, segments[0].isEmpty {
      // Else the path would be read as a host.
      text += "/."
    }
    text += path
    if let query { text += "?" + query }
    if showsFragment, let fragment { text += "#" + fragment }
    return text
  }

  /// Whether the standard gives the scheme its own rules: a host is a must, a backslash separates.
  static func isSpecial(_ scheme: String) -> Bool { scheme == "file" || defaultPort(of: scheme) != nil }

  static func defaultPort(of scheme: String) -> Int? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  /// Removes the last segment; a drive letter stays.
  mutating func shortenPath() {
    if scheme == "file", segments.count == 1, DriveLetter.isNormalized(segments[0].utf8) { return }
    if !segments.isEmpty { segments.removeLast() }
  }
}

extension WebURL: CustomStringConvertible {
  /// The URL as it may be shown: without its password.
  public var description: String {
    guard !password.isEmpty else { return serialized }
    var shown = self
    shown.password = "***"
    return shown.serialized
  }
}
