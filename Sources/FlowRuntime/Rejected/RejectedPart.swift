internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// A part of the data that a retry requests again because records of it were rejected.
///
/// It consists of ranges; in a flow with parents, of the ranges of one parent.
struct RejectedPart: Sendable {
  /// The parents' records by name; nil for a flow without parents.
  var parents: JSONValue?
  /// The ranges to request; nil for a flow without a cursor, which requests all records.
  var ranges: [CursorRange]?
}

extension RejectedRecords {
  /// The maximum size of all parents together, as JSON text, in bytes.
  private static let heldBytes = 32 << 20

  /// The parts to request for the lines of the older file. Lines about failed items, and lines without the parents or
  /// the range that the plan needs, are ignored.
  func parts(of plan: FlowPlan) async throws(ReactorError) -> [RejectedPart] {
    let hasParents = plan.each != nil
    var indices: [[UInt8]: Int] = [:]
    var found: [(parents: JSONValue?, ranges: RangeUnion)] = []
    var bytes = 0
    var isTooLarge = false
    try await readOld { line in
      guard line["each"] == nil, hasParents == (line["parents"] != nil) else { return }
      var range = CursorRange()
      if let cursor = plan.cursor {
        guard let asked = line["cursor"] else { return }
        let kind = cursor.kind
        range.start = asked["start"]?.string.flatMap { Cursor.Value($0, of: kind) }
        range.end = asked["end"]?.string.flatMap { Cursor.Value($0, of: kind) }
      }
      let text = line["parents"].map { JSONWriter.bytes($0) } ?? []
      guard let index = indices[text] else {
        bytes += text.count
        guard bytes <= Self.heldBytes else {
          isTooLarge = true
          return
        }
        indices[text] = found.count
        var ranges = RangeUnion()
        ranges.insert(range)
        found.append((line["parents"], ranges))
        return
      }
      found[index].ranges.insert(range)
    }
    guard !isTooLarge else {
      throw .persistence(
        "the parents of the rejected records in \(place.text) are larger than \(Self.heldBytes >> 20) MiB in total "
          + "(run with --fresh=everything, or move some lines of that file elsewhere, retry, and put them back)",
        path: place.text)
    }
    return found.map { part in
      RejectedPart(parents: part.parents, ranges: plan.cursor.map { $0.sliced(part.ranges.ranges) })
    }
  }
}
