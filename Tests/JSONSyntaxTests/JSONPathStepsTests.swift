import JSONSyntax
import Testing

@Suite struct JSONPathStepsTests {
  @Test func `a singular query gives its steps`() throws {
    #expect(try JSONPath(parsing: "$").singularSteps == [])
    #expect(try JSONPath(parsing: "$.a['b c'][-1]").singularSteps == [.name("a"), .name("b c"), .index(-1)])
  }

  @Test(arguments: ["$.*", "$[*]", "$..a", "$[0,1]", "$['a','b']", "$[0:1]", "$[?@.a]", "$.a[*].b"])
  func `a query that may select several nodes has no singular steps`(_ text: String) throws {
    #expect(try JSONPath(parsing: text).singularSteps == nil)
  }

  @Test func `a final wildcard after a singular query gives element steps`() throws {
    #expect(try JSONPath(parsing: "$[*]").elementSteps == [])
    #expect(try JSONPath(parsing: "$.data[*]").elementSteps == [.name("data")])
    #expect(try JSONPath(parsing: "$.data[1].*").elementSteps == [.name("data"), .index(1)])
  }

  @Test(arguments: ["$", "$.a", "$..*", "$.a..[*]", "$.*.*", "$[*].a", "$[*,*]", "$[?@.a][*]", "$[*,0]", "$[0:][*]"])
  func `other queries have no element steps`(_ text: String) throws {
    #expect(try JSONPath(parsing: text).elementSteps == nil)
  }

  @Test(
    arguments: [
      ([], "$"), ([.name("a"), .index(0)], "$.a[0]"), ([.name("a b"), .index(-1)], "$['a b'][-1]"),
      ([.name("")], "$['']"), ([.name("1a")], "$['1a']"), ([.name("é")], "$['é']"), ([.name("_1")], "$._1"),
      ([.name("'\\\n\u{1}")], "$['\\'\\\\\\n\\u0001']"),
    ] as [([JSONPath.Step], String)])
  func `steps are written as a query that reads back as the same steps`(
    _ steps: [JSONPath.Step], _ text: String
  ) throws {
    let path = JSONPath(singular: steps)
    #expect(path.text == text)
    #expect(path.singularSteps == steps)
    #expect(try JSONPath(parsing: path.text).singularSteps == steps)
  }
}
