internal import ReactorCore
internal import Records
internal import Storage

/// Holds rejected records until it is known whether the valid records of the same requests are used.
///
/// A small part is in memory, the rest in a file without a name. The lines are discarded unless they are added to the
/// rejected records of the run.
struct HeldRejectedRecords: RejectedPlace {
  private let feed: RecordFeed

  init(in environment: FlowEnvironment) { feed = environment.newFeed() }

  var text: String { "the held records" }

  func earlier() async throws(ReactorError) -> (any RecordFile)? { nil }

  func write(_ lines: [UInt8]) async throws(ReactorError) { await feed.writer.append(lines) }

  /// Passes the lines to a closure, in pieces of whole lines.
  func pour(_ take: ([UInt8]) async throws(ReactorError) -> Void) async throws(ReactorError) {
    feed.writer.finish()
    var reader = feed.reader(batch: 256 << 10)
    while let piece = try await reader.nextBytes() { try await take(piece) }
  }

  func publish(_ provenance: Provenance) async throws(ReactorError) {}

  func discard() async {}
}
