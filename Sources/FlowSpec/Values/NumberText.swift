internal import FieldTypes

/// Checks numbers in JSON's grammar (RFC 8259, section 6).
public enum NumberText {
  /// Refuses what is not a finite number of that grammar.
  public static func check(_ text: String) throws(ValueError) {
    guard isNumber(text) else { throw ValueError(expected: "a number") }
    guard let value = Double(text), value.isFinite else {
      throw ValueError(expected: "a number", detail: "it is too large")
    }
  }

  /// Whether a text is a number token of JSON, whatever its magnitude.
  public static func isNumber(_ text: String) -> Bool { FieldTypeName.number.admits(text) }
}
