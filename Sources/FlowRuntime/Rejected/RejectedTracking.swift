internal import Boxes
internal import FlowModel
internal import JSONSyntax
internal import Records
internal import Storage

/// Identifies the rejected records of an incremental flow.
///
/// It also finds the cursor range that requests each record again.
///
/// A record is identified by its key, or by its bytes when the key cannot be read.
struct RejectedTracking: Sendable {
  /// The facts that are added to the line of a rejected record, so that later runs can recognize and request it.
  struct Trace: Sendable {
    var identity: UInt64
    /// The record's key by field; nil when it cannot be read.
    var key: JSONObject?
    /// The bounds of the smallest cursor range that certainly contains the record.
    ///
    /// The bounds are in the format of the remembered state. An open bound has no member.
    var range: JSONObject?
  }

  /// The fields of the key; nil for a flow without a key.
  let key: RecordFields?
  @BoxedIfPresent private var cursor: Cursor?
  private let cursorField: RecordFields?
  /// The changes to the flow's records, except those that depend on parents.
  @BoxedIfPresent private var transform: RecordTransform?

  init(_ plan: FlowPlan) {
    let schema = plan.records.schema.schema
    key = RecordFields(schema.key, of: schema)
    cursor = plan.cursor
    cursorField = plan.cursor?.rank.flatMap { RecordFields([$0], of: schema) }
    transform = plan.records.transform
  }

  /// Returns the facts about a record that was just rejected.
  func trace(of record: RejectedRecord, _ asked: RequestedPart, by transform: RecordTransform?) -> Trace {
    guard !record.isCut, let value = try? JSONValue(parsing: record.json) else {
      return Trace(identity: Self.digest(record.json, asked.parents), range: asked.range.map { text(of: $0) })
    }
    let key = key?.values(of: value, by: transform)
    return Trace(
      identity: key.map(Self.digest) ?? Self.digest(JSONWriter.bytes(value), asked.parents), key: key,
      range: asked.range.map { text(of: range(of: value, within: $0, by: transform)) })
  }

  private func text(of range: CursorRange) -> JSONObject {
    guard let kind = cursor?.kind else { return JSONObject() }
    return JSONObject(
      [("start", range.start), ("end", range.end)].compactMap { name, value in
        value.map { JSONObject.Member(name: name, value: .string($0.text(of: kind))) }
      })
  }

  private func range(of record: JSONValue, within asked: CursorRange, by transform: RecordTransform?) -> CursorRange {
    guard let cursor, let field = cursorField?.values(of: record, by: transform)?.members.first?.value,
      let value = Cursor.Value(field.plainText, of: cursor.kind)
    else { return asked }
    return cursor.range(holding: value, within: asked)
  }

  /// The identity of the record in a line of the file of rejected records; nil when the line is for a failed item of
  /// `each`, whose identity is `RejectedRecords.digest`.
  func identity(of line: JSONValue) -> UInt64? {
    guard line["each"] == nil else { return nil }
    if case .object(let key)? = line["key"] { return Self.digest(key) }
    guard let record = line["record"] else {
      return Self.digest(Array((line["record_text"]?.string ?? "").utf8), line["parents"])
    }
    // Lines from earlier versions do not have the key.
    if line["cursor"] == nil, line["parents"] == nil, let key = key?.values(of: record, by: transform) {
      return Self.digest(key)
    }
    return Self.digest(JSONWriter.bytes(record), line["parents"])
  }

  /// The pending identities that a batch delivers, as valid records or as deletions.
  func delivered(in batch: RecordBatch, of pending: Set<UInt64>) -> Set<UInt64> {
    guard let key else { return [] }
    var found: Set<UInt64> = []
    for values in key.values(in: batch) {
      let identity = Self.digest(values)
      if pending.contains(identity) { found.insert(identity) }
    }
    return found
  }

  private static func digest(_ key: JSONObject) -> UInt64 {
    ContentHash.of([UInt8(ascii: "k")] + JSONWriter.bytes(.object(key)))
  }

  private static func digest(_ record: [UInt8], _ parents: JSONValue?) -> UInt64 {
    ContentHash.of([UInt8(ascii: "r")] + JSONWriter.bytes(parents ?? .null) + record)
  }
}
