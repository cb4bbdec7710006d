import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct LastRunTests {
  private func ids(_ outcome: Workbench.Outcome) -> [String] {
    outcome.out.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func `what did not pass is run again, and what was never run`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", "c")])
    let (flows, root) = (bench.path("flows"), ["--root", bench.path("root")])
    // Nothing is known: everything is new.
    #expect(ids(try await bench.run(["list", flows, "--last-failed"] + root)) == ["shop.a", "shop.b", "shop.c"])
    let assembly = FakeAssembly(results: ["b": .failure(.parser("no")), "c": .failure(.noConnectivity)])
    #expect(try await bench.run(["run", flows] + root, assembly).code == 5)
    #expect(
      try String(contentsOfFile: bench.path("root/.reactor/last-run.json"), encoding: .utf8)
        == "{\"v\":1,\"flows\":{\"shop.a\":\"passed\",\"shop.b\":\"failed\",\"shop.c\":\"error\"}}\n")
    try bench.write(Workbench.flows("a", "b", "c", "d"), to: "flows/shop.yaml")
    #expect(ids(try await bench.run(["list", flows, "--last-failed"] + root)) == ["shop.b", "shop.c", "shop.d"])
    #expect(ids(try await bench.run(["list", flows, "-s", "result:failed"] + root)) == ["shop.b"])
    #expect(
      ids(try await bench.run(["list", flows, "-s", "result:failed result:new"] + root)) == ["shop.b", "shop.d"])
    #expect(ids(try await bench.run(["list", flows, "--exclude", "result:*ed"] + root)) == ["shop.c", "shop.d"])
    // A run of some leaves what is known of the others.
    #expect(try await bench.run(["run", flows, "-s", "result:failed"] + root).code == 0)
    #expect(ids(try await bench.run(["list", flows, "--last-failed"] + root)) == ["shop.c", "shop.d"])
    #expect(try await bench.run(["run", flows, "--last-failed"] + root).code == 0)
    let nothing = try await bench.run(["run", flows, "--last-failed"] + root)
    #expect(nothing.code == 4)
    #expect(nothing.err.contains("no flow is selected"))
    #expect(try await bench.run(["run", flows, "--last-failed", "--no-flows", "pass"] + root).code == 0)
    #expect(
      try await bench.run(
        ["run", flows], environment: ["REACTOR_LAST_FAILED": "1", "REACTOR_ROOT": bench.path("root")]
      ).code == 4)
  }

  @Test func `what a killed run left beside the file goes, also when there is nothing new to write`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let run = ["run", bench.path("flows"), "--root", bench.path("root")]
    let left = bench.path("root/.reactor/.last-run.json.reactor-tmp")
    #expect(try await bench.run(run).code == 0)
    #expect(FileManager.default.createFile(atPath: left, contents: Data("{".utf8)))
    // Another run that is just writing it keeps it.
    let writer = open(left, O_WRONLY)
    #expect(writer >= 0 && flock(writer, LOCK_EX) == 0)
    #expect(try await bench.run(run).code == 0)
    #expect(FileManager.default.fileExists(atPath: left))
    close(writer)
    #expect(try await bench.run(run).code == 0)
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(FileManager.default.fileExists(atPath: bench.path("root/.reactor/last-run.json")))
  }

  @Test(arguments: ["", "{", "[]", "{\"v\":2,\"flows\":{}}", "{\"v\":1,\"flows\":{\"shop.a\":\"odd\",\"shop.b\":7}}"])
  func `a damaged memory knows nothing`(text: String) async throws {
    let bench = try Workbench(["root/.reactor/last-run.json": text])
    #expect(LastRun(root: bench.path("root")) == LastRun())
  }

  @Test func `a root that cannot be written is a warning and no more`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a"), "file": ""])
    let outcome = try await bench.run(["run", bench.path("flows"), "--root", bench.path("file")])
    #expect(outcome.code == 0)
    #expect(outcome.err.contains("warning: '\(bench.path("file"))/.reactor/last-run.json' could not be written"))
  }
}
