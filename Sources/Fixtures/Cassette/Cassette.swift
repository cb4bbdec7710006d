/// What one flow and its servers said to each other, scrubbed: requests in the order of their keys, each with its
/// response.
package struct Cassette: Sendable, Hashable {
  /// The version of the file's form.
  package static let version = 1

  /// The flow's id.
  package var flow: String
  /// When it was recorded, RFC 3339 in UTC. A recording that finds nothing new leaves it as it is.
  package var recordedAt: String
  /// Version of the program that recorded it.
  package var tool: String
  /// In the order of the requests' keys.
  package var entries: [Entry]

  /// Builds a cassette; the entries are put in order.
  package init(flow: String, recordedAt: String, tool: String, entries: [Entry]) {
    self.flow = flow
    self.recordedAt = recordedAt
    self.tool = tool
    self.entries = entries.sorted { $0.precedes($1) }
  }

  /// A request and its outcome.
  package struct Entry: Sendable, Hashable {
    /// What was asked.
    package var request: RecordedRequest
    /// How often the same had been asked before, and once more: from 1.
    package var occurrence: Int
    /// The response or the error.
    package var answer: Outcome

    /// Builds an entry.
    package init(request: RecordedRequest, occurrence: Int = 1, answer: Outcome) {
      self.request = request
      self.occurrence = occurrence
      self.answer = answer
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
    /// It did not: the kind of the error, as `ReactorError.Kind` names it, and its message.
    case failure(kind: String, message: String)
  }
}

/// A request as a cassette holds it: scrubbed, its query sorted.
package struct RecordedRequest: Sendable, Hashable {
  /// A header field.
  package struct Field: Sendable, Hashable {
    /// As written.
    package var name: String
    /// Scrubbed.
    package var value: String

    /// Builds a field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// `Name: value`
    package var line: String { "\(name): \(value)" }
  }

  /// `GET`, …
  package var method: String
  /// `{{base}}/customers?limit=100&page=2`
  package var url: String
  /// The fields that count for the match, by name in lower case.
  package var headers: [Field]
  /// JSON with sorted members where it is JSON, else as it was sent; nil differs from empty.
  package var body: [UInt8]?

  /// Builds a request that is already in the form of a cassette.
  package init(method: String, url: String, headers: [Field] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// `GET {{base}}/customers?page=2`
  package var line: String { "\(method) \(url)" }

  /// By address, so that what belongs together stands together; numbers in it count as numbers.
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

  /// The URL before the query.
  package var path: String { String(url.prefix { $0 != "?" }) }

  /// The query, as written; nil when there is none.
  package var query: String? { url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } }

  /// The parameters of the query, percent-encoded.
  package var parameters: [(name: String, value: String)] {
    (query ?? "").split(separator: "&", omittingEmptySubsequences: true).map { part in
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(pieces[0]), pieces.count > 1 ? String(pieces[1]) : "")
    }
  }
}

/// A response as a cassette holds it: scrubbed, content decoded.
package struct RecordedResponse: Sendable, Hashable {
  /// How the response travelled; a cassette holds the content as it was behind that.
  package struct Transport: Sendable, Hashable {
    /// `gzip`, …; nil when the content travelled as it is.
    package var encoding: String?
    /// Bytes that travelled, where the server said so and the content was encoded.
    package var wireLength: String?

    /// Builds it.
    package init(encoding: String? = nil, wireLength: String? = nil) {
      self.encoding = encoding
      self.wireLength = wireLength
    }
  }

  /// HTTP status.
  package var status: Int
  /// Without the volatile ones, by name in lower case; equal names keep their order.
  package var headers: [RecordedRequest.Field]
  /// The URL of the response, where it is not the one that was asked.
  package var url: String?
  /// How it travelled; nil when there is nothing to say.
  package var transport: Transport?
  /// The decoded content.
  package var body: [UInt8]

  /// Builds a response.
  package init(
    status: Int, headers: [RecordedRequest.Field] = [], url: String? = nil, transport: Transport? = nil,
    body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.transport = transport
    self.body = body
  }

  /// The first value of a header field.
  package subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension Cassette {
  /// Builds a cassette of entries as they came, and counts the occurrences of each request.
  init(
    flow: String, recordedAt: String, tool: String, numbering entries: [Entry],
    by matching: RequestMatching
  ) {
    var counts: [String: Int] = [:]
    let numbered = entries.map { entry in
      let count = counts[matching.key(entry.request), default: 0] + 1
      counts[matching.key(entry.request)] = count
      return Entry(request: entry.request, occurrence: count, answer: entry.answer)
    }
    self.init(flow: flow, recordedAt: recordedAt, tool: tool, entries: numbered)
  }
}

extension Cassette.Entry {
  /// HTTP status; nil when there was no response.
  package var status: Int? { if case .response(let response) = answer { response.status } else { nil } }
}
