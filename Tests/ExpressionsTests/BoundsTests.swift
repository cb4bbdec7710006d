import JSONSyntax
import TestSupport
import Testing

@testable import Expressions

/// What is hostile ends with an error, soon and without a trap.
@Suite struct BoundsTests {
  @Test func `a text above 4 KiB is refused`() {
    let fault = #expect(throws: ExpressionError.self) {
      _ = try Expression(parsing: "'" + String(repeating: "a", count: 4095) + "'")
    }
    #expect(fault?.kind == .tooLong)
    #expect(throws: Never.self) { try Expression(parsing: "'" + String(repeating: "a", count: 4094) + "'") }
  }

  static let nests: [(open: String, middle: String, close: String)] = [
    ("(", "1", ")"), ("[", "", "]"), ("{'a':", "1", "}"), ("!", "true", ""), ("-", "a", ""), ("- ", "1", ""),
    ("", "a", ".b"),
    ("", "a", "[0]"), ("f(", "1", ")"), ("", "a", ".f()"), ("1 + ", "1", ""), ("a ? ", "1", " : 2"),
    ("a ? 1 : ", "2", ""),
    ("true && ", "true", ""), ("a[", "0", "]"), ("[1].map(x, ", "1", ")"), ("!(", "true", ")"), ("-(", "1", ")"),
  ]

  @Test(arguments: nests.indices) func `nesting is bounded by 64 levels`(index: Int) throws {
    let nest = Self.nests[index]
    func text(_ depth: Int) -> String {
      String(repeating: nest.open, count: depth) + nest.middle + String(repeating: nest.close, count: depth)
    }
    #expect(throws: Never.self) { try Expression(parsing: text(30)) }
    for depth in [66, 100, 200, 4096 / max(1, nest.open.utf8.count + nest.close.utf8.count) - 2]
    where text(depth).utf8.count <= 4096 {
      let fault = #expect(throws: ExpressionError.self) { _ = try Expression(parsing: text(depth)) }
      #expect(fault?.kind == .tooDeep, "\(depth)")
    }
    // What is allowed can be walked.
    let expression = try Expression(parsing: text(30))
    _ = expression.check(ExpressionScopeType())
    _ = try? expression.evaluate(in: Trial.nothing, now: Trial.now)
  }

  /// Each doubles or multiplies as often as it can.
  static let hostile: [(text: String, kind: EvaluationError.Kind)] = {
    let big = "'" + String(repeating: "a", count: 1000) + "'"
    let list = "[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]"
    func doubled(_ times: Int, _ start: String, _ step: (String) -> String) -> String {
      (0..<times).reduce(start) { text, _ in step(text) }
    }
    return [
      (doubled(40, "['aaaaaaaa']") { "\($0).map(x, x + x)" }, .tooMuchMemory),
      (doubled(40, "['aaaaaaaa']") { "\($0).map(x, x.replace('a', 'aa'))" }, .tooMuchMemory),
      (doubled(40, "['aa']") { "\($0).map(x, [x, x].join(x))" }, .tooMuchMemory),
      (doubled(20, "[[1]]") { "\($0).map(x, x + x)" }, .tooMuchMemory),
      (doubled(30, "[1]") { "[\($0)].map(x, [x, x, x, x])" }, .tooMuchMemory),
      (doubled(30, "[[1]]") { "\($0).map(x, [x, x, x, x])" }, .tooMuchMemory),
      (doubled(30, "[{}]") { "\($0).map(x, {'a': x, 'b': x})" }, .tooMuchMemory),
      (doubled(20, "['a']") { "\($0).map(x, to_json([x, x]))" }, .tooMuchMemory),
      ("\(list).all(a, \(list).all(b, sha512('') != ''))", .tooManySteps),
      (doubled(30, "['%']") { "\($0).map(x, url_encode(x).replace('%', '%%'))" }, .tooMuchMemory),
      ("\(list).map(a, \(list).map(b, \("1")))", .tooManySteps),
      ("\(list).all(a, \(list).all(b, \(list.prefix(101)))]", .tooManySteps),
      ("\(list).exists(a, \(list).exists(b, false))", .tooManySteps),
      ("\(list).filter(a, a in \(list) && 2 in \(list))", .tooManySteps),
      ("[\(big)].map(x, x + x + x + x).map(x, x.replace('a', x))", .tooMuchMemory),
      ("\(big).split('').map(a, \(big).split(''))", .tooMuchMemory),
      ("\(big).split('').map(c, matches(\(big), '(a|a)*(a|a)*b'))", .tooManySteps),
    ].filter { $0.text.utf8.count <= 4096 && (try? Expression(parsing: $0.text)) != nil }
  }()

  @Test(arguments: hostile.indices) func `what multiplies ends with an error`(index: Int) throws {
    let (text, kind) = Self.hostile[index]
    var outcome = ""
    let time = try ProcessorTime.measure {
      outcome = try Trial.outcome(text, limits: EvaluationLimits(matching: 200_000))
    }
    #expect(
      ["error: \(kind.rawValue)", "error: too-many-steps", "error: too-much-memory"].contains(outcome), "\(outcome)")
    #expect(time < ProcessorTime.bound)
  }

  @Test func `a pattern of empty alternatives is counted, too`() throws {
    let pattern = "(" + String(repeating: "|", count: 3000) + ")*b"
    let scope = ["text": ExpressionValue.string(String(repeating: "a", count: 100_000))]
    for call in ["matches", "extract"] {
      var outcome = ""
      let time = try ProcessorTime.measure {
        outcome = try Trial.outcome(
          "\(call)(text, '\(pattern)')", in: scope, limits: EvaluationLimits(matching: 100_000))
      }
      #expect(outcome == "error: too-many-steps")
      #expect(time < ProcessorTime.bound)
    }
  }

  @Test func `enough hostile texts are tried`() { #expect(Self.hostile.count >= 12, "\(Self.hostile.count)") }

  @Test func `limits are the caller's`() throws {
    let list = ExpressionValue.list(Array(repeating: .int(1), count: 1000))
    let scope = ["list": list, "text": .string(String(repeating: "a", count: 100_000))]
    #expect(try Trial.outcome("length(list)", in: scope, limits: EvaluationLimits(steps: 10)) == "1000")
    #expect(
      try Trial.outcome("list.map(x, x)", in: scope, limits: EvaluationLimits(steps: 900)) == "error: too-many-steps")
    #expect(
      try Trial.outcome("text + text", in: scope, limits: EvaluationLimits(memory: 150_000)) == "error: too-much-memory"
    )
    #expect(
      try Trial.outcome("matches(text, '(a|b)*c')", in: scope, limits: EvaluationLimits(matching: 10_000))
        == "error: too-many-steps")
    #expect(try Trial.outcome("length(text)", in: scope) == "100000")
    // A great value that only passes through costs nothing.
    #expect(
      try Trial.outcome("coalesce(list, [])", in: scope, limits: EvaluationLimits(steps: 10, memory: 0)).count > 1000)
  }
}
