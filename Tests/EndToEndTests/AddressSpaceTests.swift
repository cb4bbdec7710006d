import TestSupport
import Testing

/// Little address space is an error, never a hang and never a crash.
@Suite(.timeLimit(.minutes(2)))
struct AddressSpaceTests {
  private static let flow = """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    http: { base_url: "{{ vars.base_url }}/v1", timeout: 10s }
    flows: { good: { resource: /products, records: "$[*]", persistence: out/good.jsonl } }
    """

  // Below that, the loader has no room for a debug build and the libraries of Swift.
  @Test(arguments: [100_000, 200_000, 400_000, 1_000_000])
  func `a limit that is too low is named`(_ kibibytes: Int) async throws {
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/a.yaml")
    let outcome = try await workspace.shell("ulimit -v \(kibibytes); exec \"$REACTOR\" run")
    #expect(outcome.status == 74)
    #expect(
      outcome.stderr == """
        error: this process may have only \(kibibytes / 1024) MiB of address space (ulimit -v); reactor needs 1024 MiB
             = help: raise the limit, for example with 'ulimit -v unlimited'

        """)
  }

  @Test func `a limit that is enough changes nothing`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/a.yaml")
    let outcome = try await workspace.shell(
      "ulimit -v 1048576; exec \"$REACTOR\" run", environment: server.environment)
    #expect(outcome.status == 0, "\(outcome.stderr)")
  }
}
