internal import JSONSyntax

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Functions of one number that use only its double value.
private let functions: [Native.Name: @Sendable (Double) -> Double] = [
  .floor: { $0.rounded(.down) }, .ceil: { $0.rounded(.up) }, .trunc: { $0.rounded(.towardZero) },
  .round: { $0.rounded(.toNearestOrAwayFromZero) }, .fabs: { $0.magnitude }, .sqrt: { $0.squareRoot() },
  .log: { log($0) }, .log2: { log2($0) }, .log10: { log10($0) }, .exp: { exp($0) },
]

private func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

extension Meter {
  func number(_ name: Native.Name, _ input: JSONValue, _ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    switch name {
    case .nan: return .number(JSONNumber(Double.nan))
    case .infinite: return .number(JSONNumber(Double.infinity))
    case .tonumber: return try parsed(input)
    case .pow: return .number(JSONNumber(power(try number(arguments[0]).value, try number(arguments[1]).value)))
    default: break
    }
    let number = try number(input)
    switch name {
    // Whole numbers are returned unchanged, with all their digits.
    case .floor, .ceil, .round, .trunc: if number.int64 != nil { return input }
    case .abs: return number.text.hasPrefix("-") ? .number(JSONNumber(-number.value)) : input
    case .isnan: return .bool(number.value.isNaN)
    case .isinfinite: return .bool(number.value.isInfinite)
    case .isnormal: return .bool(number.value.isNormal)
    default: break
    }
    return .number(JSONNumber(functions[name]?(number.value) ?? number.value))
  }

  private func number(_ value: JSONValue) throws(EvaluationError) -> JSONNumber {
    guard case .number(let number) = value else { throw .message("\(value.shown) number required") }
    return number
  }

  private func parsed(_ input: JSONValue) throws(EvaluationError) -> JSONValue {
    switch input {
    case .number: return input
    case .string(let text):
      let bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
      if let first = bytes.first, Lexer.isDigit(first) || first == UInt8(ascii: "-"), text.utf8.count < 1_000,
        let value = try? JSONValue(parsing: text), case .number = value
      {
        return value
      }
      throw .message("Invalid numeric literal (while parsing '\(text.prefix(40))')")
    default:
      throw .message("\(input.shown) cannot be parsed as a number")
    }
  }
}
