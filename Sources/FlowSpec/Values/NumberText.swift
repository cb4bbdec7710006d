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
  public static func isNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard let lead = rest.first, ASCII.isDigit(lead) else { return false }
    if lead == UInt8(ascii: "0") { rest.removeFirst() } else { rest = rest.drop(while: ASCII.isDigit) }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let digit = rest.first, ASCII.isDigit(digit) else { return false }
      rest = rest.drop(while: ASCII.isDigit)
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard let digit = rest.first, ASCII.isDigit(digit) else { return false }
      rest = rest.drop(while: ASCII.isDigit)
    }
    return rest.isEmpty
  }
}
