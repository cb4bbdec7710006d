internal import WebSyntax

/// Host and port of a proxy, read from its URL in the same way as libcurl.
struct ProxyAddress: Equatable {
  let host: String
  let port: Int

  /// Parses a proxy URL; nil when the text has no host.
  init?(_ text: String) {
    let separator = text.firstRange(of: "://")
    let scheme = separator.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    // The scheme `proxy` has no default port, so the parser keeps every explicit port.
    guard let url = try? WebURL("proxy://\(text[(separator?.upperBound ?? text.startIndex)...])"), let host = url.host,
      !host.isEmpty
    else { return nil }
    self.host = host.lowercased()
    port = url.port ?? (scheme == "https" ? 443 : 1080)
  }
}
