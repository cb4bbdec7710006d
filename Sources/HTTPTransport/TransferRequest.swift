/// One request, ready for libcurl: checked, with its URL built.
struct TransferRequest: Sendable {
  /// What the request is for.
  enum Purpose: Sendable {
    /// A response.
    case response
    /// Only that a TCP connection opens, to a host or proxy that messages call so.
    case probe(String)
  }

  var purpose = Purpose.response
  var method: String
  /// Absolute, without user information.
  var url: String
  var headers: HeaderList?
  /// Fields for the proxy itself.
  var proxyHeaders: HeaderList?
  var body: [UInt8]?
  var proxy: String?
  var asksForRange = false
  /// Whether the host's address must be in a range of the connection's list, its name not being listed.
  var needsRange = false
  /// On the monotonic clock, nanoseconds.
  var deadline: UInt64
  var settings: TransferSettings

  /// Whether it goes over TLS.
  var isSecure: Bool { url.hasPrefix("https:") }

  /// Whether nothing is sent over the connection.
  var isProbe: Bool { if case .probe = purpose { true } else { false } }

  /// What an error of it begins with: method and URL without query, which may hold secrets.
  var label: String {
    switch purpose {
    case .response: "\(method) \(url.prefix { $0 != "?" && $0 != "#" })"
    case .probe(let name): "\(name) is not reachable"
    }
  }
}
