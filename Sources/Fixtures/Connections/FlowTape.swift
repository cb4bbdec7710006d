internal import ReactorCore
internal import Synchronization

/// The requests and responses of one flow in one run: replayed from a cassette, recorded, or both.
///
/// All connections of a flow share its tape. Concurrent requests are allowed.
package final class FlowTape: Sendable {
  /// How requests are handled.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Replays; a request without a recording fails.
    case none
    /// Replays when the flow has a cassette, else records.
    case once
    /// Replays the recorded requests, and records those that have no recording yet.
    case new
    /// Records all requests again.
    case all
  }

  /// A request that was replayed, with the number of its recording.
  package struct Exchange: Sendable, Hashable {
    /// The request with secrets replaced.
    package var request: RecordedRequest
    /// The number of this request among equal requests, from 1.
    package var occurrence: Int
    /// The HTTP status; nil when there was no response.
    package var status: Int?
    /// The index of the recording in the cassette, from 0.
    var index: Int
  }

  struct Raw: Sendable {
    var base: FixtureBase
    var resource: Resource
    var response: RawResponse?
  }

  enum RawResponse: Sendable {
    case response(status: Int, headers: Headers, url: String, body: [UInt8])
    case failure(ReactorError)
    /// A replayed response, with the index of its recording.
    case replayed(Int)
  }

  private struct State {
    var bases: [FixtureBase] = []
    var asked: [String: Int] = [:]
    var used: Set<Int> = []
    var raw: [Raw] = []
    var exchanges: [Exchange] = []
    var misses: [MissReport] = []
    /// The most recent scrubber, cached because its creation costs more than its use.
    var scrubber: (bases: Int, secrets: [String: String], keepsMarks: Bool, made: Scrubber)?
  }

  /// The flow's id.
  package let flow: String
  /// The rules that decide which requests are equal.
  package let matching: RequestMatching
  /// The recording that is replayed; nil when there is none.
  package let cassette: Cassette?
  /// The cassette's path, for messages.
  package let path: String
  /// How requests are handled.
  package let mode: Mode
  private let secrets: @Sendable () -> [String: String]
  private let encoded: EncodedSecrets
  /// The indices of the recordings of each request, by the request's key.
  private let positions: [String: [Int]]
  private let state = Mutex(State())

  /// Creates a tape.
  ///
  /// - Parameters:
  ///   - secrets: returns all secrets that are known at the time of the call, by name, also those learnt during the run
  ///   - encoded: caches the encodings of the secrets
  package init(
    flow: String, cassette: Cassette?, path: String, mode: Mode, matching: RequestMatching = RequestMatching(),
    secrets: @escaping @Sendable () -> [String: String] = { [:] }, encoded: EncodedSecrets = EncodedSecrets()
  ) {
    self.encoded = encoded
    self.flow = flow
    self.cassette = mode == .all ? nil : cassette
    self.path = path
    self.mode = mode == .once ? (cassette == nil ? .all : .none) : mode
    self.matching = matching
    self.secrets = secrets
    var positions: [String: [Int]] = [:]
    for (index, entry) in (self.cassette?.entries ?? []).enumerated() {
      positions[matching.key(entry.request), default: []].append(index)
    }
    // If parts of requests are ignored, the order of the file differs from the order in which equal requests were sent.
    let entries = self.cassette?.entries ?? []
    self.positions = positions.mapValues {
      $0.sorted { entries[$0].occurrence < entries[$1].occurrence }
    }
  }

  /// Whether a request may be sent to a server.
  package var asksServers: Bool { mode != .none }

  // MARK: - Replaying

  enum Found {
    case response(Response)
    case failure(ReactorError)
    case miss(MissReport)
  }

  /// Finds the recorded response to a request.
  func find(_ resource: Resource, at base: FixtureBase) throws(ReactorError) -> Found {
    meet(base)
    let scrubber = scrubber(keepsMarks: true)
    let request = try RecordedRequest(resource, at: base, matching: matching, scrubber: scrubber)
    let (occurrence, index) = take(request) { index, occurrence, state in
      if mode != .none {
        state.raw.append(Raw(base: base, resource: resource, response: .replayed(index)))
      }
      state.exchanges.append(
        Exchange(request: request, occurrence: occurrence, status: cassette?.entries[index].status, index: index))
    }
    guard let index, let entry = cassette?.entries[index] else {
      let report = miss(request, occurrence)
      if mode == .none { state.withLock { $0.misses.append(report) } }
      return .miss(report)
    }
    switch entry.outcome {
    case .failure(let kind, let message):
      return .failure(
        ReactorError(ReactorError.Kind(rawValue: kind) ?? .server, scrubber.restore(message)))
    case .response(let recorded):
      let body: ResponseBody
      do throws(FixtureError) {
        body = try scrubber.restored(recorded.body).body
      } catch {
        throw .fixture(error.message, help: error.help)
      }
      let url = recorded.url ?? request.url
      let headers = recorded.headers.map { Headers.Field($0.name, scrubber.restore($0.value)) }
      return .response(
        Response(
          status: recorded.status, headers: Headers(headers), url: scrubber.restore(url), body: body))
    }
  }

  /// The result of `serve`: the recording that matches a received request, or why none matches.
  enum Served {
    case entry(Cassette.Entry)
    case miss(MissReport)
  }

  /// Finds the recording that answers a request which this program received as a server.
  func serve(_ request: RecordedRequest) -> Served {
    let (occurrence, index) = take(request) { _, _, _ in }
    guard let index, let entry = cassette?.entries[index] else { return .miss(miss(request, occurrence)) }
    return .entry(entry)
  }

  private func take(
    _ request: RecordedRequest, _ note: (Int, Int, inout State) -> Void
  ) -> (occurrence: Int, index: Int?) {
    let key = matching.key(request)
    return state.withLock { state -> (Int, Int?) in
      let asked = state.asked[key, default: 0]
      state.asked[key] = asked + 1
      let positions = positions[key] ?? []
      let index =
        asked < positions.count ? positions[asked] : matching.repeats ? positions.last : nil
      if let index {
        state.used.insert(index)
        note(index, asked + 1, &state)
      }
      return (asked + 1, index)
    }
  }

  private func miss(_ request: RecordedRequest, _ occurrence: Int) -> MissReport {
    MissReport(request, occurrence: occurrence, flow: flow, path: path, cassette: cassette, matching: matching)
  }

  // MARK: - Recording

  /// Adds a server to the servers whose URLs this tape replaces with names.
  func meet(_ base: FixtureBase) {
    state.withLock { if !$0.bases.contains(base) { $0.bases.append(base) } }
  }

  /// Records that a request was started; returns its number.
  func begin(_ resource: Resource, at base: FixtureBase) -> Int {
    meet(base)
    return state.withLock { state in
      state.raw.append(Raw(base: base, resource: resource))
      return state.raw.count - 1
    }
  }

  /// Records the outcome of a request.
  func end(_ number: Int, _ response: RawResponse) {
    state.withLock { state in
      guard state.raw.indices.contains(number) else { return }
      state.raw[number].response = response
    }
  }

  /// Returns the cassette of this run: the new responses, and the recorded responses that were used again.
  ///
  /// - Parameters:
  ///   - keepsUnused: whether recordings that no request used remain in the cassette
  ///   - now: the present time, RFC 3339, for a cassette that has changed
  package func recorded(tool: String, now: String, keepsUnused: Bool) throws(FixtureError) -> Cassette {
    let (raw, bases, used) = state.withLock { ($0.raw, $0.bases, $0.used) }
    let scrubber = Scrubber(bases: bases, secrets: secrets(), encoded: encoded)
    var entries: [Cassette.Entry] = []
    for exchange in raw {
      switch exchange.response {
      case nil: continue
      case .replayed(let index): if let cassette { entries.append(cassette.entries[index]) }
      case .some(let response):
        do throws(ReactorError) {
          let request = try RecordedRequest(
            exchange.resource, at: exchange.base, matching: matching, scrubber: scrubber)
          entries.append(
            Cassette.Entry(
              request: request,
              outcome: Self.outcome(
                of: response, request, scrubber.hiding(exchange.resource.derivedSecrets))))
        } catch {
          throw FixtureError(error.message)
        }
      }
    }
    if keepsUnused, let cassette {
      entries += cassette.entries.indices.filter { !used.contains($0) }.map { cassette.entries[$0] }
    }
    return Cassette(flow: flow, recordedAt: now, tool: tool, numbering: entries, by: matching)
  }

  // MARK: - Afterwards

  /// The requests without a recording, in the order in which they were sent.
  package var misses: [MissReport] { state.withLock { $0.misses } }

  /// The exchanges of a replay, in the order of the requests' keys.
  package var exchanges: [Exchange] {
    // The indices of recordings follow the order of the keys.
    state.withLock { $0.exchanges }.sorted {
      $0.index == $1.index ? $0.occurrence < $1.occurrence : $0.index < $1.index
    }
  }

  /// The number of exchanges.
  package var exchangeCount: Int { state.withLock { $0.exchanges.count } }

  /// The numbers, from 1, of the recordings that no request used.
  package var unused: [Int] {
    let used = state.withLock { $0.used }
    return (cassette?.entries ?? []).indices.filter { !used.contains($0) }.map { $0 + 1 }
  }

  /// The replayed responses, in the order of the cassette.
  package var usedResponses: [RecordOrigins.Source] {
    guard let cassette else { return [] }
    let used = state.withLock { $0.used }
    return used.sorted().compactMap { index in
      let entry = cassette.entries[index]
      guard case .response(let response) = entry.outcome else { return nil }
      return RecordOrigins.Source(number: index + 1, url: entry.request.url, body: response.body)
    }
  }

  /// Returns the scrubber for all servers and secrets that are known so far.
  package func scrubber(keepsMarks: Bool) -> Scrubber {
    let secrets = secrets()
    return state.withLock { state in
      if let known = state.scrubber, known.bases == state.bases.count, known.secrets == secrets,
        known.keepsMarks == keepsMarks
      {
        return known.made
      }
      let made = Scrubber(bases: state.bases, secrets: secrets, keepsMarks: keepsMarks, encoded: encoded)
      state.scrubber = (state.bases.count, secrets, keepsMarks, made)
      return made
    }
  }
}
