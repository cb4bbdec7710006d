import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct MergeTests {
  @Test func `shards joined are the run undivided`() async throws {
    let bench = try Workbench([
      "flows/b.yaml": Workbench.flows("x", "y", "z"), "flows/a.yaml": Workbench.flows("p", "q", "r"),
    ])
    let assembly = FakeAssembly(results: ["y": .failure(.parser("no")), "q": .failure(.noConnectivity)])
    let common = ["run", bench.path("flows"), "--no-timing", "--root", bench.path("root"), "--fail-on", "!no-flows"]
    var parts: [String] = []
    for number in 1...3 {
      let part = bench.path("part-\(number).json")
      _ = try await bench.run(common + ["--shard", "\(number)/3", "--report", "json=\(part)"], assembly)
      parts.append(part)
    }
    let whole = try await bench.run(common + ["--format", "json"], assembly)
    let joined = try await bench.run(["report", "merge", "--format", "json"] + parts.reversed())
    #expect(joined.code == 5)
    #expect(joined.out == whole.out)
    let text = try await bench.run(["report", "merge", "--report", "junit=\(bench.path("junit.xml"))"] + parts)
    #expect(
      text.out == """
        ERROR  a.q  the host is not reachable
        FAIL   b.y  no
        6 flows: 4 passed, 1 failed, 1 error

        """)
    #expect(FileManager.default.fileExists(atPath: bench.path("junit.xml")))
    let lacking = try await bench.run(["report", "merge", parts[0], parts[2], "--format", "json"])
    #expect(lacking.code == 5)
    #expect(lacking.err.contains("shard 2/3 is not among the reports"))
    #expect(try JSONValue(parsing: lacking.out)["complete"]?.bool == false)
    let twice = try await bench.run(["report", "merge"] + parts + [parts[0], parts[1], parts[2]])
    #expect(twice.code == 2)
    #expect(twice.err.contains("is in two of the reports"))
  }

  @Test func `a report whose exit code is not that of its flows is refused`() async throws {
    let bench = try Workbench(["flows/b.yaml": Workbench.flows("x", "y")])
    let assembly = FakeAssembly(results: ["y": .failure(.parser("no"))])
    let path = bench.path("r.json")
    _ = try await bench.run(
      ["run", bench.path("flows"), "--root", bench.path("root"), "--report", "json=\(path)"], assembly)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try await bench.run(["report", "merge", path]).code == 1)
    for (forged, reason) in [
      (
        text.replacing("\"exit\":1,", with: "\"exit\":0,"),
        "its exit code says that all flows passed, but 'b.y' did not"
      ),
      (text.replacing("\"exit\":1,", with: "\"exit\":99,"), "its exit code 99 is not an exit code of this program"),
      (text.replacing("\"records\":", with: "\"records\":-"), "cannot be"),
    ] {
      #expect(forged != text)
      try bench.write(forged, to: "forged.json")
      let outcome = try await bench.run(["report", "merge", bench.path("forged.json")])
      #expect(outcome.code == 2 && outcome.err.contains(reason), "\(outcome.err)")
    }
  }

  @Test func `what is no report is refused by name`() async throws {
    let bench = try Workbench(["bad.json": "{}"])
    let bad = try await bench.run(["report", "merge", bench.path("bad.json")])
    #expect(bad.code == 2)
    #expect(bad.err.contains("bad.json' cannot be joined: it is not a JSON report"))
    #expect(try await bench.run(["report", "merge", bench.path("none.json")]).code == 2)
    #expect(try await bench.run(["report", "merge", bench.path("bad.json"), "--report", "ndjson"]).code == 2)
    #expect(try await bench.run(["report", "merge"]).code == 2)
  }
}
