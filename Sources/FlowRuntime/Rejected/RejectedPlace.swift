internal import Databases
internal import ReactorCore
internal import Records
internal import Storage

/// Where the rejected records of a flow are stored. Nothing is visible until it is published.
protocol RejectedPlace: Sendable {
  /// The file or table, for messages.
  var text: String { get }

  /// The lines that an earlier run stored; nil without any.
  func earlier() async throws(ReactorError) -> (any RecordFile)?
  /// Stages complete lines.
  func write(_ lines: [UInt8]) async throws(ReactorError)
  /// Replaces the earlier lines with the staged ones.
  func publish(_ provenance: Provenance) async throws(ReactorError)
  /// Discards the staged lines. The earlier lines do not change.
  func discard() async

  /// Whether a transaction that loads the result can store the lines too.
  func isBeside(_ result: TableResult) -> Bool
  /// The staged lines as a load of a table; nil for a file.
  func load(_ provenance: Provenance) -> (load: TableLoad, rows: Database.Rows)?
  /// Passes the staged lines to a closure, in pieces of whole lines; only for lines that are held and never published.
  func pour(_ take: ([UInt8]) async throws(ReactorError) -> Void) async throws(ReactorError)
}

extension RejectedPlace {
  func isBeside(_ result: TableResult) -> Bool { false }

  func load(_ provenance: Provenance) -> (load: TableLoad, rows: Database.Rows)? { nil }

  func pour(_ take: ([UInt8]) async throws(ReactorError) -> Void) async throws(ReactorError) {}
}

extension RecordSpool: RejectedPlace {
  var text: String { path.text }

  func earlier() async throws(ReactorError) -> (any RecordFile)? {
    try await root.open(path).map { VerifiedRecords(file: $0) }
  }

  func publish(_ provenance: Provenance) async throws(ReactorError) {
    // The stamp only informs people who read the folder. No run uses the file, so a missing stamp has no effect.
    _ = try await publish(provenance, afterwards: { _ in })
  }
}
