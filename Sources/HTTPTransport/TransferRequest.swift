/// One request, ready for libcurl: checked, with its URL built.
struct TransferRequest: Sendable {
  /// What is wanted of the server.
  enum Purpose: Sendable {
    /// An answer.
    case answer
    /// Only that a TCP connection opens.
    case probe
  }

  var purpose = Purpose.answer
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

  /// The request as messages show it: method and URL without query, which may hold secrets.
  var label: String { "\(method) \(url.prefix { $0 != "?" && $0 != "#" })" }
}
