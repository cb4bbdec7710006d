extension ExpressionTimestamp {
  /// Reads a text in a form: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern; nil for another form or a text that
  /// does not fit.
  public init?(_ text: String, writtenAs form: String) {
    guard let instant = TimeForm(form)?.instant(text) else { return nil }
    self = instant
  }

  /// The text in a form: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern. Nil for another form, and where seconds or
  /// milliseconds cannot say the instant exactly; a pattern leaves out what it does not name.
  public func text(writtenAs form: String) -> String? { TimeForm(writing: form)?.text(self) }

  /// The instant so many seconds and nanoseconds later, or earlier; nil when it leaves the calendar.
  public func moved(by duration: Duration) -> ExpressionTimestamp? { adding(duration) }

  /// The last whole multiple of so many nanoseconds since 1970 that is not later.
  public func floored(to nanoseconds: Int64) -> ExpressionTimestamp {
    guard nanoseconds > 0 else { return self }
    let all = Int128(secondsSince1970) * 1_000_000_000 + Int128(nanosecond)
    let rest = all % Int128(nanoseconds)
    let floor = all - (rest < 0 ? rest + Int128(nanoseconds) : rest)
    let (seconds, part) = floor.quotientAndRemainder(dividingBy: 1_000_000_000)
    return ExpressionTimestamp(
      secondsSince1970: Int64(clamping: part < 0 ? seconds - 1 : seconds),
      nanosecond: Int(part < 0 ? part + 1_000_000_000 : part)) ?? self
  }
}
