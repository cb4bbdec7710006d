internal import WebSyntax

/// The URL that resources are relative to: scheme, host, port, path and query (RFC 3986).
///
/// The scheme is `http` or `https`. A base URL always has a host and never has user information or a fragment.
public struct BaseURL: Sendable, Hashable {
  private let url: WrittenURL

  /// Scheme, host and port as in a URL, without a slash at the end.
  public let origin: String

  /// Parses a base URL. The error describes what to change and never contains a password.
  public init(parsing text: String) throws(ReactorError) {
    do throws(WrittenURLError) { url = try WrittenURL(text) } catch { throw .server("the base URL \(error)") }
    origin = "\(url.server.scheme)://\(url.server.authority)"
  }

  /// `http` or `https`.
  public var scheme: String { url.server.scheme }

  /// The host in lower case; an IP address in its usual notation, IPv6 in brackets.
  public var host: String { url.server.host ?? "" }

  /// The host, with the port when it is not the scheme's default port.
  public var authority: String { url.server.authority }

  /// The port of the URL; 80 or 443 when the URL has none.
  public var port: Int { url.server.effectivePort ?? 0 }

  /// The path, percent-encoded; it is empty or begins with a slash.
  public var path: String { url.path }

  /// The query, percent-encoded, without the question mark; nil when there is none.
  public var query: String? { url.query }
}
