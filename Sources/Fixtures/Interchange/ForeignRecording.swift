/// Requests and responses that another program recorded, not yet scrubbed.
package struct ForeignRecording: Sendable {
  /// One of them.
  package struct Exchange: Sendable, Hashable {
    /// `GET`, …
    package var method: String
    /// With scheme and host.
    package var url: String
    /// Sent.
    package var requestHeaders: [RecordedRequest.Field] = []
    /// Sent.
    package var requestBody: [UInt8]?
    /// HTTP status.
    package var status: Int
    /// Received.
    package var headers: [RecordedRequest.Field] = []
    /// Received, content decoded.
    package var body: [UInt8] = []
  }

  /// In the order of the file.
  package var exchanges: [Exchange]
  /// What could not be taken, whole sentences without full stop.
  package var warnings: [String] = []

  /// Reads a recording; its content says its kind: HAR 1.2 (JSON), or a cassette (YAML) of VCR, vcrpy or go-vcr.
  package init(parsing bytes: [UInt8], path: String) throws(FixtureError) {
    let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 < 0x80 }
    self = first == UInt8(ascii: "{") ? try HARFile.read(bytes, path: path) : try VCRFile.read(bytes, path: path)
  }

  init(exchanges: [Exchange], warnings: [String]) {
    self.exchanges = exchanges
    self.warnings = warnings
  }

  /// The exchanges with a flow's server as a cassette, scrubbed.
  ///
  /// - Returns: the cassette, and how many exchanges were with other servers.
  package func cassette(
    flow: String, base: FixtureBase, matching: RequestMatching, secrets: [String: String], tool: String, now: String
  ) -> (cassette: Cassette, left: Int) {
    let scrubber = Scrubber(bases: [base], secrets: secrets)
    var entries: [Cassette.Entry] = []
    var left = 0
    for exchange in exchanges {
      let url = scrubber.scrub(Self.withoutFragment(exchange.url))
      guard url.hasPrefix(base.mark) else {
        left += 1
        continue
      }
      let fields = exchange.requestHeaders.map { RecordedRequest.Field($0.name, scrubber.scrub($0.value)) }
      let request = RecordedRequest(
        method: exchange.method.uppercased(),
        url: RecordedRequest.canonical(url == base.mark ? url + "/" : url), headers: matching.counted(fields),
        body: exchange.requestBody.map { RecordedRequest.canonical(scrubber.scrub($0)) })
      let encoding = exchange.headers.first { $0.name.lowercased() == "content-encoding" }?.value
      let length = exchange.headers.first { $0.name.lowercased() == "content-length" }?.value
      let response = RecordedResponse(
        status: exchange.status,
        headers: VolatileHeaders.recorded(exchange.headers, scrubber),
        transport: encoding.map { .init(encoding: $0, wireLength: length) },
        body: scrubber.scrub(exchange.body))
      entries.append(Cassette.Entry(request: request, answer: .response(response)))
    }
    return (
      Cassette(flow: flow, recordedAt: now, tool: tool, numbering: entries, by: matching), left
    )
  }

  private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

  /// Whether a body is still in the encoding that its header names; then it cannot be taken.
  static func isStillEncoded(_ body: [UInt8]) -> Bool {
    body.starts(with: [0x1F, 0x8B]) || body.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
  }
}
