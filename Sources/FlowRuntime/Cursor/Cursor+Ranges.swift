internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

extension Cursor {
  /// The maximum number of ranges in a run.
  ///
  /// A flow could not request more ranges within its time limit.
  static let maximumRanges = 100_000

  /// The ranges of a run, in order; empty when no range is left to request.
  ///
  /// - Parameters:
  ///   - state: the greatest value of the persisted records
  ///   - since: the position from which this run begins, instead of the remembered value
  func ranges(
    from state: Value?, since: Value?, at now: ExpressionTimestamp
  ) throws(ReactorError) -> [CursorRange] {
    let start = since ?? begin(from: state)
    let end = end(at: now)
    guard let start, let end else { return [CursorRange(start: start, end: end)] }
    guard start < end || (start == end && bounds == .closed) else { return [] }
    let ranges = sliced(CursorRange(start: start, end: end), most: Self.maximumRanges + 1)
    guard ranges.count <= Self.maximumRanges else {
      throw .parser("'cursor.slice' cuts the requested range into more than \(Self.maximumRanges) slices")
    }
    return ranges
  }

  /// Cuts ranges into slices; returns them unchanged without `slice`.
  func sliced(_ ranges: [CursorRange]) -> [CursorRange] { ranges.flatMap { sliced($0, most: Self.maximumRanges) } }

  private func sliced(_ range: CursorRange, most: Int) -> [CursorRange] {
    guard let slice = slice?.constant, let start = range.start, let end = range.end, start < end else {
      return [range]
    }
    var ranges: [CursorRange] = []
    var from = start
    while from < end, ranges.count < most {
      var next = self.end(ofSlice: ranges.count, from: from, of: slice, since: start) ?? end
      if let day = wholeDay(of: next) {
        next = day > from ? day : wholeDay(of: from).flatMap { self.next(.day, after: $0) } ?? next
      }
      let isLast = next > end || next == end && before(next) == next || ranges.count == most - 1
      ranges.append(CursorRange(start: from, end: isLast ? end : before(next)))
      from = isLast ? end : next
    }
    // If the last slice ends just before the last day or number, this day or number is a slice of its own.
    if let last = ranges.last?.end, last < end { ranges.append(CursorRange(start: end, end: end)) }
    return ranges
  }

  /// The start of the day of a value; nil unless requests name days without a time and include both bounds.
  private func wholeDay(of value: Value) -> Value? {
    guard bounds == .closed, case .instant(let instant) = value, writesWholeDays(instant) else { return nil }
    return .instant(dayStart(of: instant))
  }

  /// The end of a slice, just before the start of the next one. So no day and no number is in two slices if both bounds
  /// are included.
  private func before(_ next: Value) -> Value {
    guard bounds == .closed else { return next }
    switch next {
    case .integer(let number): return .integer(number - 1)
    case .instant(let instant) where writesWholeDays(instant):
      return .instant(instant.moved(by: kind == .date ? .seconds(-86_400) : .nanoseconds(-1)) ?? instant)
    case .instant, .text: return next
    }
  }

  /// The end of the slice that starts at a value; nil when it cannot be represented.
  ///
  /// Months are counted from the start of the whole range. Counted from slice to slice, day 31 would become day 28 and
  /// stay so.
  private func end(
    ofSlice index: Int, from: Value, of slice: Slice, since start: Value
  ) -> Value? {
    switch slice {
    case .length(.months(let months)): start.moved(by: .months(months * (index + 1)))
    case .length(let length): from.moved(by: length)
    case .calendar(let period): next(period, after: from)
    }
  }

  /// The value at which the range of a run starts; nil to request records without a start.
  private func begin(from state: Value?) -> Value? {
    let start = start?.value
    guard let state else { return start }
    let back = (lookback?.constant).map { state.moved(by: $0, backwards: true) ?? start } ?? state
    guard let back else { return start }
    return start.map { max($0, back) } ?? back
  }

  private func end(at now: ExpressionTimestamp) -> Value? {
    switch end {
    case nil: return nil
    case .value(let bound): return bound.value
    case .now:
      guard kind == .date else { return .instant(now) }
      let today = now.floored(to: Value.day)
      // The end includes the current day.
      let last = bounds.includesEnd ? today : today.moved(by: .seconds(86_400)) ?? today
      return .instant(last)
    }
  }

  // MARK: - Writing

  /// The value of the name `cursor` in templates.
  ///
  /// - Parameter position: the position that the last run reached; nil before the first run
  func value(_ range: CursorRange, position: Value? = nil) -> ExpressionValue {
    .map([
      ExpressionMember("start", range.start.map { written($0, isEnd: false) } ?? .null),
      ExpressionMember("end", range.end.map { written($0, isEnd: true) } ?? .null),
      ExpressionMember("position", position.map { written($0, isEnd: false) } ?? .null),
    ])
  }

  /// The value of the name `cursor` in conditions on records, where its values have the type of the record's field.
  func recordValue(_ range: CursorRange, position: Value?) -> ExpressionValue {
    func bound(_ value: Value?) -> ExpressionValue {
      switch value {
      case nil: .null
      case .instant(let instant)? where kind == .timestamp: .timestamp(instant)
      case .integer(let number)?: .int(number)
      case .some(let value): .string(value.text(of: kind))
      }
    }
    return .map([
      ExpressionMember("start", bound(range.start)), ExpressionMember("end", bound(range.end)),
      ExpressionMember("position", bound(position)),
    ])
  }

  /// The resource with the bounds of the range as query parameters.
  func bounded(_ resource: Resource, by range: CursorRange) -> Resource {
    var resource = resource
    if isTokenURL, case .text(let url)? = range.start { (resource.target, resource.query) = (url, []) }
    for (name, text) in parameters(of: range) { resource.query.replace(name, with: text) }
    resource.siblings = resource.siblings.map { bounded($0, by: range) }
    return resource
  }

  /// The query parameters with the bounds of a range.
  func parameters(of range: CursorRange) -> [(name: String, text: String)] {
    var parameters: [(name: String, text: String)] = []
    if let name = query, let start = range.start {
      parameters.append((name, written(start, isEnd: false).json.plainText))
    }
    if let name = endQuery, let end = range.end {
      parameters.append((name, written(end, isEnd: true).json.plainText))
    }
    return parameters
  }

  /// A bound in the format of the request.
  ///
  /// A value that the format cannot represent exactly is rounded so that the range becomes larger. In a format without
  /// a time of day, there are two special cases: an excluded start is written as the day before, and an included end is
  /// not rounded up to the next day, because it already means the whole day.
  private func written(_ value: Value, isEnd: Bool) -> ExpressionValue {
    guard case .instant(var instant) = value else {
      if case .integer(let number) = value { return .int(number) }
      return .string(value.text(of: kind))
    }
    instant = localTime(of: instant, isEnd: isEnd)
    // If an excluded start names the day itself, a server that compares days leaves out the rest of that day. So the
    // bound is the day before.
    if !isEnd, !bounds.includesStart, kind == .timestamp, writesWholeDays(instant) {
      instant = instant.moved(by: .seconds(-86_400)) ?? instant
    }
    switch format?.value {
    case nil, "iso8601"?:
      guard format == nil, kind == .date else { return .string(instant.text) }
      return .string(value.text(of: .date))
    case "epoch_s"?: return .int(Self.count(instant, unitsPerSecond: 1, up: isEnd))
    case "epoch_ms"?: return .int(Self.count(instant, unitsPerSecond: 1000, up: isEnd))
    case "epoch_us"?: return .int(Self.count(instant, unitsPerSecond: 1_000_000, up: isEnd))
    case "date"?:
      let isUp = isEnd && !bounds.includesEnd
      return .string(String(Self.rounded(instant, to: Value.day, up: isUp).text.prefix(10)))
    case .some(let pattern):
      let isUp = isEnd && !(bounds.includesEnd && Self.isDay(pattern, of: instant))
      return .string(Self.text(instant, pattern, roundsUp: isUp))
    }
  }

  /// The present time as a value of the cursor's field; nil for a field that is not a timestamp or a date.
  func present(_ now: ExpressionTimestamp) -> String? {
    switch kind {
    case .timestamp: Value.instant(now).text(of: kind)
    case .date: Value.instant(now.floored(to: Value.day)).text(of: kind)
    case .integer, .string, .token: nil
    }
  }

  /// Whether requests have bounds without a time of day.
  ///
  /// - Parameter instant: a time within the range
  func writesWholeDays(_ instant: ExpressionTimestamp) -> Bool {
    switch format?.value {
    case nil: kind == .date
    case "date"?: true
    case "iso8601"?, "epoch_s"?, "epoch_ms"?, "epoch_us"?: false
    case .some(let pattern): Self.isDay(pattern, of: instant)
    }
  }

  /// Whether a pattern has no time of day.
  private static func isDay(_ pattern: String, of instant: ExpressionTimestamp) -> Bool {
    let day = instant.floored(to: Value.day)
    guard let last = day.moved(by: .seconds(86_399)) else { return false }
    return day.text(writtenAs: pattern) == last.text(writtenAs: pattern)
  }

  /// The time since 1970 as a whole number of units.
  private static func count(_ instant: ExpressionTimestamp, unitsPerSecond: Int64, up: Bool) -> Int64 {
    let length = 1_000_000_000 / unitsPerSecond
    let rounded = rounded(instant, to: length, up: up)
    return rounded.secondsSince1970 * unitsPerSecond + Int64(rounded.nanosecond) / length
  }

  private static func rounded(_ instant: ExpressionTimestamp, to unit: Int64, up: Bool) -> ExpressionTimestamp {
    let floor = instant.floored(to: unit)
    return up && floor < instant ? floor.moved(by: .nanoseconds(unit)) ?? floor : floor
  }

  /// Formats an instant. A pattern can drop precision, so an end is moved later until it is not before the instant.
  private static func text(_ instant: ExpressionTimestamp, _ pattern: String, roundsUp: Bool) -> String {
    for seconds in roundsUp ? [0, 1, 60, 3600, 86_400] : [0] {
      guard let moved = instant.moved(by: .seconds(seconds)), let text = moved.text(writtenAs: pattern) else {
        continue
      }
      if !roundsUp || ExpressionTimestamp(text, writtenAs: pattern).map({ $0 >= instant }) ?? true { return text }
    }
    return instant.text(writtenAs: pattern) ?? instant.text
  }
}

extension Cursor {
  /// Whether an error says that the server no longer knows a token.
  func refusesToken(_ error: ReactorError) -> Bool { token != nil && error.status == 410 }
}
