/// Rounding of doubles to digits behind the point, by their exact binary values.
enum Rounding {
  private static let maximumDigits: Int64 = 15
  /// From here on every double is an integer.
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
      default: throw EvaluationError(.badArgument, "a half goes 'away' from zero or to the 'even' digit")
      }
    }
    switch try arguments.number(0) {
    case .int: return arguments[0]
    case .double(let value): return .double(rounded(value, Int(digits), isEven: isEven))
    }
  }

  /// The double that is nearest to the value with so many decimal digits.
  ///
  /// A double is a whole number of units of a power of two. Times ten to the power of the digits, that is exact in 128
  /// bits, and so is the question whether the rest is a half.
  static func rounded(_ value: Double, _ digits: Int, isEven: Bool) -> Double {
    guard value.magnitude < firstWhole, value != 0 else { return value }
    let significand = UInt128(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0))
    let shift = 52 - (value.isNormal ? Int(value.exponent) : -1022)
    var scale: UInt128 = 1
    for _ in 0..<digits { scale *= 10 }
    let product = significand * scale
    // Less than half of a unit.
    guard shift < 127 else { return value < 0 ? -0.0 : 0 }
    var units = product >> UInt128(shift)
    let rest = product & ((1 << UInt128(shift)) - 1)
    let half: UInt128 = shift > 0 ? 1 << UInt128(shift - 1) : 0
    if shift > 0, rest > half || rest == half && (!isEven || units % 2 == 1) { units += 1 }
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: scale)
    let text = String(fraction)
    let padded = String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    return (value < 0 ? -1 : 1) * (Double("\(whole).\(padded)") ?? 0)
  }
}
