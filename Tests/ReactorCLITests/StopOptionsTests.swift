import BatchRunner
import ReactorCLI
import ReactorCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct StopOptionsTests {
  private static let results: [String: Result<FetchSummary, ReactorError>] = [
    "b": .failure(.parser("does not fit")), "d": .failure(.parser("does not fit")),
  ]

  @Test(
    arguments: [
      (["--max-fail", "1"], [:], "5 flows: 1 passed, 1 failed, 3 cancelled"),
      (["--max-fail", "2"], [:], "5 flows: 2 passed, 2 failed, 1 cancelled"),
      (["--max-fail", "3"], [:], "5 flows: 3 passed, 2 failed"),
      ([], ["REACTOR_MAX_FAIL": "2"], "5 flows: 2 passed, 2 failed, 1 cancelled"),
      (["--max-fail", "3"], ["REACTOR_MAX_FAIL": "1"], "5 flows: 3 passed, 2 failed"),
      (["--total-timeout", "1h", "--grace", "0s"], [:], "5 flows: 3 passed, 2 failed"),
    ] as [([String], [String: String], String)])
  func `a run stops after as many failures as --max-fail says`(
    flags: [String], environment: [String: String], sums: String
  ) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", "c", "d", "e")])
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--no-timing", "-j", "1"] + flags, environment: environment,
      FakeAssembly(results: Self.results))
    #expect(outcome.out.contains("\n\(sums)"), "\(outcome.out)")
    // The failures tell, not the flows that were not begun.
    #expect(outcome.code == 1)
  }

  @Test func `the summary of a run that stopped is not complete`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("b", "c")])
    for (flags, isComplete) in [(["--max-fail", "1"], false), ([], true)] {
      let outcome = try await bench.run(
        ["run", bench.path("flows"), "--format", "json", "-j", "1"] + flags, FakeAssembly(results: Self.results))
      #expect(outcome.out.contains("\"complete\":\(isComplete),\"exit\":1"), "\(outcome.out)")
    }
  }

  @Test(
    arguments: [
      (["--max-fail", "0"], "--max-fail is '0', which is not a number from 1 to 10000"),
      (["--fail-fast"], "there is no option --fail-fast any more\n     = help: write --max-fail=1"),
      (["--total-timeout", "0s"], "--total-timeout is '0s', which is not from 1 ms to 7 days"),
      (["--grace", "8d"], "--grace is '8d', which is not from 0 s to 7 days"),
      (["--grace", "soon"], "--grace is 'soon', which is not a duration"),
    ] as [([String], String)])
  func `wrong values are refused`(flags: [String], message: String) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let outcome = try await bench.run(["run", bench.path("flows")] + flags)
    #expect(outcome.code == 2)
    #expect(outcome.err.contains(message), "\(outcome.err)")
  }
}
