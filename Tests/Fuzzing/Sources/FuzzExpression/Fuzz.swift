@testable import Expressions
import FuzzSupport
import JSONSyntax

/// An expression on the first line, the values of `a` and `b` as JSON on the others: it ends with a value or an error within
/// its budget, whatever the values are.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let lines = input(start, count).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
  guard let first = lines.first, let text = String(validating: first, as: UTF8.self),
    let expression = try? Expression(parsing: text)
  else { return 0 }
  func value(_ index: Int) -> ExpressionValue {
    guard lines.count > index, let json = try? JSONValue(parsing: Array(lines[index])) else { return Shared.extremes }
    return ExpressionValue(json)
  }
  let scope: [String: ExpressionValue] = ["a": value(1), "b": value(2), "x": Shared.extremes]
  guard let result = try? expression.evaluate(in: scope, now: Shared.now, limits: Shared.limits) else { return 0 }
  // Planted: a list of two equal values is a trap.
  if Plant.isSet, case .array(let parts) = result.json, parts.count == 2, parts[0] == parts[1] {
    fatalError("a planted fault")
  }
  let bytes = JSONWriter.bytes(result.json)
  require((try? JSONValue(parsing: bytes)) != nil, "a value cannot be read back")
  return 0
}

private enum Shared {
  static let limits = EvaluationLimits(steps: 50_000, memory: 1 << 20, matching: 100_000)
  static let now = ExpressionTimestamp(secondsSince1970: 253_370_764_799) ?? .epoch
  static let extremes: ExpressionValue =
    ExpressionValue(
      (try? JSONValue(
        parsing:
          #"{"i":-9223372036854775808,"j":9223372036854775807,"d":1e308,"e":-1e400,"s":"","t":"9999-12-31T23:59:59Z","l":[[],{}],"n":null}"#
      )) ?? .null)
}
