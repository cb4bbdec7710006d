import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Variables whose values are computed from other variables.
@Suite struct ComputedVariableTests {
  private static let top = """
    vars:
      region: eu
      shop: { type: string }
      host: { value: "{{ vars.region }}.example.com" }
      url: { value: "https://{{ vars.host }}/{{ coalesce(vars.shop, 'all') }}" }
      day: { type: date, value: "{{ format(add(now(), -30, 'day'), '%Y-%m-%d') }}" }
      limit: { type: integer, value: "{{ length(vars.region) * 10 }}" }
      regions: { type: list, value: "{{ [vars.region, 'us'] }}" }
    """

  private func target(_ query: String, given: [String: String] = [:], top: String = Self.top) async throws -> String? {
    var target: String?
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(
        "resource: { path: /a, query: { \(query) } }", top: top,
        inputs: .init(overrides: VariableOverrides(arguments: given)))
      #expect(await rig.run(flow).message == "")
      target = rig.server.requests.first?.target
    }
    return target
  }

  @Test(arguments: [
    ("q: \"{{ vars.url }}\"", [:], "/a?q=https%3A%2F%2Feu.example.com%2Fall"),
    ("q: \"{{ vars.url }}\"", ["region": "us", "shop": "tea"], "/a?q=https%3A%2F%2Fus.example.com%2Ftea"),
    ("q: \"{{ vars.url }}\"", ["host": "x.example"], "/a?q=https%3A%2F%2Fx.example%2Fall"),
    ("q: \"{{ vars.limit + 1 }}\"", [:], "/a?q=21"), ("q: \"{{ vars.regions }}\"", [:], "/a?q=eu&q=us"),
    // The clock stands at 2023-11-14.
    ("q: \"{{ vars.day }}\"", [:], "/a?q=2023-10-15"),
    ("q: \"{{ vars.day }}\"", ["day": "2024-01-01"], "/a?q=2024-01-01"),
  ])
  func `a variable is computed from those before it`(
    _ query: String, _ given: [String: String], _ expected: String
  ) async throws {
    #expect(try await target(query, given: given) == expected)
  }

  @Test func `expressions over records see it`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"eu.example.com"},{"id":2,"name":"b"}]"#)) { rig in
      let flow = try rig.flow("where: record.name == vars.host", top: Self.top)
      #expect(await rig.run(flow).kept == 1)
    }
  }

  @Test func `requests that are built while the flow runs see it`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(
        "each: { values: [1], as: n }\nresource: { path: /a, query: { q: \"{{ vars.host + string(n) }}\" } }",
        top: Self.top)
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == ["/a?q=eu.example.com1"])
    }
  }

  @Test(arguments: [
    ("vars: { a: { value: \"{{ vars.b }}\" }, b: x }", "variable 'b' is not declared"),
    ("vars: { a: { value: \"{{ vars.a }}\" } }", "variable 'a' is not declared"),
    ("vars: { b: x, a: { type: integer, value: \"{{ vars.b }}\" } }", "variable 'a' is 'x', which is not an integer"),
    ("vars: { b: { type: string }, a: { value: \"{{ vars.b }}\" } }", "variable 'a' has no value"),
    ("vars: { a: { value: x, default: y } }", "'default' and 'value' cannot be used together"),
  ])
  func `what cannot be computed is an error`(_ top: String, _ message: String) async throws {
    try await Rig.with { rig in
      let found = rig.compile(rig.text("resource: { path: /a, query: { q: \"{{ vars.a }}\" } }", top: top))
      #expect(found.diagnostics.diagnostics.map(\.message) == [message])
    }
  }
}
