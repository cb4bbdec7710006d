import Foundation
import TestSupport
import Testing

/// What servers and files say reaches no terminal and no report raw, whatever the verb.
@Suite(.timeLimit(.minutes(3))) struct HostileTextTests {
  /// Terminal codes in seven and eight bits, turned text, joiners, line separators, a bell, and more than one may say.
  private static let hostile =
    "\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}2J\u{202E}txt.exe\u{2066}x\u{2069}\u{200F}\u{200B}\u{2028}\u{FEFF}\u{7F}\u{E0041}"

  private static let long = String(repeating: "long-", count: 1000)

  private static func json(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request in
      let body: String
      var status = "200 OK"
      switch request.target {
      case "/error":
        status = "500 \(hostile)"
        body = "{\"error\":\"\(json(hostile))\(long)\",\"message\":\"\(hostile)\"}"
      case "/rule": body = "{\"code\":\"\(json(hostile))\(long)\",\"data\":[]}"
      case "/type": body = "<html>\(hostile)\(long)</html>"
      case "/redirect":
        status = "302 \(hostile)"
        body = ""
      default:
        body = "[{\"id\":\"\(json(hostile))\(long)\"},{\"id\":1},{\"\(json(hostile))\":\"\(hostile)\",\"id\":{}}]"
      }
      let location = request.target == "/redirect" ? "Location: http://other.example/\(hostile)\(long)\r\n" : ""
      return [
        .send(
          Array(
            "HTTP/1.1 \(status)\r\nX-Request-Id: \(hostile)\r\n\(location)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
              .utf8))
      ]
    }
  }

  private static func flows(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    vars: { v: { type: string, default: "\(json(hostile))" } }
    defaults: { reachability: false, retry: none }
    schemas: { item: { key: id, fields: { id: integer } } }
    flows:
      error: { resource: /error, description: "a \(long)" }
      rule: { resource: /rule, errors: [{ when: "response.code != null", do: fail, message: "{{ response.code }}" }] }
      type: { resource: /type }
      redirect: { resource: /redirect }
      strict: { resource: /mixed, schema: item }
      query: { resource: { path: /mixed, query: { q: "{{ vars.v }}" } }, schema: item }
      bad: { resource: /mixed, schema: item, prune: true, persistence: out/bad.jsonl, rejected: out/bad.rejected.jsonl }

    """
  }

  /// Characters that a terminal would act on or hide, and lines that are too long to be one message.
  private static func raw(_ text: String) -> [String] {
    var found: [String] = []
    for scalar in text.unicodeScalars where scalar != "\n" {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      let isHidden =
        [0x061C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF].contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        || (0xE0000...0xE007F).contains(scalar.value)
      if isControl || isHidden { found.append("U+" + String(scalar.value, radix: 16)) }
    }
    return Array(Set(found)).sorted()
  }

  @Test(arguments: [
    "check", "list", "explain s.error", "explain s.query", "run -n", "run", "run -v", "run --format json",
    "run --report tap=-", "run --report junit=-", "run --report md=-", "run --report html=-", "run --report ndjson=-",
    "run -q", "record", "list --format json", "run -n --format json", "run --no-timing",
  ])
  func `nothing raw comes out of any verb`(line: String) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flows(server), to: "flows/s.yaml")
    let arguments = line.split(separator: " ").map(String.init)
    let outcome = try await workspace.start(arguments, environment: ["GITHUB_ACTIONS": "true"]).end()
    var text = outcome.stdout + outcome.stderr
    #expect(outcome.status != 2, "\(outcome.stderr)")
    #expect(!text.isEmpty)
    // Our own colours, where they are asked for.
    if line.contains("always") { text.replace(/\u{1B}\[[0-9;]*m/, with: "") }
    #expect(Self.raw(text) == [], "\(line)")
    for part in text.split(separator: "\n") where !line.contains("json") && !line.contains("html") {
      // A message is at most 500 characters; each hidden one is shown by eight.
      let run = part.components(separatedBy: "long-").count - 1
      #expect(run <= (arguments[0] == "explain" || line == "run -n" ? 400 : 130), "\(line): \(part.prefix(200))")
    }
  }

  @Test func `faulty files are shown without being acted on`() async throws {
    let workspace = try Workspace()
    let files = [
      "reactor: 1\n\"\(Self.json(Self.hostile))\": 1\n", "reactor: 1\n# \(Self.hostile)\nflows: [\n",
      "reactor: 1\nflows: { a: { resource: \"\(Self.hostile)\" } }\n", "\(Self.hostile)\(Self.long)",
      "reactor: 1\ndescription: \"\(Self.json(Self.hostile))\"\nflows: { a: { resource: /x } }\n",
      "reactor: 1\nflows: { \"\(Self.json(Self.hostile))\": { resource: /x } }\n",
      "reactor: 1\nhttp: { base_url: \"http://\(Self.json(Self.hostile))/\" }\nflows: { a: { resource: /x } }\n",
    ]
    for (index, text) in files.enumerated() { try workspace.write(text, to: "flows/\(index).yaml") }
    try workspace.write(files[0], to: "flows/\u{1B}[31m\u{202E}.yaml")
    for arguments in [["check"], ["list"], ["run"], ["run", "--format", "json"], ["check", "--format", "json"]] {
      let outcome = try await workspace.start(arguments).end()
      #expect(outcome.status != 0)
      #expect(Self.raw(outcome.stdout + outcome.stderr) == [], "\(arguments)")
    }
    for arguments in [
      ["explain", Self.hostile], ["run", "-s", Self.hostile], ["run", "--report", Self.hostile],
      [Self.hostile], ["run", Self.hostile], ["run", "--var", "\(Self.hostile)=1"],
      ["run", "--total-timeout", Self.hostile], ["run", "--fail-on", Self.hostile],
    ] {
      let outcome = try await workspace.start(arguments).end()
      #expect(outcome.status != 0)
      #expect(Self.raw(outcome.stdout + outcome.stderr) == [], "\(arguments.first ?? "")")
    }
  }

  @Test func `differences of a replay are shown without being acted on`() async throws {
    let server = try Self.server()
    let workspace = try Workspace()
    // A text that fits, so that it is in the golden and in the differences.
    try workspace.write(
      Self.flows(server).replacing("fields: { id: integer }", with: "fields: { id: string }"), to: "flows/s.yaml")
    let recorded = try await workspace.start(["record", "-s", "s.bad"]).end()
    server.stop()
    #expect(Self.raw(recorded.stdout + recorded.stderr) == [])
    let cassette = "fixtures/s.bad/cassette.yaml"
    if let text = workspace.text(cassette) {
      try workspace.write(text.replacing("long-long-", with: "\\u001b[0mother-"), to: cassette)
    }
    for arguments in [["test"], ["test", "--diff", "full"], ["test", "--format", "json"], ["fixtures", "list"]] {
      let outcome = try await workspace.start(arguments).end()
      #expect(Self.raw(outcome.stdout + outcome.stderr) == [], "\(arguments)")
    }
  }
}
