internal import ByteCodings
package import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

/// One flow of one run, as the history of an output root contains it. Secrets are already masked.
package struct HistoryEntry: Sendable, Hashable {
  /// The reason why the flow did not pass, or why its result was not persisted.
  package struct Failure: Sendable, Hashable {
    /// The kind as named by `ReactorError.Kind`.
    package var kind: String
    package var message: String
  }

  /// The id of the run, which all its flows have in common.
  package var run: String
  /// `file-stem.flow-name`
  package var flow: String
  package var status: RunReport.Flow.Status
  /// When the flow started, or when the run ended if it never started: RFC 3339, UTC, whole seconds.
  package var started: String
  /// Milliseconds from start to end; nil when the flow did not start or did not end.
  package var duration: Int64?
  package var source: String?
  /// The file or table of the result: a path below the output root, or `store:table`.
  package var result: String?
  package var records = 0
  package var rejected = 0
  package var bytes = 0
  /// The number of requests that were sent again.
  package var retries = 0
  /// Milliseconds for which requests were delayed by rate limits and by jobs that were not done.
  package var waited: Int64 = 0
  /// Whether the flow passed without all of its records or without its result.
  package var isPartial = false
  /// The declared maximum age of the result in seconds (`expect.freshness`); nil without one.
  package var freshness: Int64?
  /// The position of an incremental flow before the run, in words.
  package var cursorBefore: String?
  /// The position that is remembered with the result; nil when nothing was saved.
  package var cursorAfter: String?
  package var failure: Failure?
  /// The version of the program.
  package var tool = ""
  /// A hash of the flow's declaration, in hexadecimal digits; nil when unknown.
  package var version: String?

  /// Creates an entry without further facts.
  package init(run: String, flow: String, status: RunReport.Flow.Status, started: String) {
    self.run = run
    self.flow = flow
    self.status = status
    self.started = started
  }

  private static let shape = ObjectShape<Self>(
    "run of a flow", empty: Self(run: "", flow: "", status: .cancelled, started: ""),
    [
      .init("run", \.run, .text), .init("flow", \.flow, .text), .init("status", \.status, .word),
      .init("started", \.started, .text), .init(ifAny: "duration_ms", \.duration, .integer),
      .init(ifAny: "source", \.source, .text), .init(ifAny: "result", \.result, .text),
      .init("records", \.records, .count, nil, .added), .init("rejected", \.rejected, .count, nil, .added),
      .init("bytes", \.bytes, .count, nil, .added),
      .init("retries", \.retries, .count, nil, .when { $0.retries > 0 }),
      .init("waited_ms", \.waited, .integer, nil, .when { $0.waited > 0 }),
      .init("partial", \.isPartial, .flag, nil, .when(\.isPartial)),
      .init(ifAny: "freshness_s", \.freshness, .integer),
      .init(ifAny: "cursor_before", \.cursorBefore, .text), .init(ifAny: "cursor_after", \.cursorAfter, .text),
      .init(ifAny: "error", \.failure, .object(Failure.shape)), .init("tool", \.tool, .text, nil, .added),
      .init(ifAny: "version", \.version, .text),
    ])

  /// The entry as a JSON object.
  package var json: JSONValue { Self.shape.json(self, isTimed: true) }

  /// The entry as a line of the history's file.
  package var line: [UInt8] { PlainJSON.bytes(json) + [0x0A] }

  /// Reads a line; nil when it is damaged.
  package init?(line: some Sequence<UInt8>) {
    guard let json = try? JSONValue(parsing: Array(line)), case .object = json, let entry = try? Self.shape.read(json)
    else { return nil }
    self = entry
  }
}

extension HistoryEntry.Failure {
  fileprivate static let shape = ObjectShape<Self>(
    "error", empty: Self(kind: "", message: ""), [.init("kind", \.kind, .text), .init("message", \.message, .text)])
}
