import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Lists of values that expressions give, and requests for several parents at once.
@Suite struct EachValuesTests {
  private static func targets(_ rig: Rig) -> [String] {
    rig.server.requests.map(\.target).filter { $0.hasPrefix("/p/") }
  }

  private static let keys =
    "each: { values: \"VALUES\", concurrency: 1 }\nresource: \"/p/{{ value }}\"\nschema: { fields: { id: integer } }"

  private static let lists: [(top: String, values: String, given: [String: String], targets: [String])] = [
    ("vars: { regions: { type: list, default: [eu, us] } }", "{{ vars.regions }}", [:], ["/p/eu", "/p/us"]),
    (
      "vars: { regions: { type: list, default: [eu] } }", "{{ vars.regions }}", ["regions": "a, b ,c"],
      ["/p/a", "/p/b", "/p/c"]
    ),
    ("vars: { regions: 'x;y' }", "{{ split(vars.regions, ';') }}", [:], ["/p/x", "/p/y"]),
    ("vars: { regions: { type: list, default: '' } }", "{{ vars.regions }}", [:], []),
    ("", "{{ [1, 2 + 1] }}", [:], ["/p/1", "/p/3"]),
  ]

  @Test(arguments: lists)
  func `an expression gives the values`(
    _ list: (top: String, values: String, given: [String: String], targets: [String])
  ) async throws {
    try await Rig.with(ok("{\"id\":1}")) { rig in
      let inputs = FlowCompiler.Inputs(overrides: VariableOverrides(arguments: list.given))
      let flow = try rig.flow(Self.keys.replacing("VALUES", with: list.values), top: list.top, inputs: inputs)
      let run = await rig.run(flow)
      #expect(run.error == nil && run.kept == list.targets.count)
      #expect(Self.targets(rig) == list.targets)
    }
  }

  @Test func `other values are another result`() async throws {
    try await Rig.with(ok("{\"id\":1}")) { rig in
      for values in ["a", "b", "b"] {
        let flow = try rig.flow(
          Self.keys.replacing("VALUES", with: "{{ vars.regions }}"), top: "vars: { regions: { type: list } }",
          inputs: FlowCompiler.Inputs(overrides: VariableOverrides(arguments: ["regions": values])))
        _ = await rig.run(flow)
      }
      #expect(Self.targets(rig) == ["/p/a", "/p/b"])
    }
  }

  @Test(arguments: [
    ("{{ split(vars.v, ',') }}", "a,a", "'split(vars.v, ',')' contains \"a\" twice"),
    ("{{ json(vars.v) }}", "{}", "'json(vars.v)' is not a list"),
    ("{{ json(vars.v) }}", "[1.5]", "'json(vars.v)' contains "),
    ("{{ json(vars.v) }}", "[", "'json(vars.v)': "),
  ])
  func `what is no such list is found before the run`(_ values: String, _ given: String, _ message: String) async throws
  {
    try await Rig.with { rig in
      let text = rig.text(Self.keys.replacing("VALUES", with: values), top: "vars: { v: '' }")
      let compilation = rig.compile(
        text, inputs: FlowCompiler.Inputs(overrides: VariableOverrides(arguments: ["v": given])))
      #expect(compilation.flows.isEmpty)
      let found = compilation.diagnostics.diagnostics.map(\.message)
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }
  }

  @Test func `a batch asks for several parents at once`() async throws {
    try await Rig.with(ok("[{\"id\":1},{\"id\":2}]")) { rig in
      try rig.scratch.write("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n".utf8, to: "people.jsonl")
      let keys = """
        each: { file: people.jsonl, batch: 2, concurrency: 1 }
        resource: { path: /p/, query: { ids: "{{ join(batch.map(p, string(p.id)), ',') }}" } }
        schema: { fields: { id: integer } }
        """
      #expect(await rig.run(try rig.flow(keys)).kept == 4)
      #expect(Self.targets(rig).map { $0.removingPercentEncoding } == ["/p/?ids=1,2", "/p/?ids=3"])
    }
  }
}
