internal import JSONSyntax
internal import ReactorCore

/// Reads the records of several sources one after the other, and leaves out each record whose key an earlier record
/// has.
///
/// It keeps the key of each record in memory, at most 500 bytes. A record without a value for its key is never left
/// out.
struct UnionReader: Sendable {
  private var sources: [ParentReader.Source]
  /// The index of the source that is being read.
  private var current = 0
  private var seen: Set<String> = []
  private let parent: String
  private let identity: ParentIdentity

  /// - Parameter parent: the name of the parent, by which `identity` finds the fields of the key
  init(_ sources: [ParentReader.Source], of parent: String, _ identity: ParentIdentity) {
    self.sources = sources
    self.parent = parent
    self.identity = identity
  }

  /// Why records of a source are missing; nil when none are. Known after the last record.
  var shortfall: ReactorError? { sources.lazy.compactMap(\.shortfall).first }

  /// Returns the next records; nil at the end. Waits while more records may arrive.
  mutating func next() async throws(ReactorError) -> [JSONValue]? {
    while current < sources.count {
      guard let records = try await sources[current].next() else {
        current += 1
        continue
      }
      var taken: [JSONValue] = []
      for record in records {
        if let text = identity.text(ofRecord: record, of: parent), !seen.insert(text).inserted { continue }
        taken.append(record)
      }
      if !taken.isEmpty { return taken }
    }
    return nil
  }
}
