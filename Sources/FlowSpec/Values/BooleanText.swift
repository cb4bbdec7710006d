/// Reads `true` and `false`, and nothing else.
public enum BooleanText {
  /// The boolean that a text names.
  public static func value(of text: String) throws(ValueError) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default:
      throw ValueError(expected: "'true' or 'false'", suggestion: meant(by: text))
    }
  }

  /// YAML 1.1 and other languages take these words; here they are only a hint.
  private static func meant(by text: String) -> String? {
    switch text.lowercased() {
    case "true", "yes", "on", "y", "t", "1", "enabled": "true"
    case "false", "no", "off", "n", "f", "0", "disabled": "false"
    default: nil
    }
  }
}
