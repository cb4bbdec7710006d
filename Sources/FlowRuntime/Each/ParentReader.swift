internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Reads the records from one source of parents one after the other, in constant memory.
struct ParentReader: Sendable {
  /// Where the records come from.
  enum Source: Sendable {
    /// Declared values.
    case values([JSONValue])
    /// A feed of records, which may still arrive.
    case feed(RecordFeed.Reader)
    /// Several sources, one after the other.
    indirect case union(UnionReader)

    /// Returns the next records; nil at the end. Waits while more records may arrive.
    mutating func next() async throws(ReactorError) -> [JSONValue]? {
      switch self {
      case .values(let values):
        self = .values([])
        return values.isEmpty ? nil : values
      case .feed(var reader):
        defer { self = .feed(reader) }
        return try await reader.next()
      case .union(var reader):
        defer { self = .union(reader) }
        return try await reader.next()
      }
    }

    /// Why records are missing; nil when none are. Known after the last record.
    var shortfall: ReactorError? {
      switch self {
      case .values: nil
      case .feed(let reader): reader.shortfall
      case .union(let reader): reader.shortfall
      }
    }
  }

  private var source: Source
  /// Records that were read; those from index `next` on were not returned yet.
  private var held: [JSONValue] = []
  private var next = 0
  /// How many more records can be returned before the limit is reached.
  private var left: Int

  init(_ source: Source, limit: Int?) {
    self.source = source
    left = limit ?? .max
  }

  /// Why records are missing; nil when none are. Known after the last record.
  var shortfall: ReactorError? { source.shortfall }

  /// Returns the next record; nil at the end. Waits while more records may arrive.
  mutating func record() async throws(ReactorError) -> JSONValue? {
    guard left > 0 else { return nil }
    while next >= held.count {
      guard let more = try await source.next() else { return nil }
      (held, next) = (more, 0)
    }
    left -= 1
    next += 1
    return held[next - 1]
  }
}
