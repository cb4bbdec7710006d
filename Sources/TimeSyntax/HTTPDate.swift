/// Reads dates in the formats of HTTP (RFC 9110, section 5.6.7): whole seconds, always UTC.
package enum HTTPDate {
  private static let preferred = StrptimePattern("%a, %d %b %Y %H:%M:%S GMT")
  private static let asctime = StrptimePattern("%a %b %e %H:%M:%S %Y")
  /// The format of RFC 850, with a year of two digits.
  private static let old = StrptimePattern("%A, %d-%b-%y %H:%M:%S GMT")

  /// The seconds since 1970 of a date in one of the three formats.
  ///
  /// The name of the day is not compared with the date.
  ///
  /// - Parameter now: the current time in seconds since 1970; a year of two digits that would be more than 50 years
  ///   after this time is read as a year in the past
  package static func seconds(_ text: String, now: Int) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      if let time = preferred?.instant(bytes) ?? asctime?.instant(bytes) { return time.secondsSince1970 }
      guard var time = old?.instant(bytes), let today = CivilTime(secondsSince1970: Int64(now)) else { return nil }
      while time.year > today.year + 50 { time.year -= 100 }
      while time.year <= today.year - 50 { time.year += 100 }
      return time.isDate ? time.secondsSince1970 : nil
    }
  }
}
