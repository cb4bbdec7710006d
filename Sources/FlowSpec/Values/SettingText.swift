package import FlowModel

/// Reads the values of settings: from the file, or from the text of a template whose values are filled in.
package enum SettingText {
  /// Parses an integer within bounds.
  ///
  /// - Parameter key: the key of the value, for messages
  package static func integer(
    _ text: String, in bounds: ClosedRange<Int>, for key: String
  ) throws(SettingError) -> Int {
    let number: Int
    do throws(ValueError) {
      number = try IntegerText.value(of: text)
    } catch {
      throw SettingError(.invalidInteger, "'\(text)' is not an integer", error)
    }
    guard !bounds.contains(number) else { return number }
    throw SettingError(
      .outOfRange, "\(number) is out of range for '\(key)'",
      help: "it must be from \(bounds.lowerBound) to \(bounds.upperBound)")
  }

  /// Parses a duration of 1 ms to 1 day, and returns it in seconds.
  ///
  /// - Parameter key: the key of the value, for messages
  package static func wait(_ text: String, for key: String) throws(SettingError) -> Double {
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: text)
    } catch {
      throw SettingError(.invalidDuration, "'\(text)' is not a duration", error)
    }
    guard !Retry.waits.contains(seconds) else { return seconds }
    throw SettingError(.outOfRange, "\(text) is out of range for '\(key)'", help: "it must be from 1ms to 1d")
  }

  /// Parses a number of requests per time.
  package static func rate(_ text: String) throws(SettingError) -> Rate.Limit {
    do throws(ValueError) {
      return try RateText.limit(in: text)
    } catch {
      throw SettingError(.invalidRate, "'\(text)' is not a rate", error)
    }
  }
}
