import Foundation
import JSONSyntax
import TestSupport
import Testing

/// What would be done, told without doing any of it.
@Suite(.timeLimit(.minutes(2)))
struct DryRunTests {
  private static let flows = """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    secrets: [SHOP_TOKEN]
    http: { base_url: "{{ vars.base_url }}/v1", headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" } }
    flows:
      one: { resource: /products, records: "$[*]", persistence: { path: out/one.jsonl, expires_after: 1h } }
      two: { resource: { path: /products, query: { t: "{{ secrets.SHOP_TOKEN }}" } }, records: "$[*]", persistence: { path: out/two.jsonl, expires_after: never } }
    """

  @Test func `the persisted result is described: absent, hit, expired, forever`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    let environment = server.environment.merging(["SHOP_TOKEN": "tea-for-two-4711"]) { $1 }
    func reactor(_ arguments: String...) async throws -> Program.Outcome {
      try await workspace.start(arguments, environment: environment).end()
    }
    let before = try await reactor("run", "--dry-run")
    #expect(before.status == 0, "\(before.stderr)")
    #expect(before.stdout.contains("a.one  ask   GET http://"), "\(before.stdout)")
    #expect(before.stdout.contains("(nothing persisted yet)  -> out/one.jsonl"), "\(before.stdout)")
    #expect(
      before.stdout.hasSuffix("dry run: 2 flows: 2 with requests  8 at once, 4 to one host\n"), "\(before.stdout)")
    #expect(try await server.requests().isEmpty)
    #expect(workspace.files(hidden: true) == ["flows/a.yaml"])
    #expect(try await reactor("run", "--fresh=never", "--dry-run").stdout.contains("2 would fail"))

    #expect(try await reactor("run").status == 0)
    let asked = try await server.requests().count
    let after = try await reactor("run", "-n", "--format", "json")
    let plan = try JSONValue(parsing: after.stdout)
    #expect(plan["dry_run"]?.bool == true)
    let flows = try #require(plan["flows"]?.array)
    #expect(flows.map { $0["action"]?.string } == ["use", "use"])
    #expect(flows[0]["expires"]?.string?.hasSuffix("Z") == true)
    #expect(flows[1]["expires"] == .null)
    #expect(try await reactor("run", "-n", "--fresh").stdout.contains("2 with requests"))
    let explained = try await reactor("explain", "one").stdout
    #expect(explained.contains(" records of 20"), "\(explained)")
    #expect(explained.contains(", used until 20"), "\(explained)")
    #expect(explained.contains("JSON nesting 256"), "\(explained)")
    #expect(try await reactor("explain", "two").stdout.contains(", used for ever"))
    for text in [before.stdout, after.stdout, explained] { #expect(!text.contains("tea-for-two"), "\(text)") }

    try workspace.write(
      Self.flows.replacingOccurrences(of: "expires_after: 1h", with: "expires_after: 1ms"), to: "flows/a.yaml")
    let expired = try await reactor("explain", "one").stdout
    #expect(expired.contains("the persisted result has expired: "), "\(expired)")
    #expect(expired.contains(", expired at 20"), "\(expired)")
    #expect(try await server.requests().count == asked)
  }

  @Test(arguments: [["run", "--dry-run"], ["explain", "one"], ["list"], ["check"]])
  func `no socket is opened`(arguments: [String]) async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      print("skipped: no socket is opened: there is no strace")
      return
    }
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    let line =
      "strace -f -o trace -e trace=socket,connect,sendto \"$REACTOR\" \(arguments.joined(separator: " ")); echo done >> trace"
    let outcome = try await workspace.shell(line, environment: ["SHOP_TOKEN": "tea-for-two-4711"])
    let trace = try #require(workspace.text("trace"))
    guard !outcome.stderr.contains("ptrace") else {
      print("skipped: no socket is opened: this machine does not let strace look")
      return
    }
    #expect(trace.hasSuffix("done\n"))
    #expect(trace.contains("exited with 0"), "\(trace)\(outcome.stderr)")
    #expect(!trace.contains("socket(") && !trace.contains("connect("), "\(trace)")
  }
}
