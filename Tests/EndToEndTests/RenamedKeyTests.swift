import Foundation
import TestSupport
import Testing

/// Keys by the names of earlier versions: an error that names the present one, and `check --fix`.
@Suite(.timeLimit(.minutes(3))) struct RenamedKeyTests {
  private static let old = """
    reactor: 1
    http: { base_url: https://api.example.com }
    flows:
      report:
        resource: { method: POST, path: /reports }  # creates the job
        retry: { max: 2, honour: none }
        job:
          id: response.id
          poll: "/reports/{{ job.id }}"
          "every": 2s
          max_every:   1m   # no longer than this
          done: response.done
          download: "/reports/{{ job.id }}/file"
        schema: { fields: { id: integer } }
        persistence: out/report.jsonl

    """

  @Test func `earlier names are errors that name the present ones, and --fix writes them`() async throws {
    let workspace = try Workspace()
    try workspace.write(Self.old, to: "flows/a.yaml")
    let checked = try await workspace.reactor("check")
    #expect(checked.status == 3)
    #expect(checked.stderr.contains("flows/a.yaml:6:22: error: 'honour' is now written 'follow' [flow.renamed-key]"))
    #expect(checked.stderr.contains("help: write 'follow'; 'reactor check --fix' corrects the files"))
    #expect(checked.stderr.contains("3 errors in 1 file"), "\(checked.stderr)")
    let fixed = try await workspace.reactor("check", "--fix")
    #expect(fixed.status == 0, "\(fixed.stderr)")
    #expect(fixed.stderr.contains("note: flows/a.yaml: 3 keys renamed"))
    let present = Self.old.replacingOccurrences(of: "honour:", with: "follow:")
      .replacingOccurrences(of: "\"every\":", with: "wait:").replacingOccurrences(of: "max_every:", with: "max_wait:")
    #expect(workspace.text("flows/a.yaml") == present)
    let again = try await workspace.reactor("check", "--fix")
    #expect(again.status == 0 && again.stderr.isEmpty)
    #expect(workspace.text("flows/a.yaml") == present)
  }

  /// A flow by an earlier version and by this one: the parts of a value that went to another place.
  private static let rewritten: [(old: String, new: String)] = [
    (
      """
      pages: { by: next_url, from_header: Next-Page, max: 9 }
      """,
      """
      pages: { by: next_url, from: headers.Next-Page, max: 9 }
      """
    ),
    (
      """
      pages:
        by: offset
        query: o
        size: 9   # per page
        size_query: n
        least_size: 3  # as few as this
        short: end
      errors: [{ when: status == 413, do: shrink }]
      """,
      """
      pages:
        by: offset
        query: o
        size: { max: 9, min: 3 }   # per page
        size_query: n
        short: end
      errors: [{ when: status == 413, do: shrink }]
      """
    ),
    (
      """
      cursor: { field: at, start: 2024-01-01, end: now, query: since, end_query: until, missing: reject }
      """,
      """
      cursor: { field: at, start: 2024-01-01, end: now, query: { start: since, end: until }, optional: false }
      """
    ),
    (
      """
      cursor: { field: at, start: 2024-01-01, end_query: until, query: since }
      """,
      """
      cursor: { field: at, start: 2024-01-01, query: { start: since, end: until } }
      """
    ),
    (
      """
      auth: { oauth2: { url: https://a.example/t, client_id: a, audience: "https://a b", grant: client_credentials } }
      """,
      """
      auth: { oauth2: { url: https://a.example/t, client_id: a, params: { audience: "https://a b" }, grant: client_credentials } }
      """
    ),
    (
      """
      auth: { login: { resource: /session, token_header: X-Token } }
      """,
      """
      auth: { login: { resource: /session, token: headers.X-Token } }
      """
    ),
    (
      """
      fixture: { match: { ignore_body: true, headers: [Accept] } }
      """,
      """
      fixture: { match: { body: false, headers: [Accept] } }
      """
    ),
  ]

  @Test(arguments: rewritten.indices)
  func `a key that became part of another one is written there`(_ index: Int) async throws {
    let (old, new) = Self.rewritten[index]
    func file(_ keys: String) -> String {
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        a:
          resource: /a
          schema: { key: id, fields: { id: integer, at: timestamp } }
          persistence: { path: out/a.jsonl, mode: merge }
      \(keys.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))

      """
    }
    let workspace = try Workspace()
    try workspace.write(file(old), to: "flows/a.yaml")
    let checked = try await workspace.reactor("check")
    #expect(checked.status == 3 && !checked.stderr.contains("is missing"), "\(checked.stderr)")
    let fixed = try await workspace.reactor("check", "--fix")
    #expect(fixed.status == 0, "\(fixed.stderr)")
    #expect(workspace.text("flows/a.yaml") == file(new))
  }

  @Test func `what a program cannot rewrite is said, and the file stays`() async throws {
    let workspace = try Workspace()
    let text = """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        a:
          resource: /a
          auth: { oauth2: { url: https://a.example/t, client_id: a, audience: b, params: { c: d } } }
          persistence: out/a.jsonl

      """
    try workspace.write(text, to: "flows/a.yaml")
    let fixed = try await workspace.reactor("check", "--fix")
    #expect(fixed.status == 3)
    #expect(
      fixed.stderr.contains("6:63: error: 'audience' is now written 'params: { audience: … }' [flow.renamed-key]"),
      "\(fixed.stderr)")
    #expect(workspace.text("flows/a.yaml") == text)
  }
}
