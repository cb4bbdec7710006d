/// Counts the kept, rejected and filtered records of a response.
public struct PruneReport: Sendable, Hashable {
  /// A record that was left out, and why.
  public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of a reason, in Unicode scalars.
    public static let reasonLimit = 300

    /// Its index in the response, from 0.
    public internal(set) var index: Int
    /// RFC 6901 pointer into the record; empty for the record itself.
    public let pointer: String
    /// What was expected and what was found; cut after `reasonLimit`.
    public let reason: String
    /// How to fix it; at most the first rejection has it.
    public let help: String?

    /// Builds a rejection.
    public init(index: Int, pointer: String, reason: String, help: String? = nil) {
      self.index = index
      self.pointer = pointer
      self.help = help
      let scalars = reason.unicodeScalars.prefix(Rejection.reasonLimit)
      self.reason = scalars.endIndex == reason.unicodeScalars.endIndex ? reason : String(scalars) + "…"
    }

    /// `record 3 at /name: reason`
    public var description: String { "record \(index)\(pointer.isEmpty ? "" : " at \(pointer)"): \(reason)" }
  }

  /// The maximum length of the list of rejections; all of them are counted.
  public static let listLimit = 100

  /// Records that fit.
  public private(set) var kept: Int
  /// Records that did not fit and were left out.
  public private(set) var rejected: Int
  /// The first rejections, at most `listLimit`, in the order of the response.
  public private(set) var rejections: [Rejection]

  /// Parts of the result that could not be fetched, counted as rejected too: requests for single records of a parent.
  public private(set) var skipped = 0
  /// Records that were left out because they are not wanted.
  public private(set) var filtered = 0
  /// Records in the response as received, where a transform made another number of them.
  public var came: Int?

  /// Records in the response as received.
  public var total: Int { came ?? kept + rejected + filtered }

  /// Whether there were records and none of them fits: such a result is reported and never saved over a good one.
  public var isWhollyRejected: Bool { rejected > skipped && kept == 0 && filtered == 0 }

  /// A report of records that all fit.
  public init(kept: Int = 0) {
    self.kept = kept
    self.rejected = 0
    self.rejections = []
  }

  /// Counts records that fit.
  public mutating func keep(_ count: Int = 1) { kept += count }

  /// Counts records that are not wanted.
  public mutating func leaveOut(_ count: Int = 1) { filtered += count }

  /// Counts a record that does not fit.
  ///
  /// - Parameter index: its index in the response, from 0.
  /// - Parameter error: why, with the pointer into the record.
  public mutating func reject(at index: Int, because error: MappedError) {
    rejected += 1
    guard rejections.count < PruneReport.listLimit else { return }
    rejections.append(Rejection(index: index, pointer: error.pointer, reason: error.message, help: error.help))
  }

  /// Counts a part of the result that could not be fetched, at the index that its first record would have.
  public mutating func skip(_ reason: String, pointer: String) {
    skipped += 1
    reject(at: total, because: MappedError(reason, pointer: pointer))
    if let came { self.came = came + 1 }
  }

  /// Adds a later part of the same records, whose indices begin at 0.
  public mutating func append(_ later: PruneReport) {
    let offset = total
    addCounts(of: later)
    for var rejection in later.rejections.prefix(PruneReport.listLimit - rejections.count) {
      rejection.index += offset
      rejections.append(rejection)
    }
  }

  /// Adds another part of the same response, whose indices already count from the response's start.
  public mutating func merge(_ other: PruneReport) {
    addCounts(of: other)
    rejections.append(contentsOf: other.rejections.prefix(PruneReport.listLimit - rejections.count))
  }

  /// Adds only the rejections of a second pass over the same records.
  public mutating func includeRejections(of other: PruneReport) {
    rejected += other.rejected
    guard !other.rejections.isEmpty else { return }
    rejections = Array((rejections + other.rejections).sorted { $0.index < $1.index }.prefix(PruneReport.listLimit))
  }

  private mutating func addCounts(of other: PruneReport) {
    if came != nil || other.came != nil { came = total + other.total }
    kept += other.kept
    rejected += other.rejected
    skipped += other.skipped
    filtered += other.filtered
  }
}
