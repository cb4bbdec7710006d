internal import Boxes
internal import FlowModel
internal import ReactorCore

/// A range that is requested to its end, although the server gives only a part of it at a time (`cap`).
struct CappedRange {
  @Boxed private(set) var cursor: Cursor
  let cap: Cursor.Cap
  let range: CursorRange
  let request: RangeRequest
  /// Whether `where` leaves out records before their fields are read.
  let leavesOutUnread: Bool
  /// Builds the same request for another range.
  let other: @Sendable (CursorRange) throws(ReactorError) -> RangeRequest

  /// The error when the rest of a range cannot be requested: either more records have the same value than the cap
  /// allows, or no record has a value.
  ///
  /// - Parameters:
  ///   - greatest: the greatest value so far; nil when no record has one
  ///   - report: the records of the part that was read; the values of rejected ones, and of those that a `where` over
  ///     `source` leaves out, are not known
  func stuck(at greatest: Cursor.Value?, leavingOut report: PruneReport) -> ReactorError {
    guard let greatest else {
      return Self.error(
        "the server gives only a part of the range (\(cap.words)), and no record in it has a value of "
          + "'\(cursor.field.value)' from which the rest could be requested",
        help: unknownValues(report)
          ?? "compare 'cap' and 'schema' with the server's responses ('reactor explain FLOW')")
    }
    return Self.error(
      "the server gives only a part of a range (\(cap.words)), and the request for the rest, after "
        + "\(greatest.text(of: cursor.kind)) in '\(cursor.field.value)', would repeat the last request",
      help: unknownValues(report) ?? Self.remedy)
  }

  /// The help when the rest of the range cannot be found because some records have unknown values; nil when all values
  /// are known.
  private func unknownValues(_ report: PruneReport) -> String? {
    if report.rejected > 0 {
      let count = report.rejected == 1 ? "1 record of this part is" : "\(report.rejected) records of this part are"
      return "\(count) rejected, so not all values of the cursor's field are known: "
        + "fix 'schema' until no record is rejected"
    }
    guard report.filtered > 0, leavesOutUnread else { return nil }
    let count = report.filtered == 1 ? "1 record" : "\(report.filtered) records"
    return "'where' left out \(count) before the cursor's field was read, so not all its values are known: "
      + "write 'where' with 'record' instead of 'source'"
  }

  /// The error for a range that cannot be divided into halves.
  func uncuttable(_ range: CursorRange) -> ReactorError {
    let bounds = [range.start, range.end].map { $0?.text(of: cursor.kind) ?? "its end" }
    return Self.error(
      "the server gives only a part of a range (\(cap.words)), and the range from \(bounds[0]) to \(bounds[1]) cannot "
        + "be cut further",
      help: Self.remedy)
  }

  private static let remedy =
    "set a greater 'cap', if the server gives more; write the bounds more exactly with 'format'; or split the records "
    + "by another parameter, with 'each: { values: … }'"

  /// The error for a range that would be divided into too many ranges.
  static var tooMany: ReactorError {
    error(
      "because of its cap, a range is divided into more than \(Cursor.maximumRanges) ranges",
      help: "set a greater 'cap', if the server gives more, or begin later with 'start'")
  }

  /// An error about a range that reaches its cap.
  static func error(_ message: String, help: String) -> ReactorError {
    var error = ReactorError.server(message)
    error.key = "cursor.cap"
    error.help = help
    return error
  }
}
