import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import SourceDiagnostics
import TestSupport
import Testing

/// Many flows are compiled beside each other; nobody can tell from what comes out.
@Suite struct ManyFlowsTests {
  private static let count = 400

  /// Every tenth flow writes where another one does, as far as paths are known only now; every seventh authorizes itself.
  private static func text() -> String {
    var text = "reactor: 1\nvars: { folder: out }\nsecrets: [KEY]\nhttp: { base_url: http://127.0.0.1:1 }\nflows:\n"
    for number in 0..<count {
      let owner = number % 10 == 9 ? number / 50 : number
      text += "  f\(number):\n    resource: /items/\(number)\n"
      text += "    persistence: { path: \"{{ vars.folder }}/\(owner).jsonl\" }\n"
      if number % 7 == 3 { text += "    http: { auth: { bearer: \"{{ secrets.KEY }}\" } }\n" }
    }
    return text
  }

  @Test func `they keep their order, and the first of two keeps its file`() async throws {
    try await Rig.with { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret("k3y")])
      let compilation = rig.compile(Self.text(), inputs: inputs)
      let refused = (0..<Self.count).filter { $0 % 10 == 9 && $0 / 50 != $0 }
      let ids = (0..<Self.count).filter { !refused.contains($0) }.map { "shop.f\($0)" }
      #expect(compilation.flows.map(\.id) == ids)
      #expect(
        compilation.diagnostics.diagnostics.map(\.message)
          == refused.map {
            "flows 'shop.f\($0 / 50)' and 'shop.f\($0)' write the same file 'out/\($0 / 50).jsonl'"
          })
      let authorized = compilation.flows.filter { $0.auth != compilation.flows[0].auth }.map(\.id)
      #expect(authorized == ids.filter { (Int($0.dropFirst(6)) ?? 0) % 7 == 3 })
    }
  }
}
