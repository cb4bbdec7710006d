internal import JSONSyntax
internal import ReactorCore

extension DraftFile {
  /// The user's options for a draft.
  package struct Wishes: Sendable {
    /// The flow's name; nil to derive it from the path.
    package var name: String?
    /// The base URL; nil to use the server of the source.
    package var base: String?

    /// Creates options.
    package init(name: String? = nil, base: String? = nil) {
      self.name = name
      self.base = base
    }
  }

  /// Creates a draft from the content of a file: OpenAPI 3, HAR, or a response.
  package init(_ bytes: [UInt8], path: String, _ wishes: Wishes) throws(FixtureError) {
    let value = try OpenAPIDocument.value(bytes, path: path)
    if OpenAPIDocument.isOne(value) {
      try self.init(OpenAPIDocument(value), path: path, wishes)
    } else if value["swagger"]?.string != nil, value["paths"] != nil {
      throw FixtureError("'\(path)' is a Swagger 2 document", help: "convert it to OpenAPI 3")
    } else if value["log"]?["entries"] != nil {
      try self.init(try ForeignRecording(parsing: bytes, path: path), path: path, wishes)
    } else {
      var flow = DraftFlow(name: wishes.name ?? "records", path: DraftText("/"))
      flow.notes.append("The sample does not say where it came from: write the path.")
      flow.take(InferredFlow(value), query: [])
      self.init([flow], base: wishes.base ?? "https://api.example.com")
    }
  }

  private init(_ document: OpenAPIDocument, path: String, _ wishes: Wishes) throws(FixtureError) {
    guard !document.flows.isEmpty else { throw FixtureError("'\(path)' describes no GET operation") }
    guard let base = wishes.base ?? document.server else {
      throw FixtureError("'\(path)' has no complete server URL", help: "give the URL with --base-url")
    }
    self.init(document.flows, base: base)
    description = document.title
    variables = document.variables
  }

  /// Creates a flow for each path whose response is JSON.
  ///
  /// Only the server with the most such responses is used.
  private init(_ recording: ForeignRecording, path: String, _ wishes: Wishes) throws(FixtureError) {
    var counts: [String: Int] = [:]
    let usable = recording.exchanges.compactMap { exchange -> (ForeignRecording.Exchange, RequestURL, JSONValue)? in
      guard (200..<300).contains(exchange.status), let url = RequestURL(exchange.url),
        let body = try? JSONValue(parsing: exchange.body)
      else { return nil }
      counts[url.origin, default: 0] += 1
      return (exchange, url, body)
    }
    guard let origin = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      throw FixtureError("'\(path)' contains no JSON response")
    }
    var seen: Set<String> = []
    var flows: [DraftFlow] = []
    for (exchange, url, body) in usable {
      guard url.origin == origin, seen.insert("\(exchange.method) \(url.path)").inserted else { continue }
      var flow = DraftFlow(
        name: nil, method: exchange.method, url, headers: exchange.requestHeaders,
        body: exchange.requestBody.map { String(decoding: $0, as: UTF8.self) })
      let headers = Headers(exchange.headers.map { Headers.Field($0.name, $0.value) })
      flow.take(InferredFlow(body, headers: headers), query: url.query)
      flows.append(named: flow)
    }
    self.init(flows, base: wishes.base ?? origin)
  }
}
