import Foundation
import JSONSyntax
import Reshape
import TestSupport
import Testing

@Suite struct ReshapeTests {
  @Test func `a program is parsed once and run on any input`() throws {
    let program = try Reshape(parsing: ".items[] | {id, name: .profile.name}")
    let answer = try JSONValue(parsing: #"{"items":[{"id":1,"profile":{"name":"a"}},{"id":90071992547409931}]}"#)
    let records = try program.results(for: answer)
    #expect(
      records.map(\.description) == [#"{"id":1,"name":"a"}"#, #"{"id":90071992547409931,"name":null}"#])
    #expect(try program.results(for: .object(["items": .array([])])) == [])
  }

  @Test func `results come one by one, and who takes them may stop`() throws {
    struct Enough: Error, Equatable {}
    let program = try Reshape(parsing: "range(1e9)")
    var taken: [JSONValue] = []
    do throws(ReshapeStop<Enough>) {
      try program.run(.null) { (value: JSONValue) throws(Enough) in
        if taken.count == 3 { throw Enough() }
        taken.append(value)
      }
      Issue.record("it ends")
    } catch {
      guard case .refused(Enough()) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(taken == [.integer(0), .integer(1), .integer(2)])
  }

  @Test func `what was given before a failure was given`() throws {
    let program = try Reshape(parsing: "1, 2, error({code: 7})")
    var taken = 0
    let stop = #expect(throws: ReshapeStop<Never>.self) {
      try program.run(.null) { (_: JSONValue) throws(Never) in taken += 1 }
    }
    #expect(taken == 2)
    guard case .failed(let failure) = stop else { return }
    #expect(failure.reason == .raised(.object(["code": .integer(7)])))
    #expect(failure.message == #"{"code":7} (not a string)"#)
    #expect(!failure.isLimit)
  }

  @Test(
    arguments: [
      (".a | lenght", 5, "unknown function 'lenght'", "did you mean 'length'?"),
      ("map_value(.)", 0, "unknown function 'map_value'", "did you mean 'map_values'?"),
      (". as $count | $cuont", 14, "unknown variable '$cuont'", "did you mean '$count'?"),
      ("def rename: .; renam", 15, "unknown function 'renam'", "did you mean 'rename'?"),
      ("range(1; 2; 3; 4)", 0, "'range' does not take 4 arguments", "it takes 1 or 2 or 3"),
      (
        "now", 0, "'now' is not supported",
        "a program sees its input only, never files, environment, clock or further inputs"
      ),
      ("$ENV.HOME", 0, "'$ENV' is not supported", "a program sees its input only"),
      ("@bas64", 0, "unknown format '@bas64'", "did you mean '@base64'?"),
      ("é", 0, "unexpected character", nil),
      (".a | \"é\" | )", 12, "an expression was expected, not ')'", nil),
      ("[1, 2", 5, "']' was expected, not the end of the program", nil),
      ("\"abc", 0, "the string is not closed", nil),
      ("\"a\\qb\"", 2, "unknown escape sequence", "a backslash itself is written '\\\\'"),
      ("1 == 2 == 3", 7, "comparisons and assignments cannot be chained; use parentheses", nil),
      ("break $out", 6, "no label '$out' is in scope", "write 'label $out | …' around it"),
      ("{1: 2}", 1, "a member's name is a text, not a number", "write \"1\""),
      (". as [$a] ?// $a | 1", 10, "'?//' is not supported", "decide with 'if type == …'"),
      ("  ", 0, "the program is empty", "'.' returns the input unchanged"),
      ("if . then 1", 11, "'end' was expected, not the end of the program", nil),
    ] as [(String, Int, String, String?)])
  func `mistakes are told with their location and what to do`(
    _ text: String, _ offset: Int, _ message: String, _ help: String?
  ) {
    let error = #expect(throws: ReshapeError.self) { try Reshape(parsing: text) }
    #expect(error?.message == message)
    #expect(error?.offset == offset)
    #expect(error?.help == help)
  }

  @Test(arguments: [
    (".a", "5", "Cannot index number with string \"a\""), (".[0]", "{}", "Cannot index object with number"),
    (".[]", "7", "Cannot iterate over number (7)"), ("keys", "5", "number (5) has no keys"),
    (". + 1", #"{"aaaaaaaaaaaaaaaaaaaaaa":1}"#, #"object ({"aaaaaaaaa...) and number (1) cannot be added"#),
    ("error", "null", "null (null) not a string"), ("tonumber", "[1]", "array ([1]) cannot be parsed as a number"),
  ])
  func `failures say what jq says`(_ text: String, _ input: String, _ message: String) throws {
    let program = try Reshape(parsing: text)
    let value = try JSONValue(parsing: input)
    let failure = #expect(throws: ReshapeRunError.self) { try program.results(for: value) }
    #expect(failure?.message == message)
  }

  @Test(arguments: [
    ("range(10)", ReshapeLimits(results: 5), "the program returns more than 5 results"),
    ("[range(1000)]", ReshapeLimits(steps: 100), "the program takes more steps than are allowed"),
    ("[range(1000)] | length", ReshapeLimits(bytes: 1_000), "the program builds more data than is allowed"),
    (".", ReshapeLimits(bytes: 3), "the program's results are larger than is allowed"),
    ("def f: 1 + f; f", ReshapeLimits(depth: 10), "the jq program is nested more than 10 levels deep"),
  ])
  func `each limit says which it is`(_ text: String, _ limits: ReshapeLimits, _ message: String) throws {
    let program = try Reshape(parsing: text)
    let failure = #expect(throws: ReshapeRunError.self) {
      try program.results(for: .string("a long text"), limits: limits)
    }
    #expect(failure?.message == message)
    #expect(failure?.isLimit == true)
  }

  @Test func `ordinary work on a large response is within the limits`() throws {
    let items = (0..<20_000).map { location in
      JSONValue.object([
        "id": .integer(Int64(location)), "kind": .string("k\(location % 7)"), "tags": .array([.string("a")]),
      ])
    }
    let answer = JSONValue.object(["items": .array(items)])
    for text in [
      ".items[] | {id, kind}", ".items | map(select(.kind == \"k1\")) | length",
      ".items | group_by(.kind) | map(length)",
      ".items |= map(.id += 1)", "reduce .items[] as $i ([]; . + [$i.id]) | length",
      "[.items[].tags] | flatten | length", "[.items[].kind] | join(\",\") | length", ".items | reverse | length",
      "[.items[].id] | add",
      "[.items[].tags[]] | unique", ".items | sort_by(-.id) | .[0]", "reduce .items[] as $i ({}; .[$i.kind] += 1)",
      ".items | map({key: .kind, value: .id}) | from_entries", "del(.items[] | select(.id > 19990)) | .items | length",
    ] {
      let program = try Reshape(parsing: text)
      #expect(throws: Never.self, "\(text)") { try program.results(for: answer) }
    }
  }

  @Test func `programs are equal when their texts are`() throws {
    #expect(try Reshape(parsing: ".a") == Reshape(parsing: ".a"))
    #expect(try Reshape(parsing: ".a") != Reshape(parsing: ". a".replacingOccurrences(of: " ", with: "") + " "))
  }

  @Test func `the reference page is what the tables say`() throws {
    let location = Repository.root.appendingPathComponent("docs/reference/reshape.md")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(ReshapeReference.markdown.utf8).write(to: location)
      Issue.record("recorded \(location.lastPathComponent)")
    }
    #expect(try String(contentsOf: location, encoding: .utf8) == ReshapeReference.markdown)
  }
}
