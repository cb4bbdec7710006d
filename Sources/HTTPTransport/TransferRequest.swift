/// One checked request, ready for libcurl.
struct TransferRequest: Sendable {
  /// The purpose of a request.
  enum Purpose: Sendable {
    /// To receive a response.
    case response
    /// To check that a TCP connection can be opened. The text names the host or proxy in messages.
    case probe(String)
  }

  var purpose = Purpose.response
  var method: String
  /// The absolute URL, without user information.
  var url: String
  var headers: HeaderList?
  /// The header fields for the proxy itself.
  var proxyHeaders: HeaderList?
  var body: [UInt8]?
  var proxy: String?
  var asksForRange = false
  /// Whether the host's address must be in an allowed range, because the host is not listed by name.
  var needsRange = false
  /// The certificate for the server; nil for another origin than the connection's.
  var clientCertificate: HTTPClientCertificate?
  /// The time at which the request fails, in nanoseconds on the monotonic clock.
  var deadline: UInt64
  var settings: TransferSettings
  /// Receives the times of the request; nil when nobody watches it.
  var span: (any RequestSpan)?

  /// Whether the request uses TLS.
  var isSecure: Bool { url.hasPrefix("https:") }

  /// Whether the request only opens a connection and sends no data.
  var isProbe: Bool { if case .probe = purpose { true } else { false } }

  /// The beginning of each error message of the request: its method and its URL.
  ///
  /// The query is left out because it may contain secrets.
  var label: String {
    switch purpose {
    case .response: "\(method) \(url.prefix { $0 != "?" && $0 != "#" })"
    case .probe(let name): "\(name) is not reachable"
    }
  }
}
