import Foundation
import TestSupport
import Testing

/// The dashboard of the real program, as files and served.
@Suite(.timeLimit(.minutes(2))) struct DashboardTests {
  /// A workspace with the runs of some flows in its history.
  private static func workspace(_ flows: [String]) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(lines(flows), to: ".reactor/history.jsonl")
    return workspace
  }

  private static func lines(_ flows: [String]) -> String {
    flows.map {
      #"{"run":"r","flow":"\#($0)","status":"passed","started":"2026-01-02T03:04:05Z","records":1,"rejected":0,"bytes":2,"tool":"1"}"#
        + "\n"
    }.joined()
  }

  private static func names(_ folder: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test func `the pages of flows that are gone are removed, and nothing else`() async throws {
    let workspace = try Self.workspace(["a.one", "a.two", "../a"])
    let folder = workspace.folder.appendingPathComponent("public")
    var outcome = try await workspace.reactor("dashboard", "-o", "public")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let first = try Self.names(folder)
    #expect(first.count == 6 && first.isSuperset(of: ["flow-a.one.html", "flow-a.two.html", "index.html"]), "\(first)")
    try workspace.write("mine", to: "public/robots.txt")
    try workspace.write(Self.lines(["a.one"]), to: ".reactor/history.jsonl")
    outcome = try await workspace.reactor("dashboard", "-o", "public")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let second = try Self.names(folder)
    #expect(second == [".reactor-dashboard", "all-1.html", "flow-a.one.html", "index.html", "robots.txt"])
  }

  @Test func `a folder with other files, a file and a link are left alone`() async throws {
    let workspace = try Self.workspace(["a.one"])
    try workspace.write("mine", to: "site/index.html")
    try workspace.write("mine", to: "file")
    for name in ["site", "file"] {
      let outcome = try await workspace.reactor("dashboard", "-o", name)
      #expect([2, 74].contains(outcome.status), "\(name): \(outcome.status)")
    }
    #expect(workspace.text("site/index.html") == "mine" && workspace.text("file") == "mine")
    let outcome = try await workspace.shell(
      "mkdir linked && touch linked/.reactor-dashboard && ln -s ../file linked/index.html && \"$REACTOR\" dashboard -o linked"
    )
    #expect(outcome.status == 74, "\(outcome.stdout)\(outcome.stderr)")
    #expect(workspace.text("file") == "mine")
  }

  @Test func `pages are served to this machine, read-only, and follow the history`() async throws {
    let workspace = try Self.workspace(["a.one"])
    let program = try workspace.start(["dashboard"])
    let isReady = await program.wait { $0.stdout.hasSuffix("\n") }
    try #require(isReady, "\(program.stdout)\(program.stderr)")
    let url = program.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    func curl(_ arguments: String...) async throws -> String {
      try await Program("/usr/bin/env", ["curl", "-sS", "--path-as-is"] + arguments, in: workspace.folder).end().stdout
    }
    let page = try await curl("-i", url + "/")
    for field in [
      "HTTP/1.1 200 OK", "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
      "X-Content-Type-Options: nosniff", "Cache-Control: no-store", "Content-Type: text/html; charset=utf-8",
    ] { #expect(page.contains(field), "\(field)") }
    #expect(page.contains("flow-a.one.html"))
    let statuses: [(String, [String])] = [
      ("200", ["/flow-a.one.html?x=1"]), ("404", ["/flow-a.two.html"]), ("404", ["/../.reactor/history.jsonl"]),
      ("404", ["/.reactor/history.jsonl"]), ("405", ["/", "-d", "x"]), ("405", ["/", "-X", "DELETE"]),
      ("421", ["/", "-H", "Host: evil.example"]), ("421", ["/", "-H", "Host: 127.0.0.1"]),
    ]
    for (status, request) in statuses {
      let found = try await Program(
        "/usr/bin/env",
        ["curl", "-sS", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", url + request[0]]
          + request.dropFirst(),
        in: workspace.folder
      ).end().stdout
      #expect(found == status, "\(request)")
    }
    let head = try await curl("-I", url + "/")
    #expect(head.contains("Content-Length: ") && !head.contains("<html"))
    try workspace.write(Self.lines(["a.one", "a.two"]), to: ".reactor/history.jsonl")
    var last = ""
    for _ in 0..<100 where !last.contains("flow-a.two.html") {
      try await Task.sleep(for: .milliseconds(100))
      last = try await curl(url + "/")
    }
    #expect(last.contains("flow-a.two.html"))
    program.signal(SIGTERM)
    #expect(await program.end().status == 0)
  }

  @Test(arguments: [
    (["--format", "json"], "'dashboard' has no JSON format"), (["-o", "a", "--port", "1"], "--port has no meaning"),
    (["--port", "x"], "--port is 'x', which is not a port"),
  ])
  func `options that do not fit are refused`(arguments: [String], message: String) async throws {
    let workspace = try Self.workspace(["a.one"])
    let outcome = try await Program(
      Repository.program("reactor"), ["dashboard"] + arguments, in: workspace.folder
    ).end()
    #expect(outcome.status == 2 && outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func `the lineage is that of the flow files`() async throws {
    let workspace = try Self.workspace(["shop.orders"])
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "https://a.example" }
      flows:
        customers: { resource: /c }
        orders: { each: { flow: customers, as: c }, resource: "/c/{{ c.id }}" }

      """, to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("dashboard", "-o", "public")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(workspace.text("public/lineage-1.html")?.contains(">shop.customers</text>") ?? false)
    #expect(workspace.text("public/flow-shop.orders.html")?.contains("Takes the records of: shop.customers") ?? false)
  }
}
