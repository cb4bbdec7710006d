/// The keys of the records of one page, as fingerprints.
public struct PageKeys: Sendable {
  fileprivate var prints: [RecordFingerprint] = []
}

/// Reads the keys of the records of one page. One task owns it.
public final class PageKeyReader {
  private let fingerprints: RecordFingerprints
  /// The keys so far.
  public private(set) var keys = PageKeys()

  /// Creates a reader; nil without a key, or when a field of the key is not in the schema.
  public init?(_ plan: MappingPlan, key: [String]) {
    guard let fingerprints = RecordFingerprints(plan, key: key) else { return nil }
    self.fingerprints = fingerprints
  }

  /// Adds the keys of the records of a batch.
  public func take(_ batch: RecordBatch) {
    for row in 0..<batch.count { keys.prints.append(fingerprints.of(batch, row)) }
  }
}

/// Counts the records of a pull that repeat the key of an earlier record; needs 16 bytes of memory for each key.
///
/// If a list changes while its pages are read by number or offset, a record may arrive twice, and another may be
/// missing.
public struct RepeatedKeys: Sendable {
  private var seen: Set<RecordFingerprint> = []
  /// The number of records with the key of an earlier record.
  public private(set) var count = 0

  /// Creates a count without keys.
  public init() {}

  /// Adds the records of a page.
  public mutating func add(_ page: PageKeys) {
    for print in page.prints where !seen.insert(print).inserted { count += 1 }
  }
}
