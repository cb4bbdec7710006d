internal import JSONSyntax

extension JSONNumber {
  /// The nearest double; a number outside the range of doubles is infinite.
  ///
  /// During a run, `nan`, `inf` and `-inf` are also numbers.
  var value: Double {
    // Zero is excluded, because `-0` keeps its sign as a double.
    if let integer = smallInteger, integer != 0 { return Double(integer) }
    return Double(text) ?? .nan
  }

  /// Whether the number is NaN or infinite, which JSON's grammar cannot represent.
  var isSpecial: Bool {
    guard let first = text.utf8.first else { return false }
    return first == UInt8(ascii: "n") || first == UInt8(ascii: "i") || text == "-inf"
  }

  /// Creates a number in jq's format.
  ///
  /// It has the shortest digits. An exponent is used from 10^17 on, or instead of many zeros.
  init(_ value: Double) {
    if let whole = Int64(exactly: value), abs(value) < 1e15, whole != 0 || value.sign == .plus {
      self.init(whole)
    } else if value.isNaN {
      self.init(validated: "nan")
    } else if value.isInfinite {
      self.init(validated: value < 0 ? "-inf" : "inf")
    } else {
      self.init(validated: Self.written(value))
    }
  }

  /// The number as a value in a result.
  ///
  /// An infinity becomes the greatest double, NaN becomes null.
  var finished: JSONValue {
    switch text {
    case "nan", "-nan": .null
    case "inf": .number(JSONNumber(validated: Self.written(.greatestFiniteMagnitude)))
    case "-inf": .number(JSONNumber(validated: Self.written(-.greatestFiniteMagnitude)))
    default: .number(self)
    }
  }

  private static func written(_ value: Double) -> String {
    let number = NumberToken(value.magnitude.description.utf8)
    let (digits, point) = (number.digits.map { $0 + 0x30 }, number.exponent)
    let sign = value.sign == .minus ? "-" : ""
    if digits.isEmpty { return sign + "0" }
    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
    if point <= -4 || point > digits.count + 15 {
      let shown = abs(point - 1)
      let power = (point < 1 ? "-" : "+") + (shown < 10 ? "0" : "") + String(shown)
      return sign + text(digits[..<1]) + (digits.count > 1 ? "." + text(digits[1...]) : "") + "e" + power
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + text(digits) }
    if point >= digits.count { return sign + text(digits) + String(repeating: "0", count: point - digits.count) }
    return sign + text(digits[..<point]) + "." + text(digits[point...])
  }
}
