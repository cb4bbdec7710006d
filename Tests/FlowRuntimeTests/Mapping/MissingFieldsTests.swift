import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// A field that may be absent and is in no record, beside a name like its own: told, and the flow passes.
@Suite struct MissingFieldsTests {
  private static let keys = """
    records: $.data[*]
    schema: { fields: { id: integer, city: { type: string, from: $.ctiy, optional: true } } }
    """
  private static let said = "no record has $.ctiy ('city'), the first has $.city"

  private func doubts(_ keys: String, _ pages: [String]) async throws -> [ReactorError] {
    var doubts: [ReactorError] = []
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(PagesTests.query(request)["p"] ?? "1") ?? 1
        return ok("{\"data\":[\(pages[page - 1])]}")
      }
      let run = await rig.run(try rig.flow(Self.keys + "\n" + keys))
      #expect(run.message == "")
      doubts = run.warnings(.missingFields)
    }
    return doubts
  }

  @Test(arguments: ["", "where: \"{{ source.id > 0 }}\""])
  func `it is told once, with what is meant`(keys: String) async throws {
    let doubts = try await doubts(keys, [#"{"id":1,"city":"x"},{"id":2}"#])
    #expect(doubts.map(\.message) == [Self.said])
    #expect(doubts.first?.help == "did you mean '$.city'?")
    #expect(doubts.first?.kind == .parser)
  }

  @Test(arguments: ["", "where: \"{{ source.id > 0 }}\""])
  func `no warning names a field that a record has`(keys: String) async throws {
    #expect(try await doubts(keys, [#"{"id":1,"city":"x"},{"id":2,"ctiy":null}"#]).isEmpty)
  }

  @Test(arguments: [
    ([#"{"id":1,"city":"x"}"#, #"{"id":2,"city":"x"}"#, ""], 1),
    ([#"{"id":1,"city":"x"}"#, #"{"id":2,"ctiy":"x"}"#, ""], 0),
    ([#"{"id":1,"ctiy":"x"}"#, #"{"id":2,"city":"x"}"#, ""], 0),
    ([#"{"id":1}"#, #"{"id":2,"city":"x"}"#, ""], 0),
  ])
  func `the records of all pages count`(pages: [String], told: Int) async throws {
    let doubts = try await doubts("pages: { by: page, query: p }", pages)
    #expect(doubts.map(\.message) == Array(repeating: Self.said, count: told))
  }

  @Test func `the records of all parts count`() async throws {
    for (second, told) in [("city", 1), ("ctiy", 0)] {
      let doubts = try await doubts(
        "resource: { path: /users, query: { p: \"{{ value }}\" } }\neach: { values: [1, 2] }",
        [#"{"id":1,"city":"x"}"#, "{\"id\":2,\"\(second)\":\"x\"}"])
      #expect(doubts.map(\.message) == Array(repeating: Self.said, count: told), "\(second)")
    }
  }

  @Test(arguments: ["", "where: \"{{ source.id > 0 }}\""])
  func `where one bad record is enough, the field's own location is told`(keys: String) async throws {
    try await Rig.with(ok(#"[{"id":1,"home":{"city":7}}]"#)) { rig in
      let schema = "schema: { fields: { id: integer, city: { type: string, from: $.home.city } } }"
      let run = await rig.run(try rig.flow("prune: false\n\(schema)\n\(keys)"))
      #expect(run.message.hasPrefix("expected a string, found the number 7"))
      let line = try #require(
        rig.text("prune: false\n\(schema)\n\(keys)").split(separator: "\n").first { $0.contains(schema) })
      let column = try #require(line.firstRange(of: "$.home.city"))
      #expect(run.error?.location?.column == line.distance(from: line.startIndex, to: column.lowerBound) + 1)
    }
  }

  @Test func `a field that must be there and that no record has is told at its location`() async throws {
    try await Rig.with(ok(#"[{"id":1,"city":"x"}]"#)) { rig in
      let run = await rig.run(try rig.flow("schema: { fields: { id: integer, ciyt: string } }"))
      #expect(run.message.contains("'ciyt' is required, but absent"))
      #expect(run.error?.help == "did you mean '$.city'?")
      #expect(run.error?.location?.column == "    schema: { fields: { id: integer, ".count + 1)
      let other = await rig.run(try rig.flow("schema: { fields: { id: integer, name: string } }"))
      #expect(other.error?.help?.hasPrefix("compare 'records' and 'schema'") == true)
    }
  }

  @Test func `several fields are told in one sentence`() async throws {
    try await Rig.with(ok(#"[{"id":1,"createdAt":"x","e-mail":"y"}]"#)) { rig in
      let optional = "type: string, optional: true"
      let flow = try rig.flow(
        "schema: { fields: { id: integer, created_at: { \(optional) }, email: { \(optional) } } }")
      let run = await rig.run(flow)
      let doubts = run.warnings(.missingFields)
      #expect(
        doubts.map(\.message) == [
          "no record has $.created_at ('created_at'), the first has $.createdAt; nor $.email ('email'), the first has "
            + "$['e-mail']"
        ])
      #expect(doubts.first?.help == "did you mean '$.createdAt', '$['e-mail']'?")
    }
  }
}
