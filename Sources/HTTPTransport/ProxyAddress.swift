/// Host and port of a proxy as libcurl would read its URL.
struct ProxyAddress: Equatable {
  let host: String
  let port: Int

  /// Nil when the text names no host.
  init?(_ text: String) {
    var rest = text[...]
    var scheme = "http"
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      scheme = text[..<colon].lowercased()
      rest = text[colon...].dropFirst(3)
    }
    guard let address = try? WebAddress("http://\(rest)") else { return nil }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let hasPort = authority.last?.isNumber == true && authority.hasSuffix(":\(address.origin.port)")
    host = address.origin.host
    port = hasPort ? address.origin.port : scheme == "https" ? 443 : 1080
  }
}
