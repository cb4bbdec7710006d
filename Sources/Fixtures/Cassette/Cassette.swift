internal import Storage

/// A recording of the requests of one flow and their responses, with secrets replaced.
///
/// Each entry has a request and its outcome. The entries are sorted by the keys of the requests.
package struct Cassette: Sendable, Hashable {
  /// The version of the file format.
  package static let version = Int(StateVersion.recordings.number)

  /// The flow's id.
  package var flow: String
  /// The time of the recording, RFC 3339 in UTC. A later recording without changes does not update it.
  package var recordedAt: String
  /// The version of the program that recorded the cassette.
  package var tool: String
  /// The entries in the order of the requests' keys.
  package var entries: [Entry]

  /// Creates a cassette and sorts the entries.
  package init(flow: String, recordedAt: String, tool: String, entries: [Entry]) {
    self.flow = flow
    self.recordedAt = recordedAt
    self.tool = tool
    self.entries = entries.sorted { $0.precedes($1) }
  }

  /// A request and its outcome.
  package struct Entry: Sendable, Hashable {
    /// The request that was sent.
    package var request: RecordedRequest
    /// The number of this request among equal requests, from 1.
    package var occurrence: Int
    /// The response or the error.
    package var outcome: Outcome

    /// Creates an entry.
    package init(request: RecordedRequest, occurrence: Int = 1, outcome: Outcome) {
      self.request = request
      self.occurrence = occurrence
      self.outcome = outcome
    }

    func precedes(_ other: Entry) -> Bool {
      if request != other.request { return request.precedes(other.request) }
      return occurrence < other.occurrence
    }
  }

  /// The response to a request, or the error.
  package enum Outcome: Sendable, Hashable {
    /// The server responded.
    case response(RecordedResponse)
    /// No response; `kind` is the raw value of the error's `ReactorError.Kind`.
    case failure(kind: String, message: String)
  }
}

/// A request in the notation of a cassette: secrets replaced, query sorted.
package struct RecordedRequest: Sendable, Hashable {
  /// A header field.
  package struct Field: Sendable, Hashable {
    /// The name as written.
    package var name: String
    /// The value with secrets replaced.
    package var value: String

    /// Creates a field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// The field as `Name: value`.
    package var line: String { "\(name): \(value)" }
  }

  /// The HTTP method, such as `GET`.
  package var method: String
  /// The URL, such as `{{base}}/customers?limit=100&page=2`.
  package var url: String
  /// The header fields that the flow's `fixture.match` compares, sorted by name in lower case.
  package var headers: [Field]
  /// The body; nil when the request has none, which differs from an empty body.
  ///
  /// JSON has its members sorted; any other body is stored as sent.
  package var body: [UInt8]?

  /// Creates a request from parts that are already in the notation of a cassette.
  package init(method: String, url: String, headers: [Field] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// Method and URL, such as `GET {{base}}/customers?page=2`.
  package var line: String { "\(method) \(url)" }

  /// Whether a cassette lists this request before another one.
  ///
  /// Requests are sorted by path first, so related requests are next to each other. Numbers in texts are compared as
  /// numbers.
  func precedes(_ other: RecordedRequest) -> Bool {
    if path != other.path { return NaturalOrder.precedes(path, other.path) }
    if query ?? "" != other.query ?? "" {
      return NaturalOrder.precedes(query ?? "", other.query ?? "")
    }
    if method != other.method { return NaturalOrder.precedes(method, other.method) }
    let (left, right) = (headers.map(\.line), other.headers.map(\.line))
    if left != right { return left.lexicographicallyPrecedes(right) }
    return (body ?? []).lexicographicallyPrecedes(other.body ?? [])
  }

  /// The part of the URL before the query.
  package var path: String { String(url.prefix { $0 != "?" }) }

  /// The query as written; nil when there is none.
  package var query: String? { url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } }

  /// The parameters of the query, still percent-encoded.
  package var parameters: [(name: String, value: String)] {
    (query ?? "").split(separator: "&", omittingEmptySubsequences: true).map { part in
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(pieces[0]), pieces.count > 1 ? String(pieces[1]) : "")
    }
  }
}

/// A response in the notation of a cassette: secrets replaced, content decoded.
package struct RecordedResponse: Sendable, Hashable {
  /// How the server encoded the content; the cassette itself stores the decoded content.
  package struct Transport: Sendable, Hashable {
    /// The content encoding, such as `gzip`; nil when the content was not encoded.
    package var encoding: String?
    /// The number of encoded bytes, where the server declared it and the content was encoded.
    package var wireLength: String?

    /// Creates the description of how content was encoded.
    package init(encoding: String? = nil, wireLength: String? = nil) {
      self.encoding = encoding
      self.wireLength = wireLength
    }
  }

  /// The HTTP status.
  package var status: Int
  /// The header fields except those of `VolatileHeaders`, sorted by name in lower case. Equal names keep their order.
  package var headers: [RecordedRequest.Field]
  /// The URL of the response, when it differs from the requested URL.
  package var url: String?
  /// How the content was encoded; nil when it was not encoded.
  package var transport: Transport?
  /// The decoded content.
  package var body: FixtureContent

  /// Creates a response.
  package init(
    status: Int, headers: [RecordedRequest.Field] = [], url: String? = nil, transport: Transport? = nil,
    body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.transport = transport
    self.body = .held(body)
  }

  /// Returns the first value of a header field.
  package subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension Cassette {
  /// Creates a cassette from entries in the order of the run, and numbers equal requests.
  init(
    flow: String, recordedAt: String, tool: String, numbering entries: [Entry],
    by matching: RequestMatching
  ) {
    var counts: [String: Int] = [:]
    let numbered = entries.map { entry in
      let count = counts[matching.key(entry.request), default: 0] + 1
      counts[matching.key(entry.request)] = count
      return Entry(request: entry.request, occurrence: count, outcome: entry.outcome)
    }
    self.init(flow: flow, recordedAt: recordedAt, tool: tool, entries: numbered)
  }
}

extension Cassette.Entry {
  /// The HTTP status; nil when there was no response.
  package var status: Int? { if case .response(let response) = outcome { response.status } else { nil } }
}
