/// How many records an answer held, and what became of them.
public struct PruneReport: Sendable, Hashable {
  /// The rejections that are kept in the list; all of them are counted.
  public static let listLimit = 100

  /// Records that fit.
  public private(set) var kept: Int
  /// Records that did not fit and were left out.
  public private(set) var rejected: Int
  /// The first rejections, at most `listLimit`, in the order of the answer.
  public private(set) var rejections: [Rejection]

  /// Parts of the result that could not be got, among the rejected: requests for single records of a parent.
  public private(set) var skipped = 0

  /// Records in the answer.
  public var total: Int { kept + rejected }

  /// Whether there were records and none of them fits: such a result is reported and never saved over a good one.
  public var isWhollyRejected: Bool { rejected > skipped && kept == 0 }

  /// A report of records that all fit.
  public init(kept: Int = 0) {
    self.kept = kept
    self.rejected = 0
    self.rejections = []
  }

  /// Counts records that fit.
  public mutating func keep(_ count: Int = 1) { kept += count }

  /// Counts a record that does not fit.
  ///
  /// - Parameter index: its place in the answer, from 0.
  /// - Parameter error: why, with the pointer into the record.
  public mutating func reject(at index: Int, because error: MappedError) {
    rejected += 1
    guard rejections.count < PruneReport.listLimit else { return }
    rejections.append(Rejection(index: index, pointer: error.pointer, reason: error.message))
  }

  /// Counts a part of the result that could not be got, at the place where its records would be.
  public mutating func skip(_ reason: String, pointer: String) {
    skipped += 1
    reject(at: total, because: MappedError(reason, pointer: pointer))
  }

  /// Adds a later part of the same records, whose indices begin at 0.
  public mutating func append(_ later: PruneReport) {
    let offset = total
    kept += later.kept
    rejected += later.rejected
    skipped += later.skipped
    for var rejection in later.rejections.prefix(PruneReport.listLimit - rejections.count) {
      rejection.index += offset
      rejections.append(rejection)
    }
  }

  /// Adds another part of the same answer, whose indices already count from the answer's start.
  public mutating func merge(_ other: PruneReport) {
    kept += other.kept
    rejected += other.rejected
    skipped += other.skipped
    rejections.append(contentsOf: other.rejections.prefix(PruneReport.listLimit - rejections.count))
  }
}
