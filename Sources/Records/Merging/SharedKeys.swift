/// The keys of one parent's records, each with a hash of its record.
public struct ParentKeys: Sendable {
  fileprivate var contents: [RecordFingerprint: Int] = [:]

  /// Adds the keys of more records of the same parent; if a key is repeated, the hash of the later record replaces that
  /// of the earlier one.
  public mutating func add(_ other: ParentKeys) { contents.merge(other.contents) { _, later in later } }
}

/// Reads the keys of one parent's records. One task owns it.
public final class ParentKeyReader {
  private let keys: RecordFingerprints
  private let records: RecordFingerprints
  /// The keys so far.
  public private(set) var read = ParentKeys()

  /// Creates a reader; nil without a key, or when a field of the key is not in the schema.
  public init?(_ plan: MappingPlan, key: [String]) {
    guard let keys = RecordFingerprints(plan, key: key),
      let records = RecordFingerprints(plan, key: plan.objects[0].mappings.map(\.name))
    else { return nil }
    self.keys = keys
    self.records = records
  }

  /// Adds the keys and the hashes of the records of a batch.
  public func take(_ batch: RecordBatch) {
    for row in 0..<batch.count where read.contents.count < SharedKeys.limit {
      read.contents[keys.of(batch, row)] = records.of(batch, row).first
    }
  }
}

/// Counts keys that different parents use for different records.
///
/// Such a key identifies a record only together with its parent. A record that several parents have with equal values
/// is not counted.
public struct SharedKeys: Sendable {
  /// The maximum number of keys that are compared; all other keys are ignored. A key takes about 40 bytes.
  public static let limit = 1 << 18

  private var seen: [RecordFingerprint: Int] = [:]
  /// The number of records whose key also belongs to a different record of another parent.
  public private(set) var count = 0

  /// Creates a count without keys.
  public init() {}

  /// Adds the records of the next parent.
  public mutating func add(_ parent: ParentKeys) {
    for (key, record) in parent.contents {
      if let other = seen[key] {
        if other != record { count += 1 }
      } else if seen.count < Self.limit {
        seen[key] = record
      }
    }
  }
}
