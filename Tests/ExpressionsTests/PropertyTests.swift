import JSONSyntax
import TestSupport
import Testing

@testable import Expressions

@Suite struct PropertyTests {
  typealias Random = SeededGenerator

  static let nowhere = 0..<0

  static func node(_ random: inout Random, _ depth: Int) -> SyntaxNode {
    let names = ["a", "record", "x_1", "vars"]
    guard depth > 0 else {
      switch random.below(7) {
      case 0: return .null(nowhere)
      case 1: return .bool(random.below(2) == 0, nowhere)
      case 2: return .int(random.pick([0, 1, -1, 42, .max, .min, Int64(random.below(1000))]), nowhere)
      case 3: return .double(random.pick(["1.50", "0.0", "-2.5", "1e3", "6.02e-23"]), nowhere)
      case 4:
        return .string(
          random.pick(["", "a", "it's", "\\", "}}", "\n", "é", "a,b", "2026-01-01", "5m", "day", "%Y", "[a"]), nowhere)
      default: return .name(random.pick(names), nowhere)
      }
    }
    func inner(_ random: inout Random) -> SyntaxNode { node(&random, random.below(depth)) }
    func some(_ random: inout Random) -> [SyntaxNode] { (0..<random.below(4)).map { _ in inner(&random) } }
    switch random.below(10) {
    case 0: return .member(inner(&random), random.pick(names), nowhere)
    case 1: return .index(inner(&random), inner(&random), nowhere)
    case 2: return .unary(random.pick(UnaryOperator.allCases), inner(&random), nowhere)
    case 3, 4: return .binary(random.pick(BinaryOperator.allCases), inner(&random), inner(&random), sign: nowhere)
    case 5: return .conditional(inner(&random), inner(&random), inner(&random))
    case 6: return .list(some(&random), nowhere)
    case 7: return .map(some(&random).map { (key: .string("k\(random.below(3))", nowhere), value: $0) }, nowhere)
    default:
      let function = random.pick(FunctionTable.functions + [FunctionTable.functions[0]])
      if random.below(5) == 0 {
        let macro = random.pick(Macro.allCases)
        return .call(
          .init(
            name: macro.rawValue, nameRange: nowhere, arguments: [inner(&random), .name("v", nowhere), inner(&random)],
            isMethod: true, range: nowhere))
      }
      let arguments = some(&random)
      return .call(
        .init(
          name: function.name, nameRange: nowhere, arguments: arguments,
          isMethod: !arguments.isEmpty && random.below(2) == 0, range: nowhere))
    }
  }

  static func scope() throws -> [String: ExpressionValue] {
    // What is declared as an int comes as an int.
    try Trial.scope([
      "record": #"{"a":[1,2.5,"x",null],"record":{"a":1},"x_1":"2026-01-01"}"#, "vars": #"{"a":"text","vars":true}"#,
    ]).merging(["a": .list([.int(1), .int(2), .int(3)]), "x_1": .int(7)]) { $1 }
  }

  @Test func `a tree that is written is read as the same tree, and every position in it is its own text`() throws {
    var random = Random(1)
    for _ in 0..<3000 {
      let tree = Self.node(&random, 4)
      let text = tree.text
      guard text.utf8.count <= Parser.maximumLength else { continue }
      let read = try Expression(parsing: text)
      #expect(read.syntax.shape == tree.shape, "\(text)")
      #expect(read.syntax.range == 0..<text.utf8.count, "\(text)")
      for reference in read.references {
        for range in reference.ranges { #expect(range.upperBound <= text.utf8.count && !range.isEmpty) }
      }
    }
  }

  @Test func `what is checked without fault has a value of its type, or an error of values`() throws {
    var random = Random(2)
    let scope = try Self.scope()
    let type = ExpressionScopeType([
      "record": .dynamic, "a": .list(.int), "x_1": .int, "vars": .object(["a": .string, "vars": .bool]),
    ])
    var clean = 0
    var valued = 0
    for _ in 0..<20_000 {
      let text = Self.node(&random, 1 + random.below(3)).text
      let expression = try Expression(parsing: text)
      let (found, faults) = expression.check(type)
      for fault in faults { #expect(fault.range.upperBound <= text.utf8.count, "\(text)") }
      do {
        let value = try expression.evaluate(in: scope, now: Trial.now)
        _ = value.json
        guard faults.isEmpty else { continue }
        clean += 1
        valued += 1
        #expect(found.admits(value), "\(text): \(found), but \(value)")
      } catch {
        #expect(error.range.upperBound <= text.utf8.count, "\(text)")
        guard faults.isEmpty else { continue }
        clean += 1
        #expect(error.kind != .unknownFunction, "\(text): \(error)")
        if error.kind == .wrongType { #expect(text.isOpen, "\(text): \(error)") }
      }
    }
    #expect(clean > 1500 && valued > 1000, "\(clean), \(valued)")
  }

  @Test func `random bytes never trap`() {
    var random = Random(3)
    let pieces = [
      "a", "record", "now()", "'", "\"", "\\", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "!", "-", "+", "*",
      "/", "%",
      "==", "&&", "||", "in", "1", "0x", "9999999999999999999", "1e9", "é", "\u{0}", " ", "map(x,", "has(", "coalesce(",
      "r'",
      "null", "<", "=", "'\\u", "d83d'",
    ]
    for _ in 0..<20_000 {
      let text = (0..<random.below(14)).map { _ in random.pick(pieces) }.joined()
      exercise(text)
    }
    for _ in 0..<20_000 {
      let bytes = (0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      exercise(String(decoding: bytes, as: UTF8.self))
      _ = Expression.end(of: bytes, from: 0)
    }
  }

  private func exercise(_ text: String) {
    do {
      let expression = try Expression(parsing: text)
      _ = expression.check(ExpressionScopeType(["a": .dynamic]))
      _ = try? expression.evaluate(in: ["a": ExpressionValue.int(1)], now: Trial.now)
      // What parses stands in a template as a whole.
      let bytes = Array("\(text) }}".utf8)
      let end = Expression.end(of: bytes, from: 0)
      #expect(end == text.utf8.count + 1, "\(text)")
    } catch {
      #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "\(text)")
    }
  }
}

extension String {
  /// Whether a value takes part of which nothing is known before.
  fileprivate var isOpen: Bool { contains("record") || contains("json") || contains("[") || contains("{") }
}

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
