internal import WebSyntax

/// Host and port of a proxy as libcurl would read its URL.
struct ProxyAddress: Equatable {
  let host: String
  let port: Int

  /// Nil when the text names no host.
  init?(_ text: String) {
    let separator = text.firstRange(of: "://")
    let scheme = separator.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    // A scheme without a port of its own keeps the one that is written.
    guard let url = try? WebURL("proxy://\(text[(separator?.upperBound ?? text.startIndex)...])"), let host = url.host,
      !host.isEmpty
    else { return nil }
    self.host = host.lowercased()
    port = url.port ?? (scheme == "https" ? 443 : 1080)
  }
}
