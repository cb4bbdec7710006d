import Foundation
import TestSupport
import Testing

/// The flows of `flows/httpbin.yaml` that take more than one request, against a real httpbin.
@Suite(.timeLimit(.minutes(3))) struct HttpbinIntegrationTests {
  @Test func `numbered pages end where an expression says so`() async throws {
    guard let httpbin = try await Integration("httpbin.yaml", server: "httpbin") else { return }
    #expect(try await httpbin.run("-s", "httpbin.numbered").flow("numbered").records == 4)
    #expect(try httpbin.records("httpbin/numbered.jsonl") == (3...6).map { try Records.value(#"{"page":\#($0)}"#) })
  }

  @Test func `eight requests of a budget of five a second take a second, and come in order`() async throws {
    guard let httpbin = try await Integration("httpbin.yaml", server: "httpbin") else { return }
    let outcome = try await httpbin.start(["-s", "httpbin.budget"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.seconds >= 1)
    #expect(
      try httpbin.records("httpbin/budget.jsonl")
        == (1...8).map { try Records.value(#"{"number":\#($0),"method":"GET"}"#) })
  }

  @Test func `statuses with a rule are no errors, and a response that fails half the time comes in the end`()
    async throws
  {
    guard let httpbin = try await Integration("httpbin.yaml", server: "httpbin") else { return }
    let summary = try await httpbin.run("-s", "httpbin.teapot")
    #expect(try summary.flow("teapot").records == 0 && summary.flow("teapot").rejected == 0)
    try httpbin.workspace.write(
      """
      reactor: 1
      vars: { httpbin: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.httpbin }}" }
      flows:
        unstable:
          each: { values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], as: number, on_error: fail }
          resource: { path: "/status/204,503,429", query: { number: "{{ number }}" } }
          retry: { max: 30, on: [429, 5xx], wait: 1ms, backoff: constant }
          persistence: out/unstable.jsonl
      """, to: "flows/unstable.yaml")
    let outcome = try await httpbin.workspace.start(
      ["run", "--format", "json"], environment: httpbin.environment
    ).end()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    struct Retries: Decodable { struct Flow: Decodable { var retries: Int }; var flows: [Flow] }
    let retries = try JSONDecoder().decode(Retries.self, from: Data(outcome.stdout.utf8))
    // Two of three responses fail: ten at once pass once in 60,000.
    #expect(retries.flows.first.map { $0.retries > 0 } == true, "\(outcome.stdout)")
  }
}
