/// Requests and responses that another program recorded; secrets are not yet replaced.
package struct ForeignRecording: Sendable {
  /// A request and its response.
  package struct Exchange: Sendable, Hashable {
    /// The HTTP method, such as `GET`.
    package var method: String
    /// The URL with scheme and host.
    package var url: String
    /// The header fields of the request.
    package var requestHeaders: [RecordedRequest.Field] = []
    /// The body of the request.
    package var requestBody: [UInt8]?
    /// The HTTP status.
    package var status: Int
    /// The header fields of the response.
    package var headers: [RecordedRequest.Field] = []
    /// The body of the response, content decoded.
    package var body: [UInt8] = []
  }

  /// The exchanges in the order of the file.
  package var exchanges: [Exchange]
  /// The parts that could not be used, each a whole sentence without a full stop.
  package var warnings: [String] = []

  /// Parses a recording: HAR 1.2 (JSON), or a cassette (YAML) of VCR, vcrpy or go-vcr.
  ///
  /// The content determines the kind.
  package init(parsing bytes: [UInt8], path: String) throws(FixtureError) {
    let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 < 0x80 }
    self = first == UInt8(ascii: "{") ? try HARFile.read(bytes, path: path) : try VCRFile.read(bytes, path: path)
  }

  init(exchanges: [Exchange], warnings: [String]) {
    self.exchanges = exchanges
    self.warnings = warnings
  }

  /// Converts the exchanges with a flow's server to a cassette, and replaces secrets.
  ///
  /// Values of credentials that are not known secrets become marks with the name of their parameter or member.
  ///
  /// - Returns: the cassette, the number of exchanges with other servers, and the names of such credentials
  package func cassette(
    flow: String, base: FixtureBase, matching: RequestMatching, secrets: [String: String], tool: String, now: String
  ) -> (cassette: Cassette, left: Int, credentials: [String]) {
    var redaction = CredentialRedaction { Scrubber.mark(of: $0) }
    let scrubber = Scrubber(bases: [base], secrets: secrets)
    var entries: [Cassette.Entry] = []
    var left = 0
    for exchange in exchanges {
      let url = redaction.url(scrubber.scrub(Self.withoutFragment(exchange.url)))
      guard url.hasPrefix(base.mark) else {
        left += 1
        continue
      }
      let fields = exchange.requestHeaders.map { RecordedRequest.Field($0.name, scrubber.scrub($0.value)) }
      let request = RecordedRequest(
        method: exchange.method.uppercased(),
        url: RecordedRequest.canonical(url == base.mark ? url + "/" : url), headers: matching.counted(fields),
        body: exchange.requestBody.map { RecordedRequest.canonical(redaction.body(scrubber.scrub($0))) })
      let encoding = exchange.headers.first { $0.name.lowercased() == "content-encoding" }?.value
      let length = exchange.headers.first { $0.name.lowercased() == "content-length" }?.value
      let response = RecordedResponse(
        status: exchange.status,
        headers: VolatileHeaders.recorded(exchange.headers, scrubber),
        transport: encoding.map { .init(encoding: $0, wireLength: length) },
        body: redaction.body(scrubber.scrub(exchange.body)))
      entries.append(Cassette.Entry(request: request, outcome: .response(response)))
    }
    return (
      Cassette(flow: flow, recordedAt: now, tool: tool, numbering: entries, by: matching), left,
      Array(Set(redaction.names)).sorted()
    )
  }

  private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}
