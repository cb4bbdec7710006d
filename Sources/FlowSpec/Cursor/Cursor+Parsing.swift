package import FlowModel

extension Cursor.Distance {
  /// The maximum distance of times, in seconds and in months: about 100 years.
  private static let maximum = (seconds: 3_153_600_000.0, months: 1200)

  /// Parses a distance: the value of `lookback` or `max_age`, or the length of a slice.
  ///
  /// - Parameters:
  ///   - text: a duration for times, which may be in years and months (`P1M`); a positive integer for integers
  ///   - key: the key of the value, for messages
  ///   - canBeNone: whether the distance is allowed to be zero
  package static func parsing(
    _ text: String, of kind: Cursor.Kind, for key: String, canBeNone: Bool = false
  ) throws(SettingError) -> Cursor.Distance {
    switch kind {
    case .timestamp, .date: return try time(text, isDate: kind == .date, for: key, canBeNone)
    case .integer:
      let least = canBeNone ? 0 : 1
      let count: Int
      do throws(ValueError) {
        count = try IntegerText.value(of: text)
      } catch {
        throw SettingError(.invalidInteger, "'\(text)' is not an integer", error)
      }
      guard count >= least else {
        throw SettingError(.outOfRange, "\(count) is out of range for '\(key)'", help: "it must be at least \(least)")
      }
      return .count(Int64(count))
    case .string, .token:
      throw SettingError(
        .cursorBounds, "'\(key)' needs a field of type timestamp, date or integer, but the field is a string",
        help: "leave it out, or declare the field as a timestamp, a date or an integer")
    }
  }

  private static func time(
    _ text: String, isDate: Bool, for key: String, _ canBeNone: Bool
  ) throws(SettingError) -> Cursor.Distance {
    if let months = months(in: text) {
      guard 1...maximum.months ~= months || canBeNone && months == 0 else {
        throw SettingError(.outOfRange, "'\(key)' is out of range", help: "it must be from P1M to P100Y")
      }
      return .months(months)
    }
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: text)
    } catch {
      throw SettingError(.invalidDuration, "'\(text)' is not a duration", error)
    }
    guard seconds >= 0.001 || canBeNone && seconds == 0, seconds <= maximum.seconds else {
      throw SettingError(.outOfRange, "'\(key)' is out of range", help: "it must be from 1ms to 36500d")
    }
    guard !isDate || seconds.remainder(dividingBy: 86_400) == 0 else {
      throw SettingError(
        .cursorBounds, "'\(key)' must be whole days, because the field is a date",
        help: "write, for example, P1D or 7d")
    }
    return .seconds(seconds)
  }

  /// The months of a duration that has only years and months (`P1Y`, `P1Y6M`, `P3M`); nil for other texts.
  private static func months(in text: String) -> Int? {
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var months = 0
    var units = [UInt8(ascii: "Y"): 12, UInt8(ascii: "M"): 1]
    while !rest.isEmpty {
      let digits = rest.prefix { ASCII.isDigit($0) }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 4, let count = Int(String(decoding: digits, as: UTF8.self)), let unit = rest.popFirst(),
        let factor = units.removeValue(forKey: unit)
      else { return nil }
      months += count * factor
      // Years come before months.
      units[UInt8(ascii: "Y")] = nil
    }
    return months
  }
}

extension Cursor.Slice {
  /// Parses the slices of a range: a length, or for times one of the words `day`, `week`, `month`, `quarter`, `year`.
  package static func parsing(
    _ text: String, of kind: Cursor.Kind
  ) throws(SettingError) -> Cursor.Slice {
    if kind == .timestamp || kind == .date, let period = Cursor.CalendarPeriod(rawValue: text) {
      return .calendar(period)
    }
    return .length(try Cursor.Distance.parsing(text, of: kind, for: "slice"))
  }
}
