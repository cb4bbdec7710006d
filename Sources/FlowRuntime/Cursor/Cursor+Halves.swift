internal import Expressions
internal import FlowModel

/// The ranges to request instead of a range of which the server gives only a part (`cap`).
extension Cursor {
  /// What to request after a range that was read up to a value.
  enum Continuation: Equatable {
    /// The rest of the range, including the records with the value.
    case rest(CursorRange)
    /// The range was read to its end.
    case nothing
    /// The request for the rest would be the same as the request for the range, so it would return the same records.
    case stuck
  }

  /// Returns what to request after a range whose records were read in ascending order up to a value.
  func continuation(of range: CursorRange, at greatest: Value) -> Continuation {
    if let end = range.end, bounds.includesEnd ? greatest > end : greatest >= end { return .nothing }
    guard let start = self.range(holding: greatest, within: range).start else { return .stuck }
    if let known = range.start, known >= start { return .stuck }
    let rest = CursorRange(start: start, end: range.end)
    return isWritten(rest, unlike: range) ? .rest(rest) : .stuck
  }

  /// The two halves of a range; nil when a half would have the same request as the range.
  ///
  /// Every value of the range is in a half. If requests include the start and the end, a value can be in both.
  func halves(of range: CursorRange) -> (first: CursorRange, second: CursorRange)? {
    guard let start = range.start, let end = range.end, let cut = cut(start, end) else { return nil }
    let first = CursorRange(start: start, end: cut.end)
    let second = CursorRange(start: cut.start, end: end)
    return isWritten(first, unlike: range) && isWritten(second, unlike: range) ? (first, second) : nil
  }

  private func isWritten(_ range: CursorRange, unlike other: CursorRange) -> Bool { value(range) != value(other) }

  // MARK: - The middle of a range

  /// The end of the first half and the start of the second half; nil when no value is between the bounds.
  private func cut(_ start: Value, _ end: Value) -> (end: Value, start: Value)? {
    switch (start, end) {
    case (.integer(let start), .integer(let end)): return cut(start, end)
    case (.instant(let start), .instant(let end)): return cut(start, end)
    default: return nil
    }
  }

  private func cut(_ start: Int64, _ end: Int64) -> (end: Value, start: Value)? {
    guard start < end else { return nil }
    // The distance of two integers needs one bit more than the integers.
    let half = UInt64(bitPattern: end &- start) / 2
    let middle = start &+ Int64(bitPattern: half)
    if bounds == .closed { return (.integer(middle), .integer(middle + 1)) }
    return middle > start ? (.integer(middle), .integer(middle)) : nil
  }

  private func cut(
    _ start: ExpressionTimestamp, _ end: ExpressionTimestamp
  ) -> (end: Value, start: Value)? {
    guard writesWholeDays(end), bounds == .closed else {
      let units = writesWholeDays(end) ? [Value.day] : Self.units
      return middle(start, end, units).map { (.instant($0), .instant($0)) }
    }
    // The last day belongs to the range as a whole, so the second half can be that day alone.
    guard let dayAfter = end.floored(to: Value.day).moved(by: .seconds(86_400)),
      let middle = middle(start, dayAfter, [Value.day]), middle <= end,
      let before = middle.moved(by: kind == .date ? .seconds(-86_400) : .nanoseconds(-1))
    else { return nil }
    return (.instant(before), .instant(middle))
  }

  /// The middle of two times, rounded down to the coarsest unit that still separates them and that requests can
  /// express.
  private func middle(
    _ start: ExpressionTimestamp, _ end: ExpressionTimestamp, _ units: [Int64]
  ) -> ExpressionTimestamp? {
    guard start < end, let middle = start.moved(by: start.duration(to: end) / 2) else { return nil }
    for unit in units {
      let floor = middle.floored(to: unit)
      guard floor > start, floor < end else { continue }
      let bound = Value.instant(floor)
      // A format that drops precision rounds a start down and an end up: then the halves would overlap.
      if case .map(let written) = value(CursorRange(start: bound, end: bound)), written[0].value == written[1].value {
        return floor
      }
    }
    return nil
  }

  /// The units to which the middle of two times is rounded, in nanoseconds: a day, an hour, a minute, a second, a
  /// millisecond and a microsecond.
  private static let units: [Int64] = [
    Value.day, 3_600_000_000_000, 60_000_000_000, 1_000_000_000, 1_000_000, 1000,
  ]
}
