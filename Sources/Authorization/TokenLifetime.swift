internal import JSONSyntax

/// Reads the lifetime of a token from the response that contains the token.
enum TokenLifetime {
  /// The maximum accepted lifetime in seconds: ten years.
  private static let longest = 315_360_000.0

  /// Returns the duration of a number of seconds, which may be a number or a text; nil for any other value.
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
