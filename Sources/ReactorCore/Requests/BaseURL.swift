internal import WebSyntax

/// The URL that resources are relative to: scheme, host, port, path and query (RFC 3986).
///
/// Only `http` and `https`, always with a host, never with user information or a fragment.
public struct BaseURL: Sendable, Hashable {
  private let url: WrittenURL

  /// Scheme, host and port as they are written in a URL, without a slash at the end.
  public let origin: String

  /// Reads a base URL; the error says what to change and never repeats a password.
  public init(parsing text: String) throws(ReactorError) {
    do throws(WrittenURLError) { url = try WrittenURL(text) } catch { throw .server("the base URL \(error)") }
    origin = "\(url.server.scheme)://\(url.server.authority)"
  }

  /// `http` or `https`.
  public var scheme: String { url.server.scheme }

  /// The host in lower case; an address in its usual notation, IPv6 in brackets.
  public var host: String { url.server.host ?? "" }

  /// The host, and the port where it is not the scheme's own.
  public var authority: String { url.server.authority }

  /// The port: the one written, else 80 or 443.
  public var port: Int { url.server.effectivePort ?? 0 }

  /// The path, percent-encoded; empty, or with a leading slash.
  public var path: String { url.path }

  /// The query, percent-encoded, without its question mark; nil when there is none.
  public var query: String? { url.query }
}
