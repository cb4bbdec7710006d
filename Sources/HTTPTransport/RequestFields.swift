internal import ReactorCore

/// The header fields of one request, checked, in the form that libcurl takes.
struct RequestFields: Sendable, Equatable {
  private static let framing = [
    "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Trailer", "TE", "Expect", "Keep-Alive",
    "Proxy-Connection",
  ]

  /// Whether a part of the resource is asked for.
  let asksForRange: Bool
  private var fields: [Headers.Field]

  /// The connection's fields and the resource's, which win over those of the same name.
  init(_ resource: Headers, options: HTTPOptions) throws(ReactorError) {
    var fields = options.headers.fields.filter { field in
      !resource.fields.contains { Headers.matches($0.name, field.name) }
    }
    fields += resource.fields
    try Headers(fields).check()
    for field in fields {
      guard !Self.framing.contains(where: { Headers.matches($0, field.name) }) else {
        throw .server("the header '\(field.name)' cannot be set: the transport sees to it")
      }
    }
    asksForRange = fields.contains { Headers.matches($0.name, "Range") }
    self.fields = fields
  }

  /// Drops what another origin must not see.
  mutating func dropSecrets(of options: HTTPOptions) { fields.removeAll { options.isSecret($0.name) } }

  /// Drops what described a body that is sent no more.
  mutating func dropContent() { fields.removeAll { $0.name.lowercased().hasPrefix("content-") } }

  /// The lines for the server.
  ///
  /// - Parameters:
  ///   - userAgent: the connection's, unless a field says otherwise
  ///   - toProxy: whether a proxy reads them too, and so its credentials go along
  func lines(userAgent: String, hasBody: Bool, toProxy: Bool) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(fields.count + 4)
    for field in fields where toProxy || !Headers.matches(field.name, "Proxy-Authorization") {
      // libcurl's notation: a colon without a value would remove the field.
      lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if !has("User-Agent") { lines.append("User-Agent: \(userAgent)") }
    if !has("Accept-Encoding") { lines.append("Accept-Encoding: \(ContentCoding.accepted)") }
    if hasBody {
      // No second of waiting for "100 Continue", and no content type but the declared one.
      lines.append("Expect:")
      if !has("Content-Type") { lines.append("Content-Type:") }
    }
    return lines
  }

  /// The lines for a proxy that only tunnels.
  var proxyLines: [String] {
    fields.filter { Headers.matches($0.name, "Proxy-Authorization") }.map { "\($0.name): \($0.value)" }
  }

  private func has(_ name: String) -> Bool { fields.contains { Headers.matches($0.name, name) } }
}
