/// Rounds doubles to a number of decimal digits, by their exact binary values.
enum Rounding {
  private static let maximumDigits: Int64 = 15
  /// The smallest magnitude from which on every double is an integer.
  private static let firstWhole = 4_503_599_627_370_496.0

  /// `round(number, digits, half)`.
  static func round(_ arguments: Arguments) throws(EvaluationError) -> ExpressionValue {
    let digits = try arguments.int(1)
    guard (0...maximumDigits).contains(digits) else {
      throw EvaluationError(.badArgument, "digits are 0 to \(maximumDigits)")
    }
    var isEven = false
    if arguments.count > 2 {
      switch try arguments.string(2) {
      case "away": break
      case "even": isEven = true
      default:
        throw EvaluationError(.badArgument, "the third argument is 'away' (2.5 becomes 3) or 'even' (2.5 becomes 2)")
      }
    }
    switch try arguments.number(0) {
    case .int: return arguments[0]
    case .double(let value): return .double(rounded(value, Int(digits), isEven: isEven))
    }
  }

  /// The double that is nearest to the value rounded to this number of decimal digits.
  ///
  /// A double is an integer times a power of two. Multiplied by ten to the power of `digits`, it fits exactly into 128
  /// bits, so a remainder of exactly one half is recognised. `isEven` rounds it to the even digit.
  static func rounded(_ value: Double, _ digits: Int, isEven: Bool) -> Double {
    guard value.magnitude < firstWhole, value != 0 else { return value }
    return (value < 0 ? -1 : 1) * (Double(decimals(value, digits, isEven: isEven)) ?? 0)
  }

  /// `fixed(number, digits)`: the number with exactly this number of digits after the point; a half is rounded to the
  /// even digit.
  static func fixed(_ arguments: Arguments) throws(EvaluationError) -> ExpressionValue {
    let digits = try arguments.int(1)
    guard (0...maximumDigits).contains(digits) else {
      throw EvaluationError(.badArgument, "digits are 0 to \(maximumDigits)")
    }
    let fraction = digits > 0 ? "." + String(repeating: "0", count: Int(digits)) : ""
    switch try arguments.number(0) {
    case .int(let value): return .string("\(value)\(fraction)")
    case .double(let value):
      guard value.magnitude < firstWhole else {
        guard let whole = Int64(exactly: value) else { throw EvaluationError(.overflow, "the number is too large") }
        return .string("\(whole)\(fraction)")
      }
      return .string((value.sign == .minus ? "-" : "") + decimals(value, Int(digits), isEven: true))
    }
  }

  /// The text of a value below 2^52, without its sign and with this number of decimal digits.
  private static func decimals(_ value: Double, _ digits: Int, isEven: Bool) -> String {
    let significand = UInt128(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0))
    let shift = 52 - (value.isNormal ? Int(value.exponent) : -1022)
    var scale: UInt128 = 1
    for _ in 0..<digits { scale *= 10 }
    let product = significand * scale
    // Less than half of a unit.
    var units = shift < 127 ? product >> UInt128(shift) : 0
    let rest = product & ((1 << UInt128(min(shift, 126))) - 1)
    let half: UInt128 = shift > 0 ? 1 << UInt128(min(shift, 127) - 1) : 0
    if shift > 0, shift < 127, rest > half || rest == half && (!isEven || units % 2 == 1) { units += 1 }
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: scale)
    let text = String(fraction)
    let padded = String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    return digits > 0 ? "\(whole).\(padded)" : "\(whole)"
  }
}
