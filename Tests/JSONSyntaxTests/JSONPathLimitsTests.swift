import JSONSyntax
import Testing

@Suite struct JSONPathLimitsTests {
  @Test func `a query that is too long is refused`() {
    let text = "$" + String(repeating: ".a", count: 500_000)
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.message.contains("bytes long") == true)
  }

  @Test(arguments: ["(", "!(", "@[?", "length(", "$[?(", "count(@[?"])
  func `nesting beyond the bound is refused`(_ opening: String) {
    let text = "$[?" + String(repeating: opening, count: 60_000 / opening.utf8.count)
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.message.contains("deep") == true)
  }

  @Test func `nesting up to the bound is taken and evaluated`() throws {
    let levels = JSONPath.maximumDepth - 1
    let groups = "$[?" + String(repeating: "(", count: levels) + "@.a" + String(repeating: ")", count: levels) + "]"
    #expect(try JSONPath(parsing: groups).values(in: json(#"[{"a":1},{}]"#)).count == 1)
    let filters = "$[?" + String(repeating: "@[?", count: levels) + "@" + String(repeating: "]", count: levels) + "]"
    var value = JSONValue.integer(1)
    for _ in 0...levels { value = .array([value]) }
    #expect(try JSONPath(parsing: filters).values(in: value).count == 1)
    #expect(throws: JSONPathError.self) { try JSONPath(parsing: groups.replacing("@.a", with: "(@.a)")) }
  }

  @Test func `a long chain of segments and of conditions is no nesting`() throws {
    let segments = "$" + String(repeating: ".a", count: 30_000)
    #expect(try JSONPath(parsing: segments).values(in: json("{}")).isEmpty)
    let wildcards = "$" + String(repeating: "[*]", count: 20_000)
    #expect(try JSONPath(parsing: wildcards).values(in: json("[[1]]")).isEmpty)
    let conditions = "$[?@.a" + String(repeating: "||@.a", count: 10_000) + "]"
    #expect(try JSONPath(parsing: conditions).values(in: json(#"[{"a":1}]"#)).count == 1)
  }

  @Test func `a query that explodes stops at its budget`() throws {
    let document = try json("[" + Array(repeating: "[1,2,3,[4,[5]]]", count: 50).joined(separator: ",") + "]")
    let path = try JSONPath(parsing: "$..[?count($..*) > 1 || $..[?@ == 7]]..*..*..*")
    #expect(throws: JSONPathBudgetError(budget: 10_000)) { try path.values(in: document, budget: 10_000) }
    #expect(throws: JSONPathBudgetError(budget: 10_000)) { try path.nodes(in: document, budget: 10_000) }
  }

  @Test func `a query within its budget gives all it selects`() throws {
    let document = try json("[[1,2],[3]]")
    #expect(text(try JSONPath(parsing: "$[*][*]").values(in: document, budget: 5)) == "[1,2,3]")
    #expect(throws: JSONPathBudgetError.self) { try JSONPath(parsing: "$[*][*]").values(in: document, budget: 4) }
    #expect(try JSONPath(parsing: "$[1][0]").values(in: document, budget: 0) == [.integer(3)])
  }

  @Test func `comparing and matching count against the budget`() throws {
    let long = JSONValue.array(Array(repeating: .integer(1), count: 1000))
    let same = try JSONPath(parsing: "$[?@.a == @.b]")
    let pairs = JSONValue.array([.object(["a": long, "b": long])])
    #expect(throws: JSONPathBudgetError.self) { try same.values(in: pairs, budget: 900) }
    #expect(try same.values(in: pairs, budget: 1100).count == 1)
    let match = try JSONPath(parsing: "$[?match(@, '(a|a)*b')]")
    let texts = JSONValue.array([.string(String(repeating: "a", count: 1000))])
    #expect(throws: JSONPathBudgetError.self) { try match.values(in: texts, budget: 900) }
    #expect(try match.values(in: texts, budget: 10_000).isEmpty)
  }
}
