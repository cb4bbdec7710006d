import Foundation
import ReactorCLI
import Testing

@Suite(.timeLimit(.minutes(1))) struct ItemFilesTests {
  private static let flows = """
    reactor: 1
    http: { base_url: "http://127.0.0.1:1" }
    flows:
      objects: { resource: /objects, persistence: { path: flows/o.jsonl } }
      o:
        for: { file: o.jsonl, vars: { object: $.name } }
        resource: "/o/{{ vars.object }}"
    """

  private func text(_ bench: Workbench, _ name: String) -> String? {
    try? String(contentsOfFile: bench.path(name), encoding: .utf8)
  }

  /// A run whose flow writes the items.
  private func run(_ bench: Workbench, writing items: String) async throws -> Workbench.Outcome {
    let path = bench.path("flows/o.jsonl")
    var assembly = FakeAssembly()
    assembly.answer = { name, _ in
      if name == "objects" { try? Data(items.utf8).write(to: URL(fileURLWithPath: path)) }
      return nil
    }
    return try await bench.run(["run", bench.path("flows"), "--root", bench.path("r"), "--no-timing"], assembly)
  }

  @Test(arguments: [
    ("{\"name\":\"a\"}\n{\"name\":\"a\"}\n", "give two flows with the name 'o_a'"),
    ("{\"name\":\n", "is not JSON in line 1"),
    ("{\"label\":\"a\"}\n", "has no text, number or boolean"),
  ])
  func `a run whose items break the flows fails, and the next one has the items before them`(
    _ items: String, _ message: String
  ) async throws {
    for before in [nil, "{\"name\":\"b\"}\n"] {
      let bench = try Workbench(["flows/t.yaml": Self.flows])
      if let before { try bench.write(before, to: "flows/o.jsonl") }
      let outcome = try await run(bench, writing: items)
      #expect(outcome.code == 1, "\(outcome.err)")
      #expect(outcome.err.contains(message), "\(outcome.err)")
      #expect(outcome.err.contains("error: the flow files do not load with a file that this run wrote and from which "))
      #expect(outcome.err.contains("o.jsonl.refused', and the file is as before"))
      #expect(text(bench, "flows/o.jsonl") == before && text(bench, "flows/o.jsonl.refused") == items)
      // The same flows run again, and take what is right.
      let again = try await run(bench, writing: "{\"name\":\"c\"}\n")
      #expect(again.code == 0, "\(again.err)")
      #expect(again.err.contains("the next run also has t.o_c"), "\(again.err)")
      #expect(text(bench, "flows/o.jsonl") == "{\"name\":\"c\"}\n")
    }
  }
}
