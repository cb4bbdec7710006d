import Foundation
import TestSupport
import Testing

/// All that a flow would do, told of one that uses most of the language.
@Suite(.timeLimit(.minutes(2))) struct ExplainTests {
  private static let flows = """
    reactor: 1
    secrets: [TOK, REFRESH]
    http:
      base_url: "http://127.0.0.1:1"
      rate: 5/s
      allow: ["127.0.0.1"]
      auth:
        oauth2:
          grant: refresh_token
          url: "http://127.0.0.1:1/token"
          client_id: me
          client_secret: "{{ secrets.TOK }}"
          refresh_token: "{{ secrets.REFRESH }}"
          single_use: true
    schemas: { item: { key: id, fields: { id: integer, t: timestamp, name: { from: $.n, type: string } } } }
    flows:
      parents: { resource: /parents }
      each:
        resource: { path: "/children/{{ parent.id }}", headers: { X-Key: "{{ secrets.TOK }}" } }
        each: { flow: parents, concurrency: 4, on_error: fail }
        pages: { by: page, query: page, partial: keep }
        retry: { max: 4, on: [429, 5xx, timeout], wait: 2s }
        errors: [{ when: "status == 404", do: skip }]
        expect: { min: 1 }
        schema: item
        prune: true
        rejected: out/each.bad.jsonl
        cursor: { field: t, start: 2023-12-01, query: since }
        persistence: { path: out/each.jsonl, mode: merge, expires_after: 1h }
      append: { resource: /parents, persistence: { path: out/append.jsonl, mode: append } }
      plain: { resource: /parents, persistence: { path: out/plain.jsonl, expires_after: 1h } }

    """

  private static let environment = ["TOK": "tea-for-two-4711", "REFRESH": "two-for-tea-1174"]

  /// Headings and what they must tell.
  private static let told: [(heading: String, words: [String])] = [
    ("declared in", ["flows/s.yaml:18"]), ("each", ["s.parents as parent"]),
    ("partitions", ["4 at once", "fails the flow"]), ("1 persistence", ["out/each.jsonl", "younger than 3600 s"]),
    ("now", ["nothing persisted yet"]), ("2 reachability", ["http://127.0.0.1:1"]),
    ("3 request", ["GET http://127.0.0.1:1/children/{parent.id}"]), ("header", ["X-Key", "{{ secrets.TOK }}"]),
    ("auth", ["oauth2 refresh_token", "{{ secrets.REFRESH }} or the newer one in .reactor/auth/", "Authorization"]),
    ("cursor", ["greatest t", "at first 2023-12-01"]), ("now", ["since=2023-12-01T00:00:00Z"]),
    ("accepts", ["200-299"]), ("limits", ["60 s in all", "bytes decoded", "same_origin"]),
    ("retries", ["at most 4 times", "429, 500-599, timeout"]), ("errors", ["skip when status == 404"]),
    ("rate", ["5 requests in 1 s"]), ("transfer", ["connecting 10 s", "JSON nesting 256"]),
    ("may reach", ["127.0.0.1"]), ("4 records", ["read as a stream"]), ("bad records", ["left out and reported"]),
    ("persisted in", ["out/each.bad.jsonl"]), ("schema", ["item"]), ("field", ["id: integer from $.id"]),
    ("field", ["t: timestamp from $.t"]), ("field", ["name: string from $.n"]),
    ("pages", ["by number", "persisted in part"]), ("5 expect", ["at least 1"]),
    ("6 save", ["out/each.jsonl", "merged by id", "the flow waits for the save"]),
  ]

  @Test func `every part of the language that applies is shown, in order, without a secret`() async throws {
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/s.yaml")
    let outcome = try await workspace.reactor("explain", "s.each", environment: Self.environment)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    var lines = outcome.stdout.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }[...]
    for (heading, words) in Self.told {
      let found = lines.firstIndex { line in line.hasPrefix(heading + " ") && words.allSatisfy { line.contains($0) } }
      guard let found else {
        Issue.record("no line '\(heading)' with \(words) in its place:\n\(outcome.stdout)")
        continue
      }
      lines = lines[(found + 1)...]
    }
    for secret in Self.environment.values {
      #expect(!outcome.stdout.contains(secret) && !outcome.stderr.contains(secret))
    }
    let append = try await workspace.reactor("explain", "s.append", environment: Self.environment)
    #expect(append.stdout.contains("after the existing records"), "\(append.stdout)")
  }

  @Test func `a dry run of it shows the requests, their order and their parents`() async throws {
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/s.yaml")
    let outcome = try await workspace.reactor("run", "-n", "-s", "s.each", environment: Self.environment)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let lines = outcome.stdout.split(separator: "\n")
    #expect(lines.count == 3, "\(outcome.stdout)")
    #expect(lines.first?.hasPrefix("s.parents  ask   GET http://127.0.0.1:1/parents [oauth2]") == true)
    #expect(lines.first?.hasSuffix("(as a parent)") == true)
    #expect(lines.dropFirst().first?.contains("since=2023-12-01T00:00:00Z [oauth2]") == true, "\(outcome.stdout)")
    #expect(lines.dropFirst().first?.hasSuffix("-> out/each.jsonl  <- s.parents") == true, "\(outcome.stdout)")
    for secret in Self.environment.values { #expect(!outcome.stdout.contains(secret)) }
  }

  @Test(arguments: ["explain s.each", "explain s.append", "run --dry-run", "run --dry-run --format json"])
  func `no socket is opened and nothing is written`(arguments: String) async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      print("skipped: no socket is opened: there is no strace")
      return
    }
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/s.yaml")
    let line = "strace -f -o trace -e trace=socket,connect,sendto,sendmsg \"$REACTOR\" \(arguments); echo done >> trace"
    let outcome = try await workspace.shell(line, environment: Self.environment)
    guard !outcome.stderr.contains("ptrace") else {
      print("skipped: no socket is opened: this machine does not let strace look")
      return
    }
    let trace = try #require(workspace.text("trace"))
    #expect(trace.contains("exited with 0"), "\(trace)\(outcome.stderr)")
    #expect(!trace.contains("socket(") && !trace.contains("connect("), "\(trace)")
    #expect(workspace.files(hidden: true) == ["flows/s.yaml", "trace"])
  }
}
