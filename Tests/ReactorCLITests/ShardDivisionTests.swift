import BatchRunner
import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import RunViews
import Testing

/// Runs whose parts are divided by the durations of earlier runs.
@Suite(.timeLimit(.minutes(1))) struct ShardDivisionTests {
  // MARK: - Dividing

  @Test func `the longest flow is alone, and the others share the rest`() {
    let durations: [String: Int64] = ["a.long": 90, "a.one": 30, "a.two": 30, "a.three": 30, "a.four": 30]
    let division = ShardDivision(of: durations.keys.sorted(), by: durations, count: 3, run: "7")
    #expect(division.parts == [["a.long"], ["a.four", "a.three"], ["a.one", "a.two"]])
    #expect(division.number(of: "a.long") == 1 && division.number(of: "a.two") == 3)
  }

  /// A schedule in which the longest goes first is at most 4/3 of the best one (Graham, 1969).
  @Test(arguments: [1, 2, 3, 7, 16]) func `no part has much more work than the others`(_ count: Int) {
    var durations: [String: Int64] = [:]
    for index in 0..<400 { durations["f.\(index)"] = Int64(1 + index * index * 7919 % 10_007) }
    let division = ShardDivision(of: durations.keys.sorted(), by: durations, count: count, run: "7")
    let loads = (1...count).map { part in
      durations.filter { division.number(of: $0.key) == part }.values.reduce(0, +)
    }
    let total = durations.values.reduce(0, +)
    #expect(loads.reduce(0, +) == total && loads.allSatisfy { $0 <= total * 4 / (3 * Int64(count)) + 1 }, "\(loads)")
  }

  @Test func `flows without a duration count as the one in the middle`() {
    let division = ShardDivision(
      of: ["a.new", "a.one", "a.two", "a.three"], by: ["a.one": 10, "a.two": 20, "a.three": 30], count: 2, run: "7")
    #expect(division.parts == [["a.three", "a.one"], ["a.new", "a.two"]])
  }

  @Test func `without durations the ids decide`() {
    let division = ShardDivision(of: ["shop.orders", "shop.customers"], by: [:], count: 2, run: "7")
    #expect(division.name == nil && division.parts.isEmpty)
    #expect(division.number(of: "shop.orders") == FlowShard.number(of: "shop.orders", count: 2))
  }

  @Test func `a division reads its own line, and has a name that others lack`() throws {
    let (ids, durations) = (["a.one", "a.two", "a.three"], ["a.one": Int64(10), "a.two": 20, "a.three": 30])
    let division = ShardDivision(of: ids, by: durations, count: 2, run: "7")
    #expect(ShardDivision(line: division.line) == division)
    #expect(division.name?.count == 8)
    #expect(ShardDivision(of: ids, by: ["a.one": 40], count: 2, run: "7").name != division.name)
    #expect(ShardDivision(of: ids, by: durations, count: 2, run: "8").name != division.name)
    for line in [
      "", "{", "{}", "{\"run\":\"7\",\"count\":2}", "[]",
      // A damaged line: a third part would never run, and no part is none.
      #"{"run":"7","count":2,"parts":[["a"],["b"],["c"]]}"#, #"{"run":"7","count":0,"parts":[]}"#,
    ] { #expect(ShardDivision(line: line.utf8) == nil) }
  }

  // MARK: - Runs

  private static func slurm(_ index: Int, of count: Int, job: String = "77") -> [String: String] {
    [
      "SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_STEP": "1",
      "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_JOB_ID": job,
    ]
  }

  private static let names = ["a", "b", "c", "d", "e", "f"]

  private func bench() throws -> Workbench {
    try Workbench(["flows/s.yaml": Workbench.flows("a", "b", "c", "d", "e", "f")])
  }

  private func history(_ durations: KeyValuePairs<String, Int>) -> String {
    durations.map {
      "{\"run\":\"r\",\"flow\":\"s.\($0.key)\",\"status\":\"passed\",\"started\":\"2026-01-01T00:00:00Z\","
        + "\"duration_ms\":\($0.value),\"source\":\"network\"}\n"
    }.joined()
  }

  private func flows(_ outcome: Workbench.Outcome) throws -> [String] {
    try (JSONValue(parsing: outcome.out)["flows"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  private func arguments(_ bench: Workbench) -> [String] {
    ["run", bench.path("flows"), "--root", bench.path("root"), "--shard", "auto", "--fail-on", "!no-flows"]
  }

  @Test func `all parts have one division, although each run changes the durations`() async throws {
    let bench = try bench()
    try bench.write(
      history(["a": 900, "b": 100, "c": 100, "d": 100, "e": 100, "f": 100]), to: "root/.reactor/history.jsonl")
    var parts: [[String]] = []
    var reports: [String] = []
    for index in 0..<3 {
      let report = bench.path("part-\(index).json")
      let outcome = try await bench.run(
        arguments(bench) + ["--format", "json", "--report", "json=\(report)"], environment: Self.slurm(index, of: 3))
      #expect(outcome.code == 0, "\(outcome.err)")
      parts.append(try flows(outcome))
      reports.append(report)
      // Each part has added its own durations by now, and they are quite different ones.
      try bench.write(history(["f": 9000 + index]), to: "root/.reactor/history.jsonl")
    }
    #expect(parts[0] == ["s.a"])
    #expect(parts.flatMap { $0 }.sorted() == Self.names.map { "s.\($0)" })
    let joined = try await bench.run(["report", "merge"] + reports)
    #expect(joined.code == 0, "\(joined.err)")
    // A task that is started again has the same flows.
    let again = try await bench.run(arguments(bench) + ["--format", "json"], environment: Self.slurm(0, of: 3))
    #expect(try flows(again) == ["s.a"])
    let other = try await bench.run(arguments(bench), environment: Self.slurm(0, of: 4))
    #expect(other.code == 2 && other.err.contains("run '77' was divided into 3 parts, and this is one of 4"))
    // The next run is divided again, by the durations that are known then.
    try bench.write(history(["a": 9, "b": 9, "c": 9, "d": 9, "e": 9, "f": 900]), to: "root/.reactor/history.jsonl")
    let next = try await bench.run(
      arguments(bench) + ["--format", "json"], environment: Self.slurm(0, of: 3, job: "78"))
    #expect(try flows(next) == ["s.f"])
  }

  @Test func `a first run without durations stays divided by ids`() async throws {
    let bench = try bench()
    var all: [String] = []
    for index in 0..<3 {
      let outcome = try await bench.run(arguments(bench) + ["--format", "json"], environment: Self.slurm(index, of: 3))
      let found = try flows(outcome)
      for id in found { #expect(FlowShard.number(of: id, count: 3) == index + 1) }
      all += found
      try bench.write(history(["a": 5, "f": 9000]), to: "root/.reactor/history.jsonl")
    }
    #expect(all.sorted() == Self.names.map { "s.\($0)" })
  }

  @Test func `shards of two divisions cannot be joined`() async throws {
    let bench = try bench()
    var reports: [String] = []
    for index in 0..<2 {
      // Two machines without a common folder, with different histories.
      let report = bench.path("part-\(index).json")
      try bench.write(history(["a": 10 + index * 500, "f": 90]), to: "root-\(index)/.reactor/history.jsonl")
      let outcome = try await bench.run(
        [
          "run", bench.path("flows"), "--root", bench.path("root-\(index)"), "--shard", "auto", "--report",
          "json=\(report)",
        ], environment: Self.slurm(index, of: 2))
      #expect(outcome.code == 0, "\(outcome.err)")
      reports.append(report)
    }
    let joined = try await bench.run(["report", "merge"] + reports)
    #expect(joined.code == 2)
    #expect(joined.err.contains("are of two divisions, so flows may be missing or repeated"), "\(joined.err)")
  }

  @Test func `a dry run and a list show the part and write nothing`() async throws {
    let bench = try bench()
    try bench.write(history(["a": 900, "b": 100]), to: "root/.reactor/history.jsonl")
    for command in [
      ["list", bench.path("flows"), "--root", bench.path("root"), "--shard", "auto"], arguments(bench) + ["-n"],
    ] {
      let outcome = try await bench.run(command, environment: Self.slurm(0, of: 3))
      #expect(outcome.code == 0 && outcome.out.contains("s.a") && !outcome.out.contains("s.b"), "\(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: bench.path("root/.reactor/shards.jsonl")))
    _ = try await bench.run(arguments(bench), environment: Self.slurm(0, of: 3))
    #expect(FileManager.default.fileExists(atPath: bench.path("root/.reactor/shards.jsonl")))
  }

  @Test func `the file of divisions stays small, and one that cannot be written is an error`() async throws {
    let bench = try bench()
    try bench.write(history(["a": 900, "b": 100]), to: "root/.reactor/history.jsonl")
    for job in 0..<12 {
      #expect(try await bench.run(arguments(bench), environment: Self.slurm(0, of: 3, job: "\(job)")).code == 0)
    }
    let text = try String(contentsOfFile: bench.path("root/.reactor/shards.jsonl"), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 8)
    try FileManager.default.removeItem(atPath: bench.path("root/.reactor/shards.jsonl"))
    try FileManager.default.createDirectory(
      atPath: bench.path("root/.reactor/shards.jsonl"), withIntermediateDirectories: true)
    let outcome = try await bench.run(arguments(bench), environment: Self.slurm(0, of: 3, job: "99"))
    #expect(outcome.code == 74 && outcome.err.contains("the division of this run cannot be kept"), "\(outcome)")
  }

  @Test func `a forged name of a division is refused on the command line`() async throws {
    let bench = try bench()
    let outcome = try await bench.run(["list", bench.path("flows"), "--shard", "1/2@0f3a9c12"])
    #expect(outcome.code == 2 && outcome.err.contains("which is neither 'auto' nor a part such as 2/5"))
  }
}
