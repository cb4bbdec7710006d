import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import Storage
import Testing
import TestSupport

/// Parents whose responses have no records.
@Suite struct EmptyParentTests {
  private static let orders = #"{"id":1,"customer":7}"# + "\n" + #"{"id":2,"customer":8}"# + "\n"

  /// Customer 7 exists, and customer 8 does not.
  private func run(
    _ each: String, _ keys: String, answer: [ScriptedServer.Step] = ok("[]"),
    _ check: (Rig, FlowRun) async throws -> Void
  ) async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Self.orders.utf8, to: "orders.jsonl")
      rig.answer { request in request.target.contains("7") ? ok(#"[{"name":"Ada"}]"#) : answer }
      let flow = try rig.flow(
        """
        each: { file: orders.jsonl, as: order\(each) }
        resource: "/customers/{{ order.customer }}"
        \(keys)
        """)
      try await check(rig, await rig.run(flow, .fresh))
    }
  }

  private static let schema = """
    schema: { fields: { order: { type: integer, value: "{{ order.id }}" }, name: string? } }
    persistence: { path: named.FORMAT }
    """

  private static let results = [
    ("jsonl", "{\"order\":1,\"name\":\"Ada\"}\n", "{\"order\":2,\"name\":null}\n"),
    ("csv", "order,name\r\n1,Ada\r\n", "2,\r\n"),
    ("json", "[\n{\"order\":1,\"name\":\"Ada\"}", ",\n{\"order\":2,\"name\":null}"),
  ]

  @Test(arguments: results)
  func `a parent without records has one, or none`(_ result: (String, String, String)) async throws {
    let keys = Self.schema.replacing("FORMAT", with: result.0)
    try await run("", keys) { rig, run in
      #expect(run.message == "" && run.kept == 1, "\(run.message)")
      #expect(rig.scratch.text("named.\(result.0)")?.hasPrefix(result.1) == true)
    }
    try await run(", empty: keep", keys) { rig, run in
      #expect(run.message == "" && run.kept == 2)
      #expect(rig.scratch.text("named.\(result.0)")?.hasPrefix(result.1 + result.2) == true)
    }
  }

  @Test func `a rule can say that a response means no records`() async throws {
    let keys = Self.schema.replacing("FORMAT", with: "jsonl") + "\nerrors: [{ when: status == 404, do: skip }]"
    try await run(", empty: keep", keys, answer: answer("404 Not Found", "{}")) { rig, run in
      #expect(run.message == "" && run.kept == 2)
    }
    // A failed request is no answer: nothing says that there are no records.
    try await run(", empty: keep", keys, answer: answer("403 Forbidden", "{}")) { rig, run in
      #expect(run.outcome?.report.rejected == 1 && run.kept == 1)
    }
  }

  @Test func `a field that must be there makes the record a rejected one`() async throws {
    let keys = Self.schema.replacing("FORMAT", with: "jsonl").replacing("string?", with: "string")
    try await run(", empty: keep", keys) { rig, run in
      #expect(run.kept == 1 && run.outcome?.report.rejected == 1)
      #expect(run.outcome?.report.rejections.first?.pointer == "/name")
    }
  }

  @Test func `a parent whose only record is rejected is not empty`() async throws {
    let keys = Self.schema.replacing("FORMAT", with: "jsonl")
    try await run(", empty: keep", keys, answer: ok(#"[{"name":7}]"#)) { rig, run in
      #expect(run.kept == 1 && run.outcome?.report.rejected == 1)
    }
  }

  @Test func `a condition is for records of the response`() async throws {
    let keys = Self.schema.replacing("FORMAT", with: "jsonl") + "\nwhere: source.name == 'Bea'"
    try await run(", empty: keep", keys) { rig, run in
      #expect(run.message == "" && run.kept == 2 && run.outcome?.report.filtered == 1)
      #expect(rig.scratch.text("named.jsonl") == "{\"order\":1,\"name\":null}\n{\"order\":2,\"name\":null}\n")
    }
  }

  @Test func `without a schema the record has the added fields`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Self.orders.utf8, to: "orders.jsonl")
      rig.answer { request in request.target.contains("7") ? ok(#"[{"name":"Ada"}]"#) : ok("[]") }
      let flows = try rig.flows(
        """
        named:
          each: { file: orders.jsonl, as: order, empty: keep, add: { order: "{{ order.id }}" } }
          resource: "/customers/{{ order.customer }}"
          persistence: { path: named.jsonl }
        """)
      #expect(await rig.run(flows).map(\.message) == [""])
      #expect(rig.scratch.text("named.jsonl") == "{\"name\":\"Ada\",\"order\":1}\n{\"order\":2}\n")
    }
  }
}
