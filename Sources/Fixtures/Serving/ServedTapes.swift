internal import ByteCodings
internal import ReactorCore
internal import Synchronization

/// Recordings that a server replays: selects the response and the fault for each request.
package final class ServedTapes: LoopbackContent {
  /// The reply to a request.
  package struct Reply: Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// The header fields, except those of the transport.
    package var headers: [RecordedRequest.Field]
    /// The content.
    package var body: [UInt8]
    /// The fault that the server simulates with this reply; nil for none.
    package var fault: ServedFault.Kind?
    /// The flow of the recording; nil when no recording matches.
    package var flow: String?

    /// Creates a reply.
    package init(
      status: Int, headers: [RecordedRequest.Field], body: [UInt8], fault: ServedFault.Kind? = nil, flow: String? = nil
    ) {
      (self.status, self.headers, self.body, self.fault, self.flow) = (status, headers, body, fault, flow)
    }
  }

  private let tapes: [FlowTape]
  /// The names of all servers in the recordings. This server takes the role of all of them.
  private let names: [String]
  private let faults: [ServedFault]
  private let secrets: [String: String]
  private let counts: Mutex<[Int]>

  /// Creates tapes from cassettes. The last recording of a request may be used again and again.
  ///
  /// - Parameter secrets: the secrets that requests may contain, by name
  package init(
    _ cassettes: [(cassette: Cassette, path: String, matching: RequestMatching)], faults: [ServedFault],
    secrets: [String: String]
  ) {
    tapes = cassettes.map { cassette, path, matching in
      var matching = matching
      matching.repeats = true
      // A client computes such texts from a secret that this server does not have.
      let derived = cassette.entries.flatMap(\.request.parameters).filter { $0.value.contains(Scrubber.derivedMark) }
      matching.ignoredQuery.formUnion(derived.map { PercentCoding.decode($0.name) })
      return FlowTape(flow: cassette.flow, cassette: cassette, path: path, mode: .none, matching: matching)
    }
    var names: Set<String> = []
    for (cassette, _, _) in cassettes {
      for entry in cassette.entries { if let name = Self.server(entry.request.url) { names.insert(name) } }
    }
    self.names = ["base"] + names.subtracting(["base"]).sorted()
    self.faults = faults
    self.secrets = secrets
    counts = Mutex(Array(repeating: 0, count: faults.count))
  }

  /// Returns the name of the server in a recorded URL.
  private static func server(_ url: String) -> String? {
    guard url.hasPrefix("{{"), let end = url.firstRange(of: "}}") else { return nil }
    return String(url[..<end.lowerBound].dropFirst(2))
  }

  /// Returns the reply to a request.
  ///
  /// - Parameters:
  ///   - target: path and query, as sent
  ///   - base: this server, under the name `base`
  package func reply(
    method: String, target: String, headers: [RecordedRequest.Field], body: [UInt8], base: FixtureBase
  ) -> Reply {
    let bases = names.map { FixtureBase(name: $0, url: base.url) }
    let scrubber = Scrubber(bases: bases, secrets: secrets, keepsMarks: true)
    let path = scrubber.scrub(target.hasPrefix("/") ? target : "/" + target)
    let sent = headers.map { RecordedRequest.Field($0.name, scrubber.scrub($0.value)) }
    var report: MissReport?
    for (tape, base) in tapes.flatMap({ tape in bases.map { (tape, $0) } }) {
      let request = RecordedRequest(
        method: method, url: RecordedRequest.canonical(base.mark + path),
        headers: tape.matching.counted(sent).sorted {
          ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value)
        },
        body: body.isEmpty ? nil : RecordedRequest.canonical(scrubber.scrub(body)))
      switch tape.serve(request) {
      case .entry(let entry):
        var reply = self.reply(entry, request, tape.flow, scrubber)
        if ["GET", "HEAD"].contains(method), Self.isKnown(reply, by: sent) { (reply.status, reply.body) = (304, []) }
        return reply
      case .miss(let miss):
        if report == nil || miss.closest != nil { report = miss }
      }
    }
    let text = (report?.lines ?? ["nothing is recorded"]).joined(separator: "\n") + "\n"
    return Reply(
      status: 404, headers: [.init("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8), fault: nil,
      flow: nil)
  }

  /// Whether the client already has this response (RFC 9110, section 13.1.2).
  private static func isKnown(_ reply: Reply, by headers: [RecordedRequest.Field]) -> Bool {
    guard reply.status == 200, reply.fault == nil else { return false }
    func value(_ name: String, _ fields: [RecordedRequest.Field]) -> String? {
      fields.first { $0.name.lowercased() == name }?.value
    }
    func strong(_ tag: Substring) -> Substring {
      let tag = tag.drop { $0 == " " }
      return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
    guard let tag = value("etag", reply.headers), let known = value("if-none-match", headers) else { return false }
    return known == "*" || known.split(separator: ",").contains { strong($0) == strong(tag[...]) }
  }

  private func reply(
    _ entry: Cassette.Entry, _ request: RecordedRequest, _ flow: String, _ scrubber: Scrubber
  ) -> Reply {
    let fault = fault(request, flow)
    if case .status(let status) = fault {
      let waits = status == 429 || status == 503 ? [RecordedRequest.Field("Retry-After", "1")] : []
      return Reply(status: status, headers: waits, body: [], fault: nil, flow: flow)
    }
    guard case .response(let response) = entry.outcome else {
      // The server failed during the recording, so the replay fails too.
      return Reply(status: 502, headers: [], body: [], fault: .reset, flow: flow)
    }
    guard let body = try? response.body.bytes else {
      let text = Array("the recorded body cannot be read\n".utf8)
      return Reply(status: 500, headers: [.init("Content-Type", "text/plain")], body: text, flow: flow)
    }
    return Reply(
      status: response.status, headers: response.headers.map { .init($0.name, scrubber.restore($0.value)) },
      body: scrubber.restore(body), fault: fault, flow: flow)
  }

  private func fault(_ request: RecordedRequest, _ flow: String) -> ServedFault.Kind? {
    counts.withLock { counts in
      var found: ServedFault.Kind?
      for (index, fault) in faults.enumerated() where fault.fits(request, flow: flow) {
        counts[index] += 1
        if found == nil, fault.occurrence == nil || fault.occurrence == counts[index] { found = fault.kind }
      }
      return found
    }
  }
}
