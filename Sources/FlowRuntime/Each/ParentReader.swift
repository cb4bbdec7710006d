internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Reads the records of one parent one after the other, in constant memory.
struct ParentReader: Sendable {
  private enum Source: Sendable {
    case values
    case feed(RecordFeed.Reader)
  }

  private var source: Source
  /// Records that were read; those from index `next` on were not returned yet.
  private var held: [JSONValue]
  private var next = 0
  /// How many more records may be returned.
  private var left: Int

  /// Creates a reader of declared values.
  init(_ values: [JSONValue], limit: Int?) {
    source = .values
    held = values
    left = limit ?? .max
  }

  /// Creates a reader of a feed. Its records may arrive later.
  init(_ reader: RecordFeed.Reader, limit: Int?) {
    source = .feed(reader)
    held = []
    left = limit ?? .max
  }

  /// Why records are missing; nil when none are. Known after the last record.
  var shortfall: ReactorError? {
    if case .feed(let reader) = source { reader.shortfall } else { nil }
  }

  /// Returns the next record; nil at the end. Waits while more records may arrive.
  mutating func record() async throws(ReactorError) -> JSONValue? {
    guard left > 0 else { return nil }
    while next >= held.count {
      guard case .feed(var reader) = source, let more = try await reader.next() else { return nil }
      source = .feed(reader)
      (held, next) = (more, 0)
    }
    left -= 1
    next += 1
    return held[next - 1]
  }
}
