internal import ReactorCore
internal import WebSyntax

/// Scheme, host and port of a URL. Secrets are not sent from one origin to another.
struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  let scheme: String
  /// The host in lower case. IPv6 addresses are in brackets and without their zone.
  let host: String
  /// The port; if the URL has none, the default port of the scheme.
  let port: Int

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    let zone = host.hasPrefix("[") ? host.firstIndex(of: "%") : nil
    self.host = zone.map { host[..<$0] + "]" } ?? host
    self.port = port
  }

  init(_ base: BaseURL) { self.init(scheme: base.scheme, host: base.host, port: base.port) }

  /// The origin of an http URL.
  init(_ url: WebURL) { self.init(scheme: url.scheme, host: url.host ?? "", port: url.effectivePort ?? 0) }

  /// The origin such as `https://host`; the port follows when it is not the scheme's default.
  var description: String {
    port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
