/// Reads decimal integers of 64 bits: digits with an optional minus sign, no leading zeros.
public enum IntegerText {
  /// The integer that a text denotes.
  public static func value(of text: String) throws(ValueError) -> Int {
    let bytes = Array(text.utf8)
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else {
      throw ValueError(expected: "an integer", suggestion: meant(by: text))
    }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0"), text != "-0" else {
      let plain = digits.drop { $0 == UInt8(ascii: "0") }
      let sign = bytes.first == UInt8(ascii: "-") && !plain.isEmpty ? "-" : ""
      throw ValueError(
        expected: "an integer", detail: "leading zeros are not allowed",
        suggestion: sign + (plain.isEmpty ? "0" : String(decoding: plain, as: UTF8.self)))
    }
    guard let value = Int(text) else {
      throw ValueError(expected: "an integer", detail: "it does not fit in 64 bits")
    }
    return value
  }

  /// `1_000` and `1,000` are what people write for readability.
  private static func meant(by text: String) -> String? {
    let plain = text.filter { $0 != "_" && $0 != "," && $0 != " " }
    guard plain != text, !plain.isEmpty, plain.utf8.allSatisfy(ASCII.isDigit), plain.first != "0" else { return nil }
    return plain
  }
}
