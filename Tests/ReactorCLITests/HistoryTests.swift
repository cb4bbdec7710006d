import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import RunViews
import Storage
import Testing

/// The history of runs: what `reactor history` shows, and what `result:` selects.
@Suite(.timeLimit(.minutes(1))) struct HistoryTests {
  private func ids(_ outcome: Workbench.Outcome) -> [String] {
    outcome.out.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  private func entry(_ flow: String, _ run: String, _ status: RunReport.Flow.Status = .passed) -> HistoryEntry {
    HistoryEntry(run: run, flow: flow, status: status, started: "2026-01-02T03:04:05Z")
  }

  @Test func `what did not pass is run again, and what was never run`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", "c")])
    let (flows, root) = (bench.path("flows"), ["--root", bench.path("root")])
    // Nothing is known: everything is new.
    #expect(
      ids(try await bench.run(["list", flows, "-s", "!result:passed"] + root)) == ["shop.a", "shop.b", "shop.c"])
    let assembly = FakeAssembly(results: ["b": .failure(.parser("no")), "c": .failure(.noConnectivity)])
    #expect(try await bench.run(["run", flows] + root, assembly).code == 5)
    let entries = RunHistory.entries(root: bench.path("root"))
    #expect(entries.map(\.flow) == ["shop.a", "shop.b", "shop.c"])
    #expect(entries.map(\.status) == [.passed, .failed, .error])
    #expect(entries[1].failure?.kind == "parser" && entries[1].failure?.message == "no")
    try bench.write(Workbench.flows("a", "b", "c", "d"), to: "flows/shop.yaml")
    #expect(
      ids(try await bench.run(["list", flows, "-s", "!result:passed"] + root)) == ["shop.b", "shop.c", "shop.d"])
    #expect(ids(try await bench.run(["list", flows, "-s", "result:failed"] + root)) == ["shop.b"])
    #expect(
      ids(try await bench.run(["list", flows, "-s", "result:failed result:new"] + root)) == ["shop.b", "shop.d"])
    #expect(ids(try await bench.run(["list", flows, "-s", "!result:*ed"] + root)) == ["shop.c", "shop.d"])
    // A run of some leaves what is known of the others.
    #expect(try await bench.run(["run", flows, "-s", "result:failed"] + root).code == 0)
    #expect(ids(try await bench.run(["list", flows, "-s", "!result:passed"] + root)) == ["shop.c", "shop.d"])
    #expect(try await bench.run(["run", flows, "-s", "!result:passed"] + root).code == 0)
    let nothing = try await bench.run(["run", flows, "-s", "!result:passed"] + root)
    #expect(nothing.code == 4)
    #expect(nothing.err.contains("no flow is selected"))
    #expect(try await bench.run(["run", flows, "-s", "!result:passed", "--fail-on", "!no-flows"] + root).code == 0)
    #expect(
      try await bench.run(
        ["run", flows], environment: ["REACTOR_SELECT": "!result:passed", "REACTOR_ROOT": bench.path("root")]
      ).code == 4)
  }

  @Test func `the usual duration of a flow is the median of its last runs with a new result`() throws {
    let bench = try Workbench([:])
    func run(
      _ flow: String, _ duration: Int64?, _ status: RunReport.Flow.Status = .passed, _ source: String? = "network"
    ) -> HistoryEntry {
      var entry = entry(flow, "r", status)
      (entry.duration, entry.source) = (duration, source)
      return entry
    }
    let entries =
      [run("shop.a", 90_000)] + [5, 1, 4, 2, 3].map { run("shop.a", $0 * 1000) }
      + [run("shop.a", 0, .passed, "persistence"), run("shop.a", 7, .failed), run("shop.a", nil)]
      + [run("shop.b", 8, .error, nil)]
    try RunHistory.append(entries, root: bench.path("root"))
    #expect(RunHistory.expectedDurations(root: bench.path("root")) == ["shop.a": .seconds(3)])
    #expect(RunHistory.expectedDurations(root: bench.path("nowhere")).isEmpty)
  }

  @Test func `the newest run of a flow comes first, with its reason`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let (flows, root) = (bench.path("flows"), ["--root", bench.path("root")])
    #expect(try await bench.run(["run", flows] + root).code == 0)
    let failing = FakeAssembly(results: ["b": .failure(.parser("no name"))])
    #expect(try await bench.run(["run", flows] + root, failing).code == 1)
    let all = try await bench.run(["history"] + root)
    let lines = all.out.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[0].contains("shop.b  failed") && lines[1] == "    no name")
    #expect(lines[2].contains("shop.a  passed") && lines[4].contains("shop.a  passed"))
    let one = try await bench.run(["history", "b", "--last", "1", "--format", "json"] + root)
    let runs = try #require(try JSONValue(parsing: one.out)["runs"]?.array)
    #expect(runs.count == 1 && runs[0]["status"]?.string == "failed" && runs[0]["error"]?["kind"]?.string == "parser")
    let misspelt = try await bench.run(["history", "shop.bb"] + root)
    #expect(misspelt.code == 4 && misspelt.err.contains("did you mean 'shop.b'?"))
    #expect(try await bench.run(["history", "--root", bench.path("none")]).err.contains("no run is recorded"))
  }

  @Test func `a damaged line is skipped, and the next one begins on its own line`() throws {
    let bench = try Workbench(["root/.reactor/history.jsonl": "{\"run\":\"1\",\"fl"])
    let root = bench.path("root")
    try RunHistory.append([entry("shop.a", "2", .error)], root: root)
    try RunHistory.append([entry("shop.b", "3")], root: root)
    #expect(RunHistory.entries(root: root).map(\.run) == ["2", "3"])
    let last = LastRun(RunHistory.entries(root: root))
    #expect(last["shop.a"] == "error" && last["shop.b"] == "passed" && last["shop.c"] == "new")
  }

  @Test(arguments: ["", "{", "[]\n{}\n7", "{\"flow\":\"shop.a\",\"status\":\"odd\",\"run\":\"\",\"started\":\"\"}"])
  func `a damaged history knows nothing`(text: String) throws {
    let bench = try Workbench(["root/.reactor/history.jsonl": text])
    #expect(RunHistory.entries(root: bench.path("root")).isEmpty)
  }

  @Test func `of a long history the newest lines of each flow stay`() throws {
    var lines: [UInt8] = entry("shop.rare", "0", .failed).line
    for run in 1...100 { lines += entry("shop.often", "\(run)").line }
    let whole = RunHistory.kept(of: lines, within: lines.count)
    #expect(whole == lines)
    let some = String(decoding: RunHistory.kept(of: lines, within: lines.count / 4), as: UTF8.self)
    let runs = some.split(separator: "\n").compactMap { HistoryEntry(line: $0.utf8)?.run }
    #expect(runs.first == "0" && runs.last == "100" && some.utf8.count <= lines.count / 4 && runs.count > 10)
    let least = String(decoding: RunHistory.kept(of: lines, within: 0), as: UTF8.self)
    #expect(least.split(separator: "\n").compactMap { HistoryEntry(line: $0.utf8)?.run } == ["0", "100"])
  }

  @Test func `no line of several writers is lost while the file is replaced`() async throws {
    let bench = try Workbench([:])
    let path = bench.path("root/log")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<25 {
            let line = Array("\(writer) \(number) \(String(repeating: "x", count: 200))\n".utf8)
            // Each append replaces the file, with the same lines.
            try LineLog.append(line, to: path, limit: 0) { $0 }
          }
        }
      }
      try await group.waitForAll()
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines).count == 200 && lines.count == 200)
    #expect(lines.allSatisfy { $0.hasSuffix(String(repeating: "x", count: 200)) })
  }

  @Test func `a root that cannot be written is a warning and no more`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a"), "file": ""])
    let outcome = try await bench.run(["run", bench.path("flows"), "--root", bench.path("file")])
    #expect(outcome.code == 0)
    #expect(outcome.err.contains("warning: '\(bench.path("file"))/.reactor/history.jsonl' could not be written"))
  }
}
