internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// The records of one parent, one after the other, in memory that does not grow with them.
struct ParentReader: Sendable {
  private enum Source: Sendable {
    case values
    case feed(RecordFeed.Reader)
  }

  private var source: Source
  /// Records that were read and not given yet, from `next` on.
  private var held: [JSONValue]
  private var next = 0
  /// How many more may be given.
  private var left: Int

  /// Values that are known.
  init(_ values: [JSONValue], limit: Int?) {
    source = .values
    held = values
    left = limit ?? .max
  }

  /// Records that are handed on, some of them perhaps later.
  init(_ reader: RecordFeed.Reader, limit: Int?) {
    source = .feed(reader)
    held = []
    left = limit ?? .max
  }

  /// Why the records are less than there should be; known at the end.
  var shortfall: ReactorError? {
    if case .feed(let reader) = source { reader.shortfall } else { nil }
  }

  /// The next record; nil at the end. Waits where more may come.
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
