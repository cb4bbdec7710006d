internal import Expressions
internal import FlowModel
internal import TimeSyntax

/// Bounds as local times of the cursor's time zone. Without a time zone they are in UTC.
extension Cursor {
  /// The local time of an instant, returned as the timestamp whose UTC date and time are that local date and time.
  ///
  /// When clocks are set back, the local times of one hour occur twice, and it is unknown which of the two a server
  /// means. So a start in this hour becomes the last time before the hour, and an end becomes the first time after it.
  func localTime(of instant: ExpressionTimestamp, isEnd: Bool) -> ExpressionTimestamp {
    guard let rules = zone?.rules else { return instant }
    let seconds = instant.secondsSince1970
    guard let fold = rules.fold(at: seconds) else { return Self.local(instant, rules) }
    switch isEnd {
    case false where seconds < fold.turn:
      return ExpressionTimestamp(secondsSince1970: fold.start - 1).map { Self.local($0, rules) } ?? instant
    case true where seconds >= fold.turn:
      return ExpressionTimestamp(secondsSince1970: fold.end).map { Self.local($0, rules) } ?? instant
    default: return Self.local(instant, rules)
    }
  }

  /// The first instant of the local day of an instant.
  func dayStart(of instant: ExpressionTimestamp) -> ExpressionTimestamp {
    guard let rules = zone?.rules else { return instant.floored(to: Value.day) }
    return Self.instant(ofLocal: Self.local(instant, rules).floored(to: Value.day), rules)
  }

  /// The first instant of the next calendar period (such as a month) in the cursor's time zone; nil when the value is
  /// not a time.
  func next(_ period: CalendarPeriod, after value: Value) -> Value? {
    guard let rules = zone?.rules, case .instant(let instant) = value else { return value.next(period) }
    guard case .instant(let local)? = Value.instant(Self.local(instant, rules)).next(period) else { return nil }
    return .instant(Self.instant(ofLocal: local, rules))
  }

  private static func local(_ instant: ExpressionTimestamp, _ rules: ZoneRules) -> ExpressionTimestamp {
    instant.moved(by: .seconds(rules.offset(at: instant.secondsSince1970))) ?? instant
  }

  private static func instant(ofLocal local: ExpressionTimestamp, _ rules: ZoneRules) -> ExpressionTimestamp {
    ExpressionTimestamp(
      secondsSince1970: rules.instant(ofLocal: local.secondsSince1970), nanosecond: local.nanosecond) ?? local
  }
}
