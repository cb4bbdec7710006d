internal import ReactorCore

/// The checked header fields of one request, which become lines for libcurl.
struct RequestFields: Sendable, Equatable {
  private static let framing = [
    "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Trailer", "TE", "Expect", "Keep-Alive",
    "Proxy-Connection",
  ]

  /// Whether the request has a Range field, so a partial response is expected.
  let asksForRange: Bool
  private var fields: [Headers.Field]

  /// Joins the fields of the connection and of the resource. For equal names the resource's field is used.
  init(_ resource: Headers, options: HTTPOptions) throws(ReactorError) {
    var fields = options.headers.fields.filter { field in
      !resource.fields.contains { Headers.matches($0.name, field.name) }
    }
    fields += resource.fields
    try Headers(fields).check()
    for field in fields {
      guard !Self.framing.contains(where: { Headers.matches($0, field.name) }) else {
        throw .server("the header '\(field.name)' cannot be set: the transport sets it")
      }
    }
    asksForRange = fields.contains { Headers.matches($0.name, "Range") }
    self.fields = fields
  }

  // Not by `removeAll`: the optimizer leaves one of its checks of bounds out or not, by where its own memory lies, so that
  // two builds differ (docs/decisions/packages.md).

  /// Drops the fields that another origin must not receive.
  mutating func dropSecrets(of options: HTTPOptions) { fields = fields.filter { !options.isSecret($0.name) } }

  /// Drops the fields that describe the body, because the request no longer has a body.
  mutating func dropContent() { fields = fields.filter { !$0.name.lowercased().hasPrefix("content-") } }

  /// The header lines for the server.
  ///
  /// - Parameters:
  ///   - userAgent: the value of the User-Agent field, unless the fields already contain one
  ///   - traceparent: the value of the field of that name, unless the fields already contain one
  ///   - toProxy: whether a proxy reads the lines too; then they include the proxy's credentials
  func lines(userAgent: String, traceparent: String?, hasBody: Bool, toProxy: Bool) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(fields.count + 5)
    for field in fields where toProxy || !Headers.matches(field.name, "Proxy-Authorization") {
      // libcurl's notation for an empty value is "name;". The notation "name:" would remove the field.
      lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if !has("User-Agent") { lines.append("User-Agent: \(userAgent)") }
    if !has("Accept-Encoding") { lines.append("Accept-Encoding: \(ContentCoding.accepted)") }
    if let traceparent, !has("traceparent") { lines.append("traceparent: \(traceparent)") }
    if hasBody {
      // "Expect:" avoids the wait of one second for "100 Continue"; "Content-Type:" avoids libcurl's default type.
      lines.append("Expect:")
      if !has("Content-Type") { lines.append("Content-Type:") }
    }
    return lines
  }

  /// The header lines for a proxy that only forwards a tunnel.
  var proxyLines: [String] {
    fields.filter { Headers.matches($0.name, "Proxy-Authorization") }.map { "\($0.name): \($0.value)" }
  }

  private func has(_ name: String) -> Bool { fields.contains { Headers.matches($0.name, name) } }
}
