internal import ByteCodings
internal import JSONSyntax

/// A drafted flow, written as YAML with comments on all guesses.
package struct DraftFlow: Sendable {
  /// The flow's key in the file.
  package var name: String
  /// The method of the request.
  package var method = "GET"
  /// The path of the request, relative to the base URL.
  package var path: DraftText
  /// The query parameters in order; a repeated parameter becomes a list.
  package var query: [DraftParameter] = []
  /// The headers in order, each name once.
  package var headers: [DraftParameter] = []
  /// The body of the request, which is JSON or other text.
  package var body: String?
  /// The names of the secrets that the body uses.
  private(set) var bodySecrets: [String] = []
  /// The authorization; nil when the requests have no credentials.
  package var auth: DraftAuth?
  /// The name of the parent flow. This flow sends requests for each record of the parent.
  package var parent: String?
  /// The outline of the records, from a sample or a document. Nil without one.
  package var sample: InferredFlow?
  /// The fields that are copied from the parent's record.
  package var carried: [CarriedField] = []
  /// The paging strategy; nil without a sample.
  package var pages: DraftPages?
  /// How the flow asks only for new records; nil when each run asks for all of them.
  package private(set) var cursor: DraftCursor?
  /// The values of the secrets that the request contains, by name. The file does not contain them.
  package private(set) var secretValues: [String: String] = [:]
  /// The comments, each a whole sentence.
  package var notes: [String] = []

  /// A field whose value is copied from the parent's record.
  package struct CarriedField: Sendable, Hashable {
    var name: String
    /// The name of the parent's field.
    var source: String
    /// The type in the parent's schema.
    var type: String
  }

  /// Creates a flow that requests a path.
  package init(name: String, path: DraftText) {
    self.name = name
    self.path = path
  }

  /// Creates a flow that repeats a request.
  ///
  /// Credentials become secrets. Header fields that a browser or the transport adds are left out.
  package init(
    name: String?, method: String, _ url: RequestURL, headers: [RecordedRequest.Field], body: String?
  ) {
    self.init(name: name ?? Self.name(for: url.path), path: DraftText(url.path))
    self.method = method
    var redaction = CredentialRedaction { DraftText.place(ofSecret: DraftAuth.secretName($0)) }
    self.body = body.map { String(decoding: redaction.body(Array($0.utf8)), as: UTF8.self) }
    bodySecrets = redaction.names.map { DraftAuth.secretName($0) }
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
    secretValues = found.values
  }

  /// Adds the outline that was inferred from the response; nil when there was no response.
  ///
  /// - Parameters:
  ///   - query: the query parameters of the request
  ///   - further: query parameters that the request does not send, but the server takes
  ///   - ignored: names of query parameters that lead to no other page
  package mutating func take(
    _ sample: InferredFlow?, query: [RecordedRequest.Field], further: [PageParameter] = [], ignored: Set<String> = []
  ) {
    self.sample = sample
    var signs = sample?.signs ?? DraftPages.Signs()
    if sample == nil {
      notes.append("No JSON response was seen, so that nothing could be guessed.")
      signs.isList = false
    }
    take(DraftPages(signs, query.map { PageParameter($0) }.filter { !ignored.contains($0.name) } + further))
  }

  /// Lets the flow ask only for new records: the cursor sends its parameter instead of the request.
  package mutating func take(_ cursor: DraftCursor) {
    self.cursor = cursor
    query.removeAll { $0.name == cursor.query }
  }

  /// Writes what a second request has shown beside the paging strategy.
  package mutating func confirmPages(_ words: String) { pages?.confirm(words) }

  /// Sets the paging strategy, and removes the parameters from the request that the strategy itself sends.
  mutating func take(_ pages: DraftPages) {
    self.pages = pages
    query.removeAll { pages.replaced.contains($0.name) }
    notes += pages.notes
  }

  /// The names of the secrets that the flow uses, in order.
  var secrets: [String] {
    (auth?.secrets ?? []) + (query + headers).flatMap(\.value.secrets) + bodySecrets
  }

  /// Headers that the program itself sends, or that only describe the browser.
  private static let dropped: Set<String> = [
    "host", "content-length", "accept-encoding", "user-agent", "referer", "origin", "pragma", "cache-control", "dnt",
    "te", "upgrade-insecure-requests", "priority", "accept-language", "transfer-encoding", "if-none-match",
    "if-modified-since",
  ]

  /// Returns a flow's name for a path: the last component that is not a parameter or a number.
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
  /// Appends a flow, and makes its name unique.
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
