package import FlowModel
package import JSONSyntax
internal import SourceDiagnostics
internal import TimeSyntax

/// What a receiver is told about the flows of a run. Secrets are already masked.
package struct Notice: Sendable, Hashable {
  /// What happened to one flow.
  package struct Line: Sendable, Hashable {
    /// The id of the flow.
    package let flow: String
    /// What happened.
    package let event: NoticeEvent
    /// A sentence without a full stop that begins with the flow.
    package let text: String
    /// How the flow is now.
    package let state: FlowHealth.State
    /// The number of records of its last run.
    package let records: Int
    /// The error of its last run; nil without one.
    package let error: String?
  }

  /// The number of lines in `text`.
  private static let shown = 20
  /// The number of lines in `flows`.
  private static let listed = 1000

  /// What happened to each flow, the gravest first; never empty.
  package let lines: [Line]
  /// The id of the run.
  package let run: String
  /// The name of the machine.
  package let host: String
  /// When the run ended, in seconds since 1970 UTC.
  package let time: Int64
  private let isTrial: Bool

  /// Creates a notice; nil without lines.
  package init?(_ lines: [Line], run: String, host: String, time: Int64) {
    guard !lines.isEmpty else { return nil }
    let gravity = Dictionary(uniqueKeysWithValues: NoticeEvent.allCases.enumerated().map { ($1, $0) })
    // The sort is stable for lines of one event, which keep the order of the flows.
    self.lines = lines.enumerated().sorted {
      (gravity[$0.element.event] ?? 0, $0.offset) < (gravity[$1.element.event] ?? 0, $1.offset)
    }.map(\.element)
    (self.run, self.host, self.time, isTrial) = (run, host, time, false)
  }

  /// A trial of a receiver: a flow has recovered from nothing, so that no alarm is raised.
  package init(trialOf flow: String, receiver: String, host: String, time: Int64) {
    lines = [
      Line(
        flow: flow, event: .recovered, text: "This is a trial of receiver '\(receiver)': nothing has happened",
        state: .passing, records: 0, error: nil)
    ]
    (run, self.host, self.time, isTrial) = ("trial", host, time, true)
  }

  /// The gravest line.
  package var gravest: Line { lines[0] }

  /// All of it in one line: `2 flows failed, shop.orders is stale`.
  package var title: String {
    if isTrial { return "trial of a receiver, nothing has happened" }
    if lines.count == 1 { return gravest.event.words(for: gravest.flow, count: 1) }
    return NoticeEvent.allCases.compactMap { event in
      let flows = lines.filter { $0.event == event }
      guard let first = flows.first else { return nil }
      return event.words(for: flows.count == 1 ? first.flow : "\(flows.count) flows", count: flows.count)
    }.joined(separator: ", ")
  }

  /// A line for each flow, of at most 20, then where it was.
  package var text: String {
    var text = lines.prefix(Self.shown).map { "\($0.text)\n" }.joined()
    if lines.count > Self.shown { text += "and \(lines.count - Self.shown) more\n" }
    return text + "Run \(PrintableText.of(run)) on \(PrintableText.of(host)), \(InstantText.text(time)). "
      + "'reactor history \(gravest.flow)' shows earlier runs."
  }

  /// The members that the templates of receivers know as `notice`.
  package var json: JSONValue {
    .object([
      "title": .string(title), "text": .string(text), "event": .string(gravest.event.rawValue),
      "flow": .string(gravest.flow), "run": .string(run), "host": .string(host),
      "time": .string(InstantText.text(time)), "flows": .array(lines.prefix(Self.listed).map(\.json)),
    ])
  }
}

extension Notice.Line {
  fileprivate var json: JSONValue {
    var object = JSONObject([
      .init(name: "flow", value: .string(flow)), .init(name: "event", value: .string(event.rawValue)),
      .init(name: "text", value: .string(text)), .init(name: "state", value: .string(state.rawValue)),
      .init(name: "records", value: .integer(Int64(records))),
    ])
    if let error { object["error"] = .string(error) }
    return .object(object)
  }
}

extension NoticeEvent {
  /// What happened, as a clause about one flow or several.
  fileprivate func words(for subject: String, count: Int) -> String {
    switch self {
    case .failed: "\(subject) failed"
    case .missing: "\(subject) \(count == 1 ? "lacks" : "lack") records"
    case .stale: "\(subject) \(count == 1 ? "is" : "are") stale"
    case .recovered: "\(subject) recovered"
    case .first: "\(subject) passed for the first time"
    }
  }
}
