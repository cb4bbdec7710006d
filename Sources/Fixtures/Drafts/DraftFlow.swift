internal import ByteCodings
internal import JSONSyntax

/// A first flow as YAML, with comments on what was guessed.
package struct DraftFlow: Sendable {
  /// The flow's key.
  package var name: String
  /// What is asked.
  package var method = "GET"
  /// Relative to the base URL.
  package var path: DraftText
  /// In order; a parameter that comes several times is a list.
  package var query: [DraftParameter] = []
  /// In order, each name once.
  package var headers: [DraftParameter] = []
  /// JSON or another text.
  package var body: String?
  /// Credentials; nil where the requests have none.
  package var auth: DraftAuth?
  /// The flow whose records this one asks for, one by one.
  package var parent: String?
  /// What a sample or a document says of the records; nil without one.
  package var sample: InferredFlow?
  /// Fields that come from the parent's record.
  package var carried: [CarriedField] = []
  /// How the pages are asked for; nil without a sample.
  package var pages: DraftPages?
  /// Comments, whole sentences.
  package var notes: [String] = []

  /// A field whose value is the parent's.
  package struct CarriedField: Sendable, Hashable {
    var name: String
    /// The parent's field.
    var source: String
    /// As the parent's schema says it.
    var type: String
  }

  /// A flow that asks for a path.
  package init(name: String, path: DraftText) {
    self.name = name
    self.path = path
  }

  /// A flow that repeats a request: credentials become secrets, and what a browser or the transport adds is left out.
  package init(
    name: String?, method: String, _ url: RequestURL, headers: [RecordedRequest.Field], body: String?
  ) {
    self.init(name: name ?? Self.name(for: url.path), path: DraftText(url.path))
    self.method = method
    self.body = body
    var fields = headers + [url.authorization].compactMap { $0 }
    if body != nil { fields.removeAll { $0.name.lowercased() == "content-type" } }
    var seen: Set<String> = []
    fields.removeAll { field in
      let name = field.name.lowercased()
      return VolatileHeaders.names.contains(name) || Self.dropped.contains(name) || name.hasPrefix("sec-")
        || !seen.insert(name).inserted
    }
    let found = DraftAuth.taken(from: fields, query: url.query)
    (auth, self.headers, query, notes) = (found.auth, found.headers, found.query, found.notes)
  }

  /// Takes what a response to the request shows; nil for no response.
  package mutating func take(_ sample: InferredFlow?, query: [RecordedRequest.Field]) {
    self.sample = sample
    var signs = sample?.signs ?? DraftPages.Signs()
    if sample == nil {
      notes.append("No JSON response was seen, so that nothing could be guessed.")
      signs.isList = false
    }
    take(DraftPages(signs, query.map { PageParameter($0) }))
  }

  /// Takes a strategy; what it sends by itself is no longer sent by the request.
  mutating func take(_ pages: DraftPages) {
    self.pages = pages
    query.removeAll { pages.replaced.contains($0.name) }
    notes += pages.notes
  }

  /// The secrets that it names, in order.
  var secrets: [String] {
    (auth?.secrets ?? []) + (query + headers).flatMap(\.value.secrets)
  }

  /// Headers that the program sends by itself, or that speak of the browser only.
  private static let dropped: Set<String> = [
    "host", "content-length", "accept-encoding", "user-agent", "referer", "origin", "pragma", "cache-control", "dnt",
    "te", "upgrade-insecure-requests", "priority", "accept-language", "transfer-encoding", "if-none-match",
    "if-modified-since",
  ]

  /// A flow's name for a path: its last words.
  package static func name(for path: String) -> String {
    let words = path.split(separator: "/").filter { !$0.hasPrefix("{") && !$0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    var name = ""
    for byte in (words.last ?? "records").utf8 {
      let isWord = ASCII.lowercased(byte) &- 0x61 < 26 || byte &- 0x30 < 10
      name.unicodeScalars.append(isWord ? Unicode.Scalar(byte) : "_")
    }
    while name.hasPrefix("_") || name.first.map({ $0.isNumber }) ?? false { name.removeFirst() }
    return name.isEmpty ? "records" : name.lowercased()
  }
}

extension [DraftFlow] {
  /// Appends a flow, under a name that no other has.
  mutating func append(named flow: DraftFlow) {
    var flow = flow
    let name = flow.name
    var number = 2
    while contains(where: { $0.name == flow.name }) {
      flow.name = "\(name)_\(number)"
      number += 1
    }
    append(flow)
  }
}
