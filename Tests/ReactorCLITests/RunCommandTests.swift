import BatchRunner
import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunCommandTests {
  typealias Results = [String: Result<FetchSummary, ReactorError>]

  @Test(
    arguments: [
      ([:], [], 0), (["a": .failure(.parser("no"))], [], 1),
      (["a": .failure(.parser("no")), "b": .failure(.server("no", status: 500))], [], 5),
      (["a": .failure(.noConnectivity)], [], 5), (["a": .failure(ReactorError(.timeout, "late"))], [], 5),
      (["a": .failure(.persistence("disk full")), "b": .failure(.parser("no"))], [], 74),
      (["a": .failure(.persistence("offline, and nothing persisted yet"))], ["--fresh=never"], 5),
      (["a": .success(FetchSummary(source: .network, records: 0, rejected: 3, save: .withheld))], [], 1),
      (["a": .success(FetchSummary(source: .network, records: 2, save: .failedTolerated(.persistence("no"))))], [], 0),
      ([:], ["-s", "nothing"], 4), ([:], ["--var", "x=1"], 2), ([:], ["--jobs", "0"], 2),
      ([:], ["--fresh=nevr"], 2),
    ] as [(Results, [String], Int32)])
  func `each outcome has its exit code`(results: Results, arguments: [String], code: Int32) async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let outcome = try await bench.run(["run", bench.path("flows")] + arguments, FakeAssembly(results: results))
    #expect(outcome.code == code, "\(outcome.out)\(outcome.err)")
  }

  @Test func `a bad file does not keep the good ones from running`() async throws {
    let bench = try Workbench([
      "flows/good.yaml": Workbench.flows("a"), "flows/bad.yaml": "reactor: 1\nflows: { x: { resorce: /x } }\n",
    ])
    let outcome = try await bench.run(
      ["run", bench.path("flows")], FakeAssembly(results: ["a": .failure(.server("no", status: 500))]))
    #expect(outcome.code == 3)
    #expect(outcome.out.contains("ERROR  good.a"))
    #expect(outcome.err.contains("bad.yaml:2:15: error: "))
    #expect(outcome.err.contains("did you mean 'resource'?"))
    let passing = try await bench.run(["run", bench.path("flows")])
    #expect(passing.code == 3)
    #expect(passing.out.hasPrefix("ok     good.a"))
  }

  @Test func `lines are in plan order and the same for any number of jobs`() async throws {
    let names = (0..<40).map { "f\($0)" }
    let text =
      "reactor: 1\nhttp: { base_url: \"http://127.0.0.1:1\" }\nflows:\n"
      + names.map { "  \($0): /\($0)\n" }.joined()
    let flows = text.replacingOccurrences(of: ": /", with: ": { resource: /").replacingOccurrences(
      of: "(resource: /f[0-9]+)", with: "$1 }", options: .regularExpression)
    let bench = try Workbench(["flows/many.yaml": flows])
    let results: Results = ["f3": .failure(.parser("no")), "f7": .failure(.server("no\u{1B}[31m", status: 503))]
    var texts: Set<String> = []
    var summaries: Set<String> = []
    var reports: Set<[String]> = []
    let kinds = ["junit", "tap", "md", "html", "json"]
    for jobs in ["1", "4", "16"] {
      let arguments =
        ["run", bench.path("flows"), "--no-timing", "-j", jobs, "--max-per-host", jobs, "--root", bench.path("root")]
        + kinds.flatMap { ["--report", "\($0)=\(bench.path($0))"] }
      let outcome = try await bench.run(arguments, FakeAssembly(results: results))
      #expect(outcome.code == 5)
      texts.insert(outcome.out + outcome.err)
      reports.insert(try kinds.map { try String(contentsOfFile: bench.path($0), encoding: .utf8) })
      summaries.insert(try await bench.run(arguments + ["--format", "json"], FakeAssembly(results: results)).out)
    }
    #expect(texts.count == 1)
    #expect(summaries.count == 1)
    #expect(reports.count == 1)
    let lines = try #require(texts.first).split(separator: "\n")
    let ids = lines.prefix(40).map { $0.split(separator: " ")[1] }
    #expect(ids == names.map { "many.\($0)" })
    #expect(lines.contains("40 flows: 38 passed, 1 failed, 1 error  38 records"))
    // Whatever a server says, nothing but line ends drives the terminal.
    #expect(texts.first?.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 } == true)
    #expect(texts.first?.contains("no<U+001B>[31m") == true)
  }

  @Test func `a problem names flow, source location, message, kind and help`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", "c")])
    let results: Results = [
      "a": .failure(ReactorError(.parser, "expected an integer", recordIndex: 4, pointer: "/id")),
      "b": .failure(.server("the server refused", status: 401)),
      "c": .failure(.persistence("no space left", path: "out/c.json")),
    ]
    let outcome = try await bench.run(["run", bench.path("flows")], FakeAssembly(results: results))
    let path = bench.path("flows/shop.yaml")
    #expect(outcome.code == 74)
    #expect(
      outcome.err == """
        \(path):4: error: shop.a: expected an integer (record 4, /id) [run.parser]
             = help: fix the schema, or leave such records out with 'prune: true'
        \(path):5: error: shop.b: the server refused [run.server]
             = note: status 401
             = help: check the flow's credentials: its headers and the secrets in them
        \(path):6: error: shop.c: no space left [run.persistence]
             = note: file out/c.json
             = help: the previous result is intact; check that the folder is writable and has space, and that no other run is using it

        """)
  }

  @Test func `rejected records are counted, and listed on request`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let rejections = (0..<12).map { PruneReport.Rejection(index: $0, pointer: "/id", reason: "is null") }
    let result = FetchSummary(source: .network, records: 5, rejected: 250, rejections: rejections, save: .saved)
    let assembly = FakeAssembly(results: ["a": .success(result)])
    let brief = try await bench.run(["run", bench.path("flows"), "--no-timing"], assembly)
    #expect(brief.out.hasPrefix("ok     shop.a       5 records  network    250 rejected  -> out/a.json\n"))
    for arguments in [["--no-timing"], ["-q"]] {
      let err = try await bench.run(["run", bench.path("flows")] + arguments, assembly).err
      #expect(err.contains("warning: shop.a: 250 of 255 records rejected [run.pruned]\n"))
      #expect(err.contains("= note: record 0 at /id: is null\n") && !err.contains("record 1 "))
    }
    let long = try await bench.run(["run", bench.path("flows"), "-v"], assembly)
    #expect(long.err.contains("warning: shop.a: 250 of 255 records rejected [run.pruned]\n"))
    #expect(long.err.contains("     = note: record 9 at /id: is null\n     = note: and 240 more"))
    #expect(!long.err.contains("record 10 "))
  }

  @Test func `quiet shows only what did not pass`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b")])
    let quiet = try await bench.run(["run", bench.path("flows"), "-q"])
    #expect(quiet.out.isEmpty && quiet.err.isEmpty && quiet.code == 0)
    let failing = try await bench.run(
      ["run", bench.path("flows"), "-q", "--no-timing"], FakeAssembly(results: ["b": .failure(.parser("no"))]))
    #expect(failing.out == "FAIL   shop.b  does not fit\n")
  }

  @Test func `the summary holds every fact and no secret`() async throws {
    let bench = try Workbench([
      "flows/shop.yaml": Workbench.flows("a", "b", more: "secrets: [TOKEN]\n")
    ])
    let rejection = PruneReport.Rejection(index: 2, pointer: "/x", reason: "found the string \"hush-hush\"")
    let result = FetchSummary(
      source: .network, miss: .expired, records: 5, rejected: 1, rejections: [rejection], bytes: 99, save: .saved)
    let assembly = FakeAssembly(results: [
      "a": .success(result), "b": .failure(.server("you sent hush-hush, in base64 aHVzaC1odXNo", status: 403)),
    ])
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--format", "json"], environment: ["TOKEN": "hush-hush"], assembly)
    #expect(!outcome.out.contains("hush") && !outcome.err.contains("hush"))
    #expect(!outcome.out.contains("aHVzaC1o") && !outcome.err.contains("aHVzaC1o"))
    let summary = try JSONValue(parsing: outcome.out)
    #expect(summary["exit"]?.int64 == 5)
    #expect(summary["complete"]?.bool == true)
    #expect(summary["counts"]?["passed"]?.int64 == 1)
    #expect(summary["counts"]?["error"]?.int64 == 1)
    let flow = try #require(summary["flows"]?.array?.first)
    #expect(flow["id"]?.string == "shop.a")
    #expect(flow["line"]?.int64 == 5)
    #expect(flow["miss"]?.string == "the persisted result has expired")
    #expect(flow["rejections"]?.array?.first?["reason"]?.string == "found the string \"***\"")
    #expect(flow["path"]?.string == "out/a.json")
    #expect(flow["error"] == .null)
    let second = try #require(summary["flows"]?.array?.last)
    #expect(second["error"]?["message"]?.string == "you sent ***, in base64 ***")
    #expect(second["error"]?["status"]?.int64 == 403)
  }

  @Test func `a number that looks like a secret does not break the summary`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", more: "secrets: [PIN]\n")])
    let assembly = FakeAssembly(results: ["a": .success(FetchSummary(source: .network, records: 4711, save: .saved))])
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--format", "json"], environment: ["PIN": "4711"], assembly)
    #expect(try JSONValue(parsing: outcome.out)["records"]?.int64 == 4711)
  }

  @Test func `a long message is cut only after secrets were hidden`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", more: "secrets: [TOKEN]\n")])
    // The secret would lie across the cut.
    let message = String(repeating: "x", count: 492) + "the-very-secret-token" + String(repeating: "y", count: 4000)
    let outcome = try await bench.run(
      ["run", bench.path("flows")], environment: ["TOKEN": "the-very-secret-token"],
      FakeAssembly(results: ["a": .failure(.server(message))]))
    #expect(!outcome.err.contains("the-ver"))
    #expect(outcome.err.utf8.count < 1000)
  }
}
