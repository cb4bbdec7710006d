internal import ReactorCore

/// Receives the records of a page.
///
/// The records are in the format of the result, each with the separator before it.
protocol RecordSink: Sendable {
  /// Writes records; returns when there is room for more.
  func write(_ part: RecordChunk) async throws(ReactorError)
}
