/// Counts the kept, rejected and filtered records of a response.
public struct PruneReport: Sendable, Hashable {
  /// A record that was left out, and why.
  public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of a reason, in Unicode scalars.
    public static let reasonLimit = 300

    /// The index of the record in the response, from 0.
    public internal(set) var index: Int
    /// The RFC 6901 pointer into the record; empty for the record itself.
    public let pointer: String
    /// The expected and the actual value; truncated to `reasonLimit`.
    public let reason: String
    /// A suggestion for the fix; only the first rejection may have one.
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

  /// The maximum length of the list of rejections. The counts include rejections beyond it.
  public static let listLimit = 100

  /// The number of records that match the mapping.
  public package(set) var kept: Int
  /// The number of records that do not match the mapping and were left out.
  public private(set) var rejected: Int
  /// The first rejections, at most `listLimit`, in the order of the response.
  public private(set) var rejections: [Rejection]

  /// The number of parts of the result that could not be fetched. Each part is the response to a request for one record
  /// of a parent.
  ///
  /// They are also counted in `rejected`.
  public private(set) var skipped = 0
  /// The number of records that a filter left out.
  public private(set) var filtered: Int
  /// The number of records in the response as received, when a transform changed that number.
  public var came: Int?

  /// The number of records in the response as received.
  public var total: Int { came ?? kept + rejected + filtered }

  /// Whether there were records and all of them were rejected.
  ///
  /// Such a result is reported, but it never replaces a good persisted result.
  public var isWhollyRejected: Bool { rejected > skipped && kept == 0 && filtered == 0 }

  /// Creates a report; without further counts, one in which all records are kept.
  ///
  /// - Parameter rejections: the first rejections, at most `listLimit`, in the order of the response.
  public init(kept: Int = 0, rejected: Int = 0, filtered: Int = 0, rejections: [Rejection] = []) {
    self.kept = kept
    self.rejected = rejected
    self.filtered = filtered
    self.rejections = rejections
  }

  /// Counts records that match the mapping.
  public mutating func keep(_ count: Int = 1) { kept += count }

  /// Counts records that a filter leaves out.
  public mutating func leaveOut(_ count: Int = 1) { filtered += count }

  /// Counts a record that does not match the mapping.
  ///
  /// - Parameter index: the index of the record in the response, from 0.
  /// - Parameter error: the reason, with the pointer into the record.
  public mutating func reject(at index: Int, because error: MappedError) {
    rejected += 1
    guard rejections.count < PruneReport.listLimit else { return }
    rejections.append(Rejection(index: index, pointer: error.pointer, reason: error.message, help: error.help))
  }

  /// Counts a part of the result that could not be fetched.
  ///
  /// The rejection has the index that the first record of the missing part would have.
  public mutating func skip(_ reason: String, pointer: String) {
    skipped += 1
    reject(at: total, because: MappedError(reason, pointer: pointer))
    if let came { self.came = came + 1 }
  }

  /// Adds the report of a later part of the same records. The indices in that report begin at 0 and are adjusted.
  public mutating func append(_ later: PruneReport) {
    let offset = total
    addCounts(of: later)
    for var rejection in later.rejections.prefix(PruneReport.listLimit - rejections.count) {
      rejection.index += offset
      rejections.append(rejection)
    }
  }

  /// Adds the report of another part of the same response.
  ///
  /// The indices of that report already count from the start of the response.
  public mutating func merge(_ other: PruneReport) {
    addCounts(of: other)
    rejections.append(contentsOf: other.rejections.prefix(PruneReport.listLimit - rejections.count))
  }

  /// Adds only the rejections from a second pass over the same records.
  public mutating func includeRejections(of other: PruneReport) {
    rejected += other.rejected
    guard !other.rejections.isEmpty else { return }
    rejections = Array((rejections + other.rejections).sorted { $0.index < $1.index }.prefix(PruneReport.listLimit))
  }

  /// Changes each rejection that is listed.
  mutating func mapRejections(_ change: (Rejection) -> Rejection) { rejections = rejections.map(change) }

  private mutating func addCounts(of other: PruneReport) {
    if came != nil || other.came != nil { came = total + other.total }
    kept += other.kept
    rejected += other.rejected
    skipped += other.skipped
    filtered += other.filtered
  }
}
