internal import JSONSyntax

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Meter {
  func number(_ name: Native.Name, _ input: JSONValue, _ arguments: [JSONValue]) throws(Interruption) -> JSONValue {
    func made(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }
    switch name {
    case .nan: return made(.nan)
    case .infinite: return made(.infinity)
    case .tonumber: return try parsed(input)
    case .pow:
      guard case .number(let base) = arguments[0] else { throw .message("\(arguments[0].shown) number required") }
      guard case .number(let power) = arguments[1] else { throw .message("\(arguments[1].shown) number required") }
      return made(CMath.pow(base.value, power.value))
    default: break
    }
    guard case .number(let number) = input else { throw .message("\(input.shown) number required") }
    let value = number.value
    switch name {
    // Whole numbers keep their digits.
    case .floor, .ceil, .round, .trunc: return number.int64 != nil ? input : made(rounded(value, name))
    case .abs: return number.text.hasPrefix("-") ? made(-value) : input
    case .fabs: return made(value.magnitude)
    case .sqrt: return made(value.squareRoot())
    case .log: return made(CMath.log(value))
    case .log2: return made(CMath.log2(value))
    case .log10: return made(CMath.log10(value))
    case .exp: return made(CMath.exp(value))
    case .exp2: return made(CMath.exp2(value))
    case .exp10: return made(CMath.pow(10, value))
    case .isnan: return .bool(value.isNaN)
    case .isinfinite: return .bool(value.isInfinite)
    case .isnormal: return .bool(value.isNormal)
    default: return input
    }
  }

  private func rounded(_ value: Double, _ name: Native.Name) -> Double {
    switch name {
    case .floor: value.rounded(.down)
    case .ceil: value.rounded(.up)
    case .trunc: value.rounded(.towardZero)
    default: value.rounded(.toNearestOrAwayFromZero)
    }
  }

  private func parsed(_ input: JSONValue) throws(Interruption) -> JSONValue {
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

/// The C library's functions under a name of their own, beside built-ins of the same names.
private enum CMath {
  static func pow(_ base: Double, _ power: Double) -> Double { power_(base, power) }
  static func log(_ value: Double) -> Double { natural_(value) }
  static func log2(_ value: Double) -> Double { binary_(value) }
  static func log10(_ value: Double) -> Double { decimal_(value) }
  static func exp(_ value: Double) -> Double { exponential_(value) }
  static func exp2(_ value: Double) -> Double { power_(2, value) }
}

private let power_: @Sendable (Double, Double) -> Double = { pow($0, $1) }
private let natural_: @Sendable (Double) -> Double = { log($0) }
private let binary_: @Sendable (Double) -> Double = { log2($0) }
private let decimal_: @Sendable (Double) -> Double = { log10($0) }
private let exponential_: @Sendable (Double) -> Double = { exp($0) }
