import Foundation
import TestSupport
import Testing

@Suite struct FixtureTests {
  private static let secret = ["SHOP_TOKEN": FixtureShop.token]

  @Test func `what was recorded is replayed without its server and its secrets`() async throws {
    let workspace = try await FixtureShop.recorded()
    #expect(
      workspace.files().filter { $0.hasPrefix("fixtures") } == [
        "fixtures/shop.customers/cassette.yaml", "fixtures/shop.customers/flow.json",
        "fixtures/shop.customers/records.jsonl", "fixtures/shop.orders/cassette.yaml", "fixtures/shop.orders/flow.json",
        "fixtures/shop.orders/records.jsonl",
      ])
    let outcome = try await workspace.reactor("test", "--no-timing", environment: ["CI": "true"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stdout.contains("2 flows: 2 passed"))
    #expect(outcome.stderr == "")
    // Results are kept nowhere.
    #expect(workspace.files().allSatisfy { $0.hasPrefix("fixtures/") || $0.hasPrefix("flows/") })
    let golden = workspace.text("fixtures/shop.customers/records.jsonl")
    #expect(golden?.contains(#""balance":"1250.00","link":"{{base}}/c/2""#) ?? false, "\(golden ?? "")")
    let decisions = workspace.text("fixtures/shop.customers/flow.json") ?? ""
    #expect(decisions.contains("GET {{base}}/customers?limit=100&sort=name -> 200"))
    #expect(decisions.contains(#""rejected": 1"#))
    #expect(decisions.contains(#""pointer": "/id""#))
  }

  @Test(arguments: ["jsonl.gz", "csv.zst"])
  func `a compressed result has the same golden as any other`(_ ending: String) async throws {
    let plain = try await FixtureShop.recorded()
    let workspace = try Workspace()
    let shop = try FixtureShop.standard()
    defer { shop.server.stop() }
    let text = FixtureShop.flows(shop.server.url).replacingOccurrences(
      of: "customers.jsonl", with: "customers.\(ending)")
    try workspace.write(text, to: "flows/shop.yaml")
    let recorded = try await workspace.reactor("record", environment: Self.secret)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    let golden = "fixtures/shop.customers/records.jsonl"
    #expect(workspace.text(golden) == plain.text(golden))
    let tested = try await workspace.reactor("test", "--no-timing", environment: ["CI": "true"])
    #expect(tested.status == 0, "\(tested.stdout)\(tested.stderr)")
    // The run itself compresses, and later runs use its result.
    let run = try await workspace.reactor("run", environment: Self.secret)
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
    #expect(workspace.bytes("out/customers.\(ending)")?.first == (ending.hasSuffix("gz") ? 0x1F : 0x28))
    let explained = try await workspace.reactor("explain", "customers", environment: Self.secret)
    #expect(explained.stdout.contains("out/customers.\(ending)"), "\(explained.stdout)")
    #expect(explained.stdout.contains("2 records of "), "\(explained.stdout)")
  }

  @Test func `a result in files by field has one golden`() async throws {
    let plain = try await FixtureShop.recorded()
    let workspace = try Workspace()
    let shop = try FixtureShop.standard()
    defer { shop.server.stop() }
    let text = FixtureShop.flows(shop.server.url)
      .replacingOccurrences(of: "out/customers.jsonl", with: "\"out/{{ record.name }}.jsonl\"")
    try workspace.write(text, to: "flows/shop.yaml")
    let recorded = try await workspace.reactor("record", environment: Self.secret)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    let golden = "fixtures/shop.customers/records.jsonl"
    #expect(workspace.text(golden) == plain.text(golden))
    let tested = try await workspace.reactor("test", "--no-timing", environment: ["CI": "true"])
    #expect(tested.status == 0, "\(tested.stdout)\(tested.stderr)")
    let run = try await workspace.reactor("run", environment: Self.secret)
    #expect(run.stdout.contains("-> out/{{ record.name }}.jsonl"), "\(run.stdout)\(run.stderr)")
    #expect(
      workspace.files().filter { $0.hasPrefix("out/") && !$0.contains("/.") } == ["out/Al.jsonl", "out/Bo.jsonl"])
    let explained = try await workspace.reactor("explain", "customers", environment: Self.secret)
    #expect(explained.stdout.contains("2 records of "), "\(explained.stdout)")
  }

  @Test func `recording again changes nothing, on another port too`() async throws {
    let workspace = try await FixtureShop.recorded()
    let before = try workspace.files().filter { $0.hasPrefix("fixtures") }.map { try #require(workspace.bytes($0)) }
    let shop = try FixtureShop.standard()
    defer { shop.server.stop() }
    try shop.write(to: workspace)
    let outcome = try await workspace.reactor("record", environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stdout.contains("nothing changed"))
    #expect(
      try workspace.files().filter { $0.hasPrefix("fixtures") }.map { try #require(workspace.bytes($0)) } == before)
  }

  @Test func `a replay makes no connection`() async throws {
    let workspace = try await FixtureShop.recorded()
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      print("skipped: this machine has no strace")
      return
    }
    let outcome = try await workspace.shell(
      "/usr/bin/strace -f -e trace=socket,connect,bind,sendto -o trace.txt \"$REACTOR\" test; echo \"exit $?\"")
    guard let trace = workspace.text("trace.txt"), !trace.contains("PTRACE"), !outcome.stderr.contains("PTRACE") else {
      print("skipped: strace is not permitted here")
      return
    }
    #expect(outcome.stdout.contains("exit 0"), "\(outcome.stdout)\(outcome.stderr)")
    #expect(!trace.contains("AF_INET"), "\(trace)")
  }

  @Test func `a replay runs in an empty network`() async throws {
    let workspace = try await FixtureShop.recorded()
    let outcome = try await workspace.shell(
      "unshare -rn true 2>/dev/null || { echo refused; exit 0; }; unshare -rn \"$REACTOR\" test")
    if outcome.stdout.contains("refused") {
      print("skipped: network namespaces are not permitted here")
      return
    }
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  @Test(arguments: ["base64", "body", "header", "location", "percent", "json", "url"])
  func `no echo of a secret survives`(_ location: String) async throws {
    let token = FixtureShop.token
    let base64 = Data(token.utf8).base64EncodedString()
    let percent = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let shop = try FixtureShop { request in
      switch location {
      case "base64":
        (["X-Basic: \(Data("user:\(token)".utf8).base64EncodedString())"], #"[{"no":"\#(base64)","lines":[]}]"#)
      case "body": ([], #"[{"no":"token is \#(token).","lines":[]}]"#)
      case "header": (["X-Echo: \(request["authorization"] ?? "")"], #"[{"no":"1","lines":[]}]"#)
      case "location":
        (["Location: /login?token=\(percent)", "Content-Location: /x/\(token)"], #"[{"no":"1","lines":[]}]"#)
      case "percent": ([], #"[{"no":"\#(percent)","lines":[]}]"#)
      case "json": ([], #"[{"no":"\#(token.replacingOccurrences(of: "/", with: "\\/"))","lines":[]}]"#)
      default: ([], #"[{"no":"http://\#(request["host"] ?? "")/a?key=\#(percent)&b=\#(base64)","lines":[]}]"#)
      }
    }
    defer { shop.server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      FixtureShop.flows(shop.server.url).replacingOccurrences(
        of: "resource: /orders", with: "resource: { path: /orders, query: { key: \"{{ secrets.SHOP_TOKEN }}\" } }"),
      to: "flows/shop.yaml")
    let outcome = try await workspace.reactor(
      "record", "-s", "shop.orders", "--report", "html=r.html", "--report", "junit=r.xml", environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let cassette = workspace.text("fixtures/shop.orders/cassette.yaml") ?? ""
    #expect(cassette.contains("{{secret:SHOP_TOKEN}}"))
    for file in workspace.files(hidden: true) where !file.hasPrefix("flows/") {
      let text = workspace.text(file) ?? ""
      for form in [token, base64, percent, percent.lowercased(), String(base64.dropLast(4))] {
        #expect(!text.contains(form), "\(form) in \(file)")
      }
    }
    let replay = try await workspace.reactor("test", "-s", "shop.orders")
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    let verified = try await workspace.reactor("fixtures", "verify", "-s", "shop.orders", environment: Self.secret)
    #expect(verified.status == 0, "\(verified.stdout)\(verified.stderr)")
  }

  @Test(arguments: [
    (["record"], "recording is not allowed in CI"), (["test", "--record", "new"], "recording is not allowed in CI"),
    (["test", "--update", "all"], "no golden is written in CI"),
  ])
  func `nothing is written in CI`(_ arguments: [String], _ message: String) async throws {
    let workspace = try await FixtureShop.recorded()
    let outcome = try await workspace.start(arguments, environment: ["CI": "1"]).end()
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func `a golden that is not there fails and is written when asked`() async throws {
    let workspace = try await FixtureShop.recorded()
    for name in ["records.jsonl", "flow.json"] {
      try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("fixtures/shop.orders/\(name)"))
    }
    let inCI = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(inCI.status == 5)
    #expect(inCI.stderr.contains("there is no golden for this flow"))
    #expect(workspace.text("fixtures/shop.orders/records.jsonl.new") == nil)
    let written = try await workspace.reactor("test", "--update", "new")
    #expect(written.status == 0, "\(written.stdout)\(written.stderr)")
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
  }

  @Test func `a miss is reported with its closest recording`() async throws {
    let workspace = try await FixtureShop.recorded()
    let flows = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(flows.replacingOccurrences(of: "limit: 100", with: "limit: 50"), to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("test", "--report", "junit=r.xml", environment: ["CI": "1"])
    #expect(outcome.status == 5)
    #expect(outcome.stderr.contains("query     - limit=100   + limit=50"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("reactor record -s shop.customers --record new"))
    #expect(outcome.stderr.split(separator: "\n").count <= 32)
    #expect(workspace.text("r.xml")?.contains("limit=50") ?? false)
  }

  /// A fixture of the flow of orders, what becomes of it, and what is reported.
  private static let damages: [(file: String, damage: @Sendable (String) -> String?, message: String)] = [
    ("cassette.yaml", { $0.replacing("entries:", with: "entries: [") }, "shop.orders"),
    (
      "cassette.yaml", { $0.replacing(/recorded_at: "[^"]*"/, with: "recorded_at: \"yesterday\"") },
      "'recorded_at' must be a time"
    ),
    ("records.jsonl", { String($0.dropLast(20)) }, "records.jsonl"),
    ("flow.json", { String($0.dropLast(20)) }, "flow.json"), ("cassette.yaml", { _ in nil }, "no recording"),
  ]

  @Test(arguments: damages.indices)
  func `what is wrong with a fixture is no server's error`(_ index: Int) async throws {
    let (file, damage, message) = Self.damages[index]
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.orders/\(file)"
    if let damaged = damage(try #require(workspace.text(path))) {
      try workspace.write(damaged, to: path)
    } else {
      try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent(path))
    }
    let outcome = try await workspace.reactor("test")
    #expect(outcome.status == 5 || outcome.status == 1, "\(outcome.status)")
    #expect(!outcome.stdout.contains("server error") && !outcome.stderr.contains("[run.server]"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func `unused recordings fail in CI and can be pruned`() async throws {
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.orders/cassette.yaml"
    let cassette = try #require(workspace.text(path))
    try workspace.write(cassette + "  - request: \"GET {{base}}/zzz\"\n    status: 200\n", to: path)
    #expect(try await workspace.reactor("test").status == 0)
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 6)
    #expect(try await workspace.reactor("test", "--unused", "ignore", environment: ["CI": "1"]).status == 0)
    let shown = try await workspace.reactor("fixtures", "prune")
    #expect(shown.stdout.contains("GET {{base}}/zzz"), "\(shown.stdout)\(shown.stderr)")
    #expect(workspace.text(path) != cassette)
    #expect(try await workspace.reactor("fixtures", "prune", "--yes").status == 0)
    #expect(workspace.text(path) == cassette)
  }

  @Test func `stale recordings are reported`() async throws {
    let workspace = try await FixtureShop.recorded()
    let flows = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(
      flows.replacingOccurrences(of: "  customers:\n", with: "  customers:\n    fixture: { max_age: 30d }\n"),
      to: "flows/shop.yaml")
    let later = ["SOURCE_DATE_EPOCH": String(Int(Date().timeIntervalSince1970) + 40 * 86_400)]
    let warned = try await workspace.reactor("test", environment: later)
    #expect(warned.status == 0)
    #expect(warned.stderr.contains("10 days older than 'fixture.max_age' allows"), "\(warned.stderr)")
    #expect(try await workspace.reactor("test", "--stale", "fail", environment: later).status == 6)
    #expect(try await workspace.reactor("fixtures", "verify", environment: later).status == 6)
  }

  @Test func `reports of a test say that nothing was asked and saved, and when it ran`() async throws {
    let workspace = try await FixtureShop.recorded()
    let outcome = try await workspace.reactor(
      "test", "--report", "junit=a.xml", "--report", "json=a.json", "--report", "md=a.md", "--report", "html=a.html",
      "--report", "ndjson=a.ndjson", environment: ["SOURCE_DATE_EPOCH": "1790000000"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let json = try #require(workspace.text("a.json"))
    #expect(json.contains("\"source\":\"replayed\"") && !json.contains("\"source\":\"network\""), "\(json)")
    #expect(json.contains("\"save\":\"none\"") && !json.contains("\"save\":\"saved\""), "\(json)")
    let xml = try #require(workspace.text("a.xml"))
    #expect(
      xml.contains("name=\"source\" value=\"replayed\"") && xml.contains("name=\"save\" value=\"none\""), "\(xml)")
    #expect(workspace.text("a.ndjson")?.contains("\"replayed\":true") ?? false)
    for name in ["a.json", "a.xml", "a.md", "a.html", "a.ndjson"] {
      let text = workspace.text(name)?.replacingOccurrences(of: "&#58;", with: ":")
      #expect(text?.contains("2026-09-21T14:13:20Z") ?? false, "\(name)")
    }
    for name in ["a.md", "a.html"] { #expect(workspace.text(name)?.contains("replayed") ?? false, "\(name)") }
  }

  @Test func `reports are the same for any number of jobs`() async throws {
    let workspace = try await FixtureShop.recorded()
    let cassette = try #require(workspace.text("fixtures/shop.customers/cassette.yaml"))
    try workspace.write(
      cassette.replacingOccurrences(of: "1250.00", with: "1250.01"), to: "fixtures/shop.customers/cassette.yaml")
    var seen: Set<String> = []
    for jobs in [1, 2, 4, 8, 16, 16, 16, 3, 5, 7] {
      let outcome = try await workspace.reactor(
        "test", "--no-timing", "--jobs", "\(jobs)", "--report", "junit=a.xml", "--report", "json=a.json", "--report",
        "tap=a.tap", "--report", "html=a.html", "--report", "ndjson=a.ndjson", "--patch", "a.patch",
        environment: ["CI": "1"])
      #expect(outcome.status == 1)
      let parts = ["a.xml", "a.json", "a.tap", "a.html", "a.patch"].map { workspace.text($0) ?? "none" }
      seen.insert((parts + [outcome.stdout, outcome.stderr]).joined(separator: "\n==\n"))
    }
    #expect(seen.count == 1)
  }

  @Test func `every report has each difference with its location and its response`() async throws {
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.customers/cassette.yaml"
    let cassette = try #require(workspace.text(path))
    try workspace.write(
      cassette.replacingOccurrences(of: "1250.00", with: "1250.01").replacingOccurrences(of: "\"Al\"", with: "\"Ala\""),
      to: path)
    var arguments = ["test", "--no-timing", "--report", "github"]
    for report in ["junit", "tap", "md", "html", "json"] { arguments += ["--report", "\(report)=r/\(report)"] }
    let outcome = try await workspace.start(
      arguments, environment: ["CI": "1", "GITHUB_STEP_SUMMARY": workspace.folder.appendingPathComponent("sum").path]
    ).end()
    #expect(outcome.status == 1)
    /// Without what a form writes in place of some characters.
    func plain(_ text: String) -> String {
      var text = text
      for (escape, character) in [
        ("&#59;", ";"), ("&quot;", "\""), ("&#34;", "\""), ("\\\"", "\""), ("&#58;", ":"), ("&#61;", "="),
        ("&#95;", "_"),
        ("&#63;", "?"),
        ("&#36;", "$"), ("&#38;", "&"), ("&#40;", "("), ("&#41;", ")"), ("&#123;", "{"), ("&#125;", "}"),
        ("&#43;", "+"),
        ("&amp;", "&"), ("%0A", "\n"), ("\\u0026", "&"), ("<mark>", ""), ("</mark>", ""),
      ] { text = text.replacingOccurrences(of: escape, with: character) }
      return text
    }
    let annotations = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("::error") }.joined()
    #expect(annotations.contains("file=flows/shop.yaml,line=21"), "\(annotations)")
    var texts = ["github": annotations, "stderr": outcome.stderr, "summary": workspace.text("sum") ?? ""]
    for report in ["junit", "tap", "md", "html", "json"] { texts[report] = workspace.text("r/\(report)") ?? "" }
    for (report, text) in texts {
      let text = plain(text)
      for part in ["id=2", "$.balance", "1250.00", "1250.01", "id=1", "$.name", "Ala", "GET {{base}}/customers?"] {
        #expect(text.contains(part), "\(part) in \(report): \(text)")
      }
      let lines = report == "json" ? ["\"mapping_line\":22", "\"mapping_line\":21"] : ["shop.yaml:22", "shop.yaml:21"]
      for line in lines { #expect(text.contains(line), "\(line) in \(report): \(text)") }
    }
    let junit = texts["junit"] ?? ""
    #expect(junit.contains("<property name=\"cassette\" value=\"fixtures/shop.customers/cassette.yaml\"/>"), "\(junit)")
    #expect(junit.contains("<property name=\"golden\" value=\"fixtures/shop.orders/records.jsonl\"/>"), "\(junit)")

    // What is not listed is counted, in every form.
    let short = try await workspace.start(arguments + ["--max-diffs", "1"], environment: ["CI": "1"]).end()
    for text in [short.stderr] + ["junit", "tap", "md", "html"].map({ plain(workspace.text("r/\($0)") ?? "") }) {
      #expect(text.contains("and 1 more; --diff full shows all"), "\(text)")
    }
    #expect(workspace.text("r/json")?.contains("\"diffs_left_out\":1") ?? false)
  }

  @Test func `git takes the patch and then the test passes`() async throws {
    let workspace = try await FixtureShop.recorded()
    for name in ["customers", "orders"] {
      let path = "fixtures/shop.\(name)/cassette.yaml"
      let cassette = try #require(workspace.text(path))
      try workspace.write(
        cassette.replacingOccurrences(of: "1250.00", with: "9.99").replacingOccurrences(of: "[3,1,2]", with: "[3]"),
        to: path)
    }
    try FileManager.default.removeItem(
      at: workspace.folder.appendingPathComponent("fixtures/shop.orders/records.jsonl"))
    let outcome = try await workspace.reactor("test", "--patch", "accept.patch", environment: ["CI": "1"])
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    // One record of the customers differs: its line is changed, and no other.
    let patch = try #require(workspace.text("accept.patch"))
    let customers = patch.components(separatedBy: "diff --git").first { $0.contains("shop.customers/records.jsonl") }
    #expect(customers?.components(separatedBy: "\n-{").count == 2, "\(patch)")
    let git = try await workspace.shell(
      "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git apply --check accept.patch && git apply accept.patch && git diff --stat"
    )
    #expect(git.status == 0, "\(git.stdout)\(git.stderr)")
    let after = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(after.status == 0, "\(after.stdout)\(after.stderr)")
  }

  @Test func `differences can be reviewed one by one`() async throws {
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.customers/cassette.yaml"
    let cassette = try #require(workspace.text(path))
    try workspace.write(
      cassette.replacingOccurrences(of: "1250.00", with: "9.99").replacingOccurrences(of: "\"Al\"", with: "\"Ala\""),
      to: path)
    #expect(try await workspace.reactor("test").status == 1)
    #expect(try await workspace.reactor("review", "--no-input").status == 1)
    let reviewed = try await workspace.shell("printf 'a\\nr\\n' | \"$REACTOR\" review")
    #expect(reviewed.status == 0, "\(reviewed.stdout)\(reviewed.stderr)")
    #expect(reviewed.stdout.contains("id=1"))
    let golden = try #require(workspace.text("fixtures/shop.customers/records.jsonl"))
    #expect(golden.contains("Ala"))
    #expect(golden.contains("1250.00"))
    #expect(try await workspace.reactor("test").status == 1)
    #expect(try await workspace.reactor("accept", "--key", "id=2").status == 0)
    #expect(try await workspace.reactor("test").status == 0)
    #expect(try await workspace.reactor("accept", "--key", "id=2").status == 4)
  }
}
