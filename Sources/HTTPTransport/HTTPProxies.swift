/// The proxies of a connection, in the notation of the environment variables with the same names.
public struct HTTPProxies: Sendable, Hashable {
  /// `http_proxy`: the proxy for http URLs; nil or empty means no proxy.
  public var http: String?
  /// `https_proxy`: the proxy for https URLs; nil or empty means no proxy.
  public var https: String?
  /// `no_proxy`: the hosts that are requested directly, separated by commas, spaces or tabs.
  ///
  /// An entry is a name (which includes its subdomains), an address or a network (`10.0.0.0/8`), each with an optional
  /// port. The entry `*` means all hosts.
  public var noProxy: String

  /// Creates a set of proxies.
  public init(http: String? = nil, https: String? = nil, noProxy: String = "") {
    self.http = http
    self.https = https
    self.noProxy = noProxy
  }

  /// The proxy for an origin; nil when requests go to the origin directly.
  func proxy(for origin: Origin) -> String? {
    guard let proxy = origin.scheme == "https" ? https : http, !proxy.isEmpty else { return nil }
    return bypasses(origin) ? nil : proxy
  }

  private func bypasses(_ origin: Origin) -> Bool {
    let host = Self.plain(origin.host)
    for entry in noProxy.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
      if entry == "*" { return true }
      let (pattern, port) = Self.parts(of: entry)
      if let port, port != origin.port { continue }
      if Self.matches(pattern, host) { return true }
    }
    return false
  }

  /// The host in lower case, without brackets and without a final dot.
  private static func plain(_ host: some StringProtocol) -> String {
    var text = host.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// The host part of an entry, and its port if it has one.
  private static func parts(of entry: Substring) -> (pattern: String, port: Int?) {
    if entry.hasPrefix("[") {
      guard let end = entry.firstIndex(of: "]") else { return (plain(entry), nil) }
      let rest = entry[entry.index(after: end)...]
      return (plain(entry[...end]), rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil)
    }
    // More than one colon: an IPv6 address without brackets, which cannot carry a port.
    guard let colon = entry.firstIndex(of: ":"), colon == entry.lastIndex(of: ":"),
      let port = Int(entry[entry.index(after: colon)...])
    else { return (plain(entry), nil) }
    return (plain(entry[..<colon]), port)
  }

  private static func matches(_ pattern: String, _ host: String) -> Bool {
    if let slash = pattern.firstIndex(of: "/") {
      guard let bits = Int(pattern[pattern.index(after: slash)...]),
        let network = InternetAddress(String(pattern[..<slash])), let address = InternetAddress(host)
      else { return false }
      return address.isInside(network, bits: bits)
    }
    if let address = InternetAddress(host) { return InternetAddress(pattern) == address }
    let name = pattern.hasPrefix(".") ? String(pattern.dropFirst()) : pattern
    return !name.isEmpty && (host == name || host.hasSuffix("." + name))
  }
}
