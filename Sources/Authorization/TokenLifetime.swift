internal import JSONSyntax

/// How long a response says that its token is good for.
enum TokenLifetime {
  /// The longest that is believed: ten years.
  private static let longest = 315_360_000.0

  /// A number of seconds, also where it is written as a text; nil for anything else.
  static func seconds(_ value: JSONValue?) -> Duration? {
    let seconds: Double? =
      switch value {
      case .number(let number)?: number.double
      case .string(let text)?: Double(text)
      default: nil
      }
    guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
    return .milliseconds(Int64(min(seconds, longest) * 1000))
  }
}
