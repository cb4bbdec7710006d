import Foundation
import JSONSyntax
import Reshape
import TestSupport
import Testing

@Suite(.serialized) struct HostileTests {
  /// Programs without end or measure. What they have in common: they end here, in an error that `try` does not catch.
  static let endless = [
    "[limit(1e9; repeat(1))]",
    "def f: f; f",
    "[range(1e12)]",
    "range(1e12) | empty",
    "last(repeat(1))",
    "reduce range(100) as $x (\"ab\"; . + .)",
    "\"ab\" * 1e12",
    "\"a\" | until(false; . + .)",
    "until(false; . + 1)",
    "[while(true; .)]",
    "reduce range(1e7) as $i (0; [.])",
    "reduce range(1e7) as $i (0; {a: .})",
    "def f: 1 + f; f",
    "def f: [f]; f",
    "def f($x): f($x + 1); f(0)",
    "def f(g): f(g | g); f(.)",
    "def f: f | f; f",
    "def f: (f, f); f",
    "def f: try error(\"x\") catch f; f",
    "def f: f?; f",
    "def f: . as [$a] | f; f",
    "reduce range(60) as $i (0; [., .])",
    "reduce range(60) as $i (0; [., .]) | tojson",
    "reduce range(60) as $i (0; [., .]) | . == . ",
    "reduce range(60) as $i (0; [., .]) | [..] | length",
    "reduce range(60) as $i (0; [., .]) | flatten",
    "reduce range(60) as $i (0; [., .]) | sort",
    "reduce range(60) as $i (0; [., .]) | error",
    "reduce range(60) as $i (0; [., .]) | try error catch 1",
    "reduce range(60) as $i ({}; {a: ., b: .}) | . * .",
    "reduce range(60) as $i (0; [., .]) | @text",
    "0 | [recurse(. + 1)]",
    ".[1e12] = 1",
    ".[1e7] = 1",
    "null | setpath([range(1e5)]; 1)",
    "getpath([range(1e7)])",
    "null | setpath([range(1e5) | tostring]; 1)",
    "[[range(1000)] | ., ., . | .] | [combinations]",
    "[range(3e5)] | combinations(3) | empty",
    "\"a\" | test(\"((a{100}){100}){100}\")",
    "\"a\" | test(\"(((((a?){9}){9}){9}){9}){9}\")",
    "reduce range(1e6) as $i ({}; .[\"k\\($i)\"] = $i)",
    "reduce range(1e6) as $i ([]; [$i] + .)",
    "[range(2e5)] - [range(2e5)]",
    "[limit(1e5; repeat([range(1e3)]))]",
    "[limit(1e5; repeat(\"x\" * 1e4))]",
    "[range(1e7) | tostring] | join(\",\")",
    "[range(1e7)] | implode",
    "\"x\" | until(false; @base64)",
    "\"<\" | until(false; @html)",
    "\"\\\"\" | until(false; tojson)",
    "[1] | until(false; tojson | [., .])",
    "label $f | def g: g, break $f; g",
    "def g: label $f | g; g",
    "[range(1e6)] | sort_by(-.) | group_by(. % 7) | [.[] | unique] | flatten | [.[], .[], .[]]",
    "[limit(1e6; repeat({a: 1, b: [2, 3]}))]",
    "range(1e9) as $x | $x",
    "[range(1e6)] | until(false; . + [1])",
    "(\"x\" * 1e6) | until(false; .[1:] + \"x\")",
    "(\"x\" * 1e6) | until(false; length | tostring | . * 1e6)",
    "(\"ab\" * 1e5) | [.[range(1e5):]] | length",
    "{} | until(false; . + {(\"k\\(length)\"): 1})",
    "def f(x): x | f(x | x); f(1)",
    "0 | until(false; . as $x | $x + 1)",
    "[range(1e5)] | [paths] | length | [range(.)] | [paths(true)] | last(repeat(.))",
    "[foreach range(1e9) as $i (0; . + 1)] | length",
    "first(range(1e12) | select(. < 0))",
    "(\"a,\" * 1e6) | split(\",\") | map(split(\"\"))",
  ]

  /// Programs that come to an end, but could take long to.
  static let heavy = [
    "reduce range(60) as $i (0; [., .]) | contains([[[]]])",
    "reduce range(60) as $i (0; [., .]) | .[[[1]]]",
    "(\"a\" * 2e5) | test(\"(a*)*(a*)*b\")",
    "(\"a\" * 5e4) | gsub(\"\"; \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\")",
    "[range(2e5)] | contains([range(2e5) | . + 0.5])",
  ]

  @Test(arguments: endless)
  func `ends in an error, soon, in little memory and on a small stack`(_ text: String) {
    #expect(Self.fails(text) == true)
  }

  @Test(arguments: heavy)
  func `ends soon, in little memory and on a small stack`(_ text: String) {
    #expect(Self.fails(text) != nil)
  }

  private static func fails(_ text: String) -> Bool? {
    // Without optimization all takes some ten times as long, so that less is allowed.
    let limits = isOptimized ? ReshapeLimits() : ReshapeLimits(steps: 200_000)
    let before = PeakMemory.begin()
    let start = ProcessorTime.used
    let failed = SmallThread.run {
      guard let program = try? Reshape(parsing: text) else { return true }
      do {
        try program.run(.null, limits: limits) { (_: JSONValue) throws(Never) in }
        return false
      } catch {
        return true
      }
    }
    let took = ProcessorTime.used - start
    #expect(took < ProcessorTime.bound, "\(took)")
    #expect(PeakMemory.kilobytes - before < 64 << 10, "\(PeakMemory.kilobytes - before) KiB")
    return failed
  }

  private static let isOptimized: Bool = {
    #if DEBUG
      false
    #else
      true
    #endif
  }()

  @Test(arguments: [
    "[", "(", "{a:", "[.[", "\"\\(", "-", "try ", "if ", "1 as [", ". as {a:", "def f: ", "reduce ", "f(", ".a|(",
    "1+(", "..[", "not//",
  ])
  func `depth of writing is refused, not followed`(_ part: String) {
    let refused = SmallThread.run {
      (try? Reshape(parsing: String(repeating: part, count: 5_000))) == nil
    }
    #expect(refused == true)
  }

  @Test(arguments: [".a", "|.", ",.", "+1", "//1", " as $x|.", "[0]", "?", " and 1"])
  func `length of writing is no depth`(_ part: String) {
    let ran = SmallThread.run {
      guard
        let program = try? Reshape(
          parsing: ".x" + String(repeating: part, count: 3_000) + (part.contains("as") ? "" : "?"))
      else { return false }
      _ = try? program.results(for: .null)
      return true
    }
    #expect(ran == true)
  }

  @Test func `a limit passes by every try`() throws {
    let program = try Reshape(parsing: "try (def f: f; f) catch 1, (def g: 1 + g; g)?, (repeat(.) | empty) // 2")
    let failure = #expect(throws: ReshapeRunError.self) { try program.results(for: .null) }
    #expect(failure?.isLimit == true)
  }

  @Test func `deep input is refused`() throws {
    var value = JSONValue.null
    for _ in 0..<ReshapeLimits.valueDepth { value = .array([value]) }
    let program = try Reshape(parsing: ".[0] | [.]")
    #expect(try program.results(for: value) == [value])
    #expect(throws: ReshapeRunError.self) { try program.results(for: .array([value])) }
  }

  @Test func `arbitrary programs never trap`() {
    let words = [
      ".", "..", ".a", ".[", "]", "[", "{", "}", "(", ")", "|", ",", "1", "-1", "1e400", "\"x\"", "\"\\(", "$x", "as",
      "$x",
      "def", "f", ":", ";", "if", "then", "else", "elif", "end", "try", "catch", "reduce", "foreach", "label", "break",
      "and", "or", "not", "//", "=", "|=", "+=", "+", "-", "*", "/", "%", "==", "<", "?", "@csv", "@text", "empty",
      "error",
      "nan", "infinite", "range(9)", "recurse", "path(", "del(", "limit(3;", "first(", "sort", "add", "keys", "tojson",
      "implode", "explode", "test(\"a\")", "split(\"\")", "to_entries", "from_entries", "flatten", "getpath(",
      "setpath(",
      "[[1],{\"a\":2}]", "{a:1}", ". as [$x]|", "$x|", "todate", "gmtime", "mktime", "min", "transpose", "walk(",
      "map(",
    ]
    let input = try? JSONValue(parsing: #"{"a":[1,-2.5,"x",null,{"b":[]}],"c":"é"}"#)
    let tried = SmallThread.run {
      var random = SeededGenerator(42)
      var parsed = 0
      for _ in 0..<30_000 {
        let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in
          words[Int.random(in: 0..<words.count, using: &random)]
        }.joined(separator: Bool.random(using: &random) ? " " : "")
        if Self.runs(text, input) { parsed += 1 }
      }
      for _ in 0..<30_000 {
        let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        _ = Self.runs(String(decoding: bytes, as: UTF8.self), input)
        let signs = bytes.map { 0x20 + $0 % 0x5F }
        if Self.runs(String(decoding: signs, as: UTF8.self), input) { parsed += 1 }
      }
      return parsed
    }
    #expect(tried ?? 0 > 1_000)
  }

  private static func runs(_ text: String, _ input: JSONValue?) -> Bool {
    guard let program = try? Reshape(parsing: text) else { return false }
    _ = try? program.results(for: input ?? .null, limits: ReshapeLimits(steps: 2_000, results: 100, bytes: 1 << 16))
    return true
  }
}

/// A thread with the stack that Swift's own threads have on small systems.
private enum SmallThread {
  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result? {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.result = work()
      done.signal()
    }
    thread.stackSize = (512 << 10) * Sanitizer.frames
    thread.start()
    done.wait()
    return box.result
  }

  /// Written by the one thread before it signals, read by the other after it waited.
  private final class Box<Result>: @unchecked Sendable {
    var result: Result?
  }
}
