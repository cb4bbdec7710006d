internal import TimeSyntax

/// How a flow is, by its runs in the history.
///
/// What calls a flow failing, stale, slower or smaller is decided here, for all that look at runs from outside: metrics,
/// notifications, reports and pages.
package struct FlowHealth: Sendable {
  /// The state of a flow after its last run. The first case that applies is its state.
  package enum State: String, Sendable, CaseIterable {
    /// The last run did not pass.
    case failing
    /// The last run passed without all of its records, or without its result.
    case missing
    /// The flow passed its last run.
    case passing
    /// All runs so far were ended before the flow.
    case unknown
  }

  /// The id of the flow.
  package let flow: String
  /// The runs of the flow, the newest last; never empty. Runs that were ended before the flow started are not among them
  /// unless there are no others.
  package let runs: [HistoryEntry]

  /// Creates the health of a flow.
  ///
  /// - Parameter entries: the entries of this flow, the newest last; nil is returned when there is none
  package init?(of entries: [HistoryEntry]) {
    guard let last = entries.last else { return nil }
    let ended = entries.filter { $0.status != .cancelled }
    flow = last.flow
    runs = ended.isEmpty ? entries : ended
  }

  /// The health of each flow of a history, in the order of their first entries.
  ///
  /// - Parameter entries: the entries of all flows, the newest last
  package static func all(in entries: [HistoryEntry]) -> [FlowHealth] {
    var order: [String] = []
    var runs: [String: [HistoryEntry]] = [:]
    for entry in entries {
      if runs[entry.flow] == nil { order.append(entry.flow) }
      runs[entry.flow, default: []].append(entry)
    }
    return order.compactMap { FlowHealth(of: runs[$0] ?? []) }
  }

  /// The newest run.
  package var last: HistoryEntry { runs[runs.count - 1] }

  /// The state after the last run.
  package var state: State {
    switch last.status {
    case .cancelled: .unknown
    case .failed, .error: .failing
    case .passed: last.isPartial ? .missing : .passing
    }
  }

  /// The newest run that passed; nil when none did.
  package var lastSuccess: HistoryEntry? { runs.last { $0.status == .passed } }

  /// The newest run that passed with the server's data, so that the result is from this run; nil when none did.
  package var lastPull: HistoryEntry? { runs.last { $0.isPull } }

  /// The first of the runs that did not pass since the last one that did; nil unless the flow is failing.
  package var firstFailure: HistoryEntry? {
    guard state == .failing else { return nil }
    let start = runs.lastIndex { $0.status == .passed }.map { $0 + 1 } ?? 0
    return runs[start]
  }

  /// The number of runs that did not pass since the last one that did.
  package var failures: Int { runs.reversed().prefix { $0.status != .passed }.count }

  /// The declared maximum age of the result in seconds; nil without one.
  package var freshness: Int64? { last.freshness }

  /// The age of the result in seconds; nil when no run has the server's data.
  ///
  /// - Parameter now: seconds since 1970
  package func age(at now: Int64) -> Int64? { lastPull?.startedAt.map { max(0, now - $0) } }

  /// Whether the result is older than declared, or there is none for longer than that.
  ///
  /// - Parameter now: seconds since 1970
  package func isStale(at now: Int64) -> Bool {
    guard let freshness, let age = age(at: now) ?? runs[0].startedAt.map({ now - $0 }) else { return false }
    return age > freshness
  }

  /// The usual number of records: the median of the last pulls before the newest one.
  ///
  /// It is nil with less than three such pulls, and for a flow with a cursor, which gets what is new.
  package var usualRecords: Int? {
    guard lastPull?.cursorAfter == nil else { return nil }
    return Self.median(earlierPulls.map(\.records))
  }

  /// The usual duration of a pull in milliseconds; nil with less than three pulls before the newest one.
  package var usualDuration: Int64? { Self.median(earlierPulls.compactMap(\.duration)) }

  /// The duration in milliseconds that the next pull is expected to take: the median of the last pulls; nil without any.
  package var expectedDuration: Int64? {
    Self.median(pulls.prefix(Self.compared).compactMap(\.duration), of: 1)
  }

  /// Whether the newest pull has less than half of the usual number of records.
  package var isSmaller: Bool {
    guard let records = lastPull?.records, let usual = usualRecords else { return false }
    return records < usual - usual / 2
  }

  /// Whether the newest pull took more than twice the usual time, and a second more.
  package var isSlower: Bool {
    guard let duration = lastPull?.duration, let usual = usualDuration else { return false }
    return duration > 2 * usual && duration - usual > 1000
  }

  /// The number of pulls that say what is usual.
  private static let compared = 10

  /// The pulls, the newest first.
  private var pulls: some Sequence<HistoryEntry> { runs.reversed().lazy.filter(\.isPull) }

  /// The last pulls before the newest one, the newest first.
  private var earlierPulls: [HistoryEntry] { Array(pulls.dropFirst().prefix(Self.compared)) }

  /// The median; nil with fewer values than the minimum.
  private static func median<Value: Comparable>(_ values: [Value], of minimum: Int = 3) -> Value? {
    values.count < minimum ? nil : values.sorted()[(values.count - 1) / 2]
  }
}

extension HistoryEntry {
  /// Whether the run passed with the server's data, and not with a persisted result of an earlier run.
  package var isPull: Bool { status == .passed && source != "persistence" }

  /// When the run started, in seconds since 1970; nil when the text is no time.
  package var startedAt: Int64? {
    Array(started.utf8).withUnsafeBufferPointer { ISO8601.instant($0) }?.secondsSince1970
  }
}
