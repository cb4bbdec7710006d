import FlowCompiler
import FlowRuntime
import FlowSpec
import ReactorCore
import SourceDiagnostics
import Storage
import Testing
import TestSupport

/// What the compiler gives: plans, which nothing but declarations and inputs decides.
@Suite struct PlanTests {
  private static let text = """
    reactor: 1
    http: { base_url: "https://api.example.com", proxy: none, allow: ["*.example.com"] }
    secrets: [REFRESH]
    flows:
      users:
        resource: "/users/{{ now() }}"
        auth:
          oauth2:
            grant: refresh_token
            url: https://id.example.com/token
            client_id: me
            refresh_token: "{{ secrets.REFRESH }}"
        persistence: out/users.jsonl

    """

  private static func plans(at seconds: Int64) -> [FlowPlan] {
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", text: text)])
    #expect(loaded.diagnostics.diagnostics.map(\.message) == [])
    var inputs = FlowCompiler.Inputs(secrets: ["REFRESH": Secret("r3fresh")])
    inputs.present = { _ in .seconds(seconds) }
    return FlowCompiler(inputs: inputs).compile(loaded.flows).plans
  }

  private static func text(_ explanation: FlowExplanation) -> String {
    explanation.items.map { "\($0.heading): \($0.text)" }.joined(separator: "\n")
  }

  @Test func `a plan depends on declarations and inputs alone, and is printed without an environment`() throws {
    let texts = try [0, 0, 60].map { seconds in Self.text(try #require(Self.plans(at: seconds).first).explanation) }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("/users/1970-01-01T00:00:00Z"))
    #expect(texts[2] == texts[0].replacing("00:00:00Z", with: "00:01:00Z"))
    #expect(texts[0].contains("or the newer one in .reactor/auth/id.example.com-"))
    #expect(texts[0].contains("only *.example.com"))
    #expect(!texts[0].contains("r3fresh"))
  }

  @Test func `a plan is joined with any environment, whose folders it then names`() throws {
    let plans = Self.plans(at: 0)
    for root in ["/a", "/b"] {
      let flow = try #require(FlowEnvironment(root: OutputRoot(path: root)).flows(for: plans).first)
      #expect(Self.text(flow.explanation).contains("or the newer one in \(root)/.reactor/auth/id.example.com-"))
    }
  }
}
