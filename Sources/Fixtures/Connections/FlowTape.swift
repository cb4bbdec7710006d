internal import ReactorCore
internal import Synchronization

/// The requests and responses of one flow in one run: replayed from a cassette, recorded, or both.
///
/// Connections of a flow share its tape; requests may come at once.
package final class FlowTape: Sendable {
  /// What is done with a request.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Replays; a request without a recording fails.
    case none
    /// Replays where the flow has a cassette, else records.
    case once
    /// Replays, and records requests without a recording.
    case new
    /// Records everything anew.
    case all
  }

  /// A request with the number of its recording, as it was replayed or recorded.
  package struct Exchange: Sendable, Hashable {
    /// Scrubbed.
    package var request: RecordedRequest
    /// How often the same had been asked before, and once more.
    package var occurrence: Int
    /// HTTP status; nil when there was no response.
    package var status: Int?
    /// The recording, from 0.
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
    /// The recording that was used.
    case replayed(Int)
  }

  private struct State {
    var bases: [FixtureBase] = []
    var asked: [String: Int] = [:]
    var used: Set<Int> = []
    var raw: [Raw] = []
    var exchanges: [Exchange] = []
    var misses: [MissReport] = []
    /// The last scrubber made: to make one costs more than to use it.
    var scrubber: (bases: Int, secrets: [String: String], keepsMarks: Bool, made: Scrubber)?
  }

  /// The flow's id.
  package let flow: String
  /// What counts for a match.
  package let matching: RequestMatching
  /// The recording that is replayed; nil when there is none.
  package let cassette: Cassette?
  /// The cassette's path, for messages.
  package let path: String
  /// What is done with a request.
  package let mode: Mode
  private let secrets: @Sendable () -> [String: String]
  private let encoded: EncodedSecrets
  /// The recordings of each request, by its key.
  private let positions: [String: [Int]]
  private let state = Mutex(State())

  /// Prepares a tape.
  ///
  /// - Parameters:
  ///   - secrets: all secrets known at the moment of the call, by name; what is learnt during the run too
  ///   - encoded: knows the forms of the secrets
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
    // Where parts of a request do not count, the file's order is not the one in which they were asked.
    let entries = self.cassette?.entries ?? []
    self.positions = positions.mapValues {
      $0.sorted { entries[$0].occurrence < entries[$1].occurrence }
    }
  }

  /// Whether a request may go to a server.
  package var asksServers: Bool { mode != .none }

  // MARK: - Replaying

  enum Found {
    case response(Response)
    case failure(ReactorError)
    case miss(MissReport)
  }

  /// The recorded response to a request.
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
    switch entry.answer {
    case .failure(let kind, let message):
      return .failure(
        ReactorError(ReactorError.Kind(rawValue: kind) ?? .server, scrubber.restore(message)))
    case .response(let recorded):
      let url = recorded.url ?? request.url
      let headers = recorded.headers.map { Headers.Field($0.name, scrubber.restore($0.value)) }
      return .response(
        Response(
          status: recorded.status, headers: Headers(headers), url: scrubber.restore(url),
          body: ResponseBody(bytes: scrubber.restore(recorded.body))))
    }
  }

  /// What a server gives for a request.
  enum Served {
    case entry(Cassette.Entry)
    case miss(MissReport)
  }

  /// The recording of a request that came in.
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

  /// Takes a server under its name.
  func meet(_ base: FixtureBase) {
    state.withLock { if !$0.bases.contains(base) { $0.bases.append(base) } }
  }

  /// Notes that a request is under way; returns its number.
  func begin(_ resource: Resource, at base: FixtureBase) -> Int {
    meet(base)
    return state.withLock { state in
      state.raw.append(Raw(base: base, resource: resource))
      return state.raw.count - 1
    }
  }

  /// Notes the outcome of a request.
  func end(_ number: Int, _ response: RawResponse) {
    state.withLock { state in
      guard state.raw.indices.contains(number) else { return }
      state.raw[number].response = response
    }
  }

  /// The cassette of this run: the new responses, and the recorded ones that were used again.
  ///
  /// - Parameters:
  ///   - keepsUnused: whether recordings that no request asked for stay
  ///   - now: RFC 3339, for a cassette in which something changed
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
            Cassette.Entry(request: request, answer: Self.outcome(of: response, request, scrubber)))
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

  /// Requests without a recording, in the order in which they were made.
  package var misses: [MissReport] { state.withLock { $0.misses } }

  /// The exchanges of a replay in the order of their keys.
  package var exchanges: [Exchange] {
    // Recordings are in that order.
    state.withLock { $0.exchanges }.sorted {
      $0.index == $1.index ? $0.occurrence < $1.occurrence : $0.index < $1.index
    }
  }

  /// How many there are.
  package var exchangeCount: Int { state.withLock { $0.exchanges.count } }

  /// The numbers, from 1, of the recordings that no request asked for.
  package var unused: [Int] {
    let used = state.withLock { $0.used }
    return (cassette?.entries ?? []).indices.filter { !used.contains($0) }.map { $0 + 1 }
  }

  /// The responses that were replayed, in the order of the cassette.
  package var usedResponses: [RecordOrigins.Source] {
    guard let cassette else { return [] }
    let used = state.withLock { $0.used }
    return used.sorted().compactMap { index in
      let entry = cassette.entries[index]
      guard case .response(let response) = entry.answer else { return nil }
      return RecordOrigins.Source(number: index + 1, url: entry.request.url, body: response.body)
    }
  }

  /// The scrubber with all servers known so far.
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
