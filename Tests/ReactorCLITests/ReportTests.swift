import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import RunViews
import Storage
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(1))) struct ReportTests {
  static let failing = FakeAssembly(results: [
    "b": .failure(.server("no\n::error::x hush-hush ##[add-path]/x", status: 500))
  ])

  @Test func `every kind of report is written, each whole`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", more: "secrets: [TOKEN]\n")])
    let kinds = ReportFormat.allCases
    let flags = kinds.flatMap { ["--report", "\($0.rawValue)=\(bench.path("deep/er/\($0.rawValue)"))"] }
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--root", bench.path("root")] + flags, environment: ["TOKEN": "hush-hush"],
      Self.failing)
    #expect(outcome.code == 5)
    for kind in kinds {
      let text = try String(contentsOfFile: bench.path("deep/er/\(kind.rawValue)"), encoding: .utf8)
      #expect(text.contains("shop.b") || kind == .junit, "\(kind)")
      #expect(!text.contains("hush"), "\(kind)")
    }
    #expect(!outcome.err.contains("hush"))
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.path("deep/er"))
    #expect(Set(names) == Set(kinds.map(\.rawValue)), "nothing temporary is left")
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: bench.path("deep/er/json")))))
    #expect(json["exit"]?.int64 == 5)
  }

  @Test func `a report that cannot be written is named, and the others are written`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a"), "folder/x": ""])
    #expect(mkfifo(bench.path("pipe"), 0o600) == 0)
    let outcome = try await bench.run([
      "run", bench.path("flows"), "--no-timing", "--root", bench.path("root"), "--report",
      "tap=\(bench.path("folder"))", "--report", "md=/dev/full", "--report", "html=\(bench.path("pipe"))", "--report",
      "json=\(bench.path("good.json"))", "--report", "junit=\(bench.path("folder/x/y"))",
    ])
    #expect(outcome.code == 74)
    #expect(
      outcome.err
        == """
        error: report '\(bench.path("folder"))' could not be written: the path is a folder
        error: report '/dev/full' could not be written: no space left on device
        error: report '\(bench.path("pipe"))' could not be written: no program reads it
        error: report '\(bench.path("folder/x/y"))' could not be written: '\(bench.path("folder/x"))' is not a folder

        """)
    #expect(FileManager.default.fileExists(atPath: bench.path("good.json")))
  }

  @Test func `a report on standard output is all that stands there`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let outcome = try await bench.run([
      "run", bench.path("flows"), "--report", "tap=-", "--root", bench.path("root"),
    ])
    let lines = outcome.out.split(separator: "\n")
    #expect(lines.first == "TAP version 13" && lines.dropFirst(2) == ["1..1", "ok 1 - shop.a"], "\(outcome.out)")
    let strict = try await bench.run([
      "run", bench.path("flows"), "--report", "tap14=-", "--root", bench.path("root"),
    ])
    #expect(strict.out == "TAP version 14\n1..1\nok 1 - shop.a\n")
  }

  @Test(
    arguments: [
      (["xml"], "unknown report 'xml'"), (["junti"], "did you mean 'junit'?"),
      (["tap="], "the path after '=' is missing"),
      (["tap=-", "md=-"], "two reports to standard output"), (["tap=a", "md=a"], "two reports to 'a'"),
      (["tap=-", "--format", "json"], "cannot both use standard output"), (["github", "github"], "given twice"),
    ])
  func `wrong reports are refused before anything runs`(flags: [String], message: String) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let arguments = flags.flatMap { $0.hasPrefix("--") || $0 == "json" ? [$0] : ["--report", $0] }
    let outcome = try await bench.run(["run", bench.path("flows")] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.err.contains(message), "\(outcome.err)")
  }

  @Test func `reports come from the environment too`() throws {
    let on = try ReportOrder.orders([], environment: ["GITHUB_ACTIONS": "true"])
    #expect(on == [ReportOrder(.github, .gitHub)])
    #expect(try ReportOrder.orders(["github=off"], environment: ["GITHUB_ACTIONS": "true"]).isEmpty)
    #expect(try ReportOrder.orders(["junit"]) == [ReportOrder(.junit, .file("reports/junit.xml"))])
  }

  @Test func `on GitHub nothing that a server says is a command`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    try bench.write("# before\n", to: "summary.md")
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--no-timing", "--root", bench.path("root")],
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": bench.path("summary.md")], Self.failing)
    #expect(outcome.code == 5)
    // As the runner reads: `::` at the start of a line, `##[` anywhere.
    var token: String?
    var commands: [String] = []
    for line in outcome.err.split(separator: "\n").map(String.init) {
      if let open = token {
        if line == "::\(open)::" { token = nil }
        continue
      }
      if line.hasPrefix("::stop-commands::") {
        token = String(line.dropFirst(17))
      } else if line.drop(while: { $0 == " " }).hasPrefix("::") || line.contains("##[") {
        commands.append(line)
      }
    }
    #expect(token == nil)
    #expect(commands.count == 1)
    #expect(commands.first?.hasPrefix("::error file=") == true)
    #expect(!outcome.out.contains("::") && !outcome.out.contains("##["))
    let summary = try String(contentsOfFile: bench.path("summary.md"), encoding: .utf8)
    #expect(summary.hasPrefix("# before\n# ❌ reactor: 2 flows: 1 passed, 1 error\n"))
  }

  @Test func `a report follows no link, and a file that it replaces keeps its mode`() throws {
    let bench = try Workbench()
    try bench.write("old", to: "real.txt", mode: 0o640)
    try FileManager.default.createSymbolicLink(atPath: bench.path("link"), withDestinationPath: bench.path("real.txt"))
    #expect(throws: WholeFile.AccessError.self) { try ReportFile.write(Array("new".utf8), to: bench.path("link")) }
    #expect(try String(contentsOfFile: bench.path("real.txt"), encoding: .utf8) == "old")
    try ReportFile.write(Array("new".utf8), to: bench.path("real.txt"))
    #expect(try String(contentsOfFile: bench.path("real.txt"), encoding: .utf8) == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: bench.path("real.txt"))[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }
}
