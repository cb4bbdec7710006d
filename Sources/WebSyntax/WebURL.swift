/// A URL that is parsed, normalised and resolved by the WHATWG URL standard, as browsers do.
///
/// Servers write the URLs in `Location`, `Link` and next links for readers such as browsers. So these rules are used,
/// and not the strict grammar of RFC 3986:
/// - Tabs and line ends are dropped.
/// - In http URLs, a backslash is a separator like a slash.
/// - Dot segments are resolved, also when they are written as `%2e`.
/// - Hosts are lower-cased. Numbers as hosts are read as IPv4 addresses, in all notations.
/// - Default ports are removed.
/// - Each part of the URL has its own set of characters that are percent-encoded.
///
/// One rule is stricter than the standard: a host outside ASCII is refused and not mapped by IDNA (UTS 46); its `xn--`
/// form must be used. Every scheme can be read, because a redirect or a link may have any scheme; check `isHTTP`
/// before sending a request.
public struct WebURL: Sendable, Hashable {
  /// The scheme in lower case, without its colon.
  public internal(set) var scheme: String
  /// The user name, percent-encoded; empty when the URL has none.
  public internal(set) var username = ""
  /// The password, percent-encoded; empty when the URL has none.
  public internal(set) var password = ""
  /// The host as the URL contains it; nil when the URL has none.
  ///
  /// An IPv6 address is in brackets. In `file:///x`, the host is empty.
  public internal(set) var host: String?
  /// The port, 0 to 65535; nil when the URL has none or has the scheme's default port.
  public internal(set) var port: Int?
  /// The query, percent-encoded, without its question mark; empty for a bare `?`, nil when the URL has none.
  public internal(set) var query: String?
  /// The fragment, percent-encoded, without its number sign; nil when the URL has none.
  public internal(set) var fragment: String?

  /// The segments between the slashes of the path; unused when `opaquePath` is set.
  var segments: [String] = []
  /// The path of a URL like `mailto:someone`, which has no segments.
  var opaquePath: String?

  init(scheme: String) { self.scheme = scheme }

  /// Parses a URL; a relative URL is resolved against `base`.
  ///
  /// Resolution follows RFC 3986, with the details of the URL standard.
  ///
  /// - Complexity: linear in the text
  /// - Parameter allowsZone: whether an IPv6 address may have a zone (RFC 6874), which the standard refuses
  public init(_ text: String, relativeTo base: WebURL? = nil, allowsZone: Bool = false) throws(WebURLError) {
    var reader = URLReader(text, allowsZone: allowsZone)
    self = try reader.read(relativeTo: base)
  }

  /// The path, percent-encoded; a path with segments has a leading slash.
  public var path: String {
    opaquePath
      ?? segments.reduce(into: "") { text, segment in
        text += "/"
        text += segment
      }
  }

  /// Whether a request can be sent to the URL: its scheme is http or https. Such a URL always has a host.
  public var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether the URL has a user name or a password.
  public var hasCredentials: Bool { !username.isEmpty || !password.isEmpty }

  /// The port for a connection: the URL's port, otherwise the scheme's default port; nil when the scheme has none.
  public var effectivePort: Int? { port ?? Self.defaultPort(of: scheme) }

  /// Scheme, host and port as text (`https://example.com:8443`); nil for schemes whose URLs have no origin, such as
  /// `file`.
  public var origin: String? {
    switch scheme {
    case "http", "https", "ws", "wss", "ftp": return "\(scheme)://\(authority)"
    case "blob":
      guard let inner = try? WebURL(path), inner.isHTTP else { return nil }
      return inner.origin
    default: return nil
    }
  }

  /// Host and port as they are written in the URL and in a Host field; empty when the URL has no host.
  public var authority: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }

  /// The whole URL as text. Reading this text gives an equal value.
  public var serialized: String { text(credentials: true, fragment: true) }

  /// The URL for a request: without credentials and fragment.
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
      // Without these characters, the path would be read as a host.
      text += "/."
    }
    text += path
    if let query { text += "?" + query }
    if showsFragment, let fragment { text += "#" + fragment }
    return text
  }

  /// Whether the standard has special rules for the scheme: a host is required, and a backslash is a separator.
  static func isSpecial(_ scheme: String) -> Bool { scheme == "file" || defaultPort(of: scheme) != nil }

  static func defaultPort(of scheme: String) -> Int? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  /// Removes the last segment, unless it is a drive letter.
  mutating func shortenPath() {
    if scheme == "file", segments.count == 1, DriveLetter.isNormalized(segments[0].utf8) { return }
    if !segments.isEmpty { segments.removeLast() }
  }
}

extension WebURL: CustomStringConvertible {
  /// The URL in a form that may be shown: without its password.
  public var description: String {
    guard !password.isEmpty else { return serialized }
    var shown = self
    shown.password = "***"
    return shown.serialized
  }
}
