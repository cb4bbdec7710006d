import FlowCompiler
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Parts of a request that are left out while `{{ optional(…) }}` has no value.
@Suite struct OptionalPartTests {
  private static let top = """
    vars:
      since: { type: date }
      name: { default: '' }
      ids: { type: list, default: '' }
      limit: { type: integer }
    secrets: [TOKEN]
    """

  private func requests(
    _ resource: String, given: [String: String] = [:], secrets: [String: Secret] = [:]
  ) async throws -> [ScriptedServer.Request] {
    var requests: [ScriptedServer.Request] = []
    try await Rig.with(ok("[{\"id\":1,\"name\":\"a\"}]")) { rig in
      let flow = try rig.flow(
        "resource: \(resource)", top: Self.top,
        inputs: .init(overrides: VariableOverrides(arguments: given), secrets: secrets))
      #expect(await rig.run(flow).message == "")
      requests = rig.server.requests
    }
    return requests
  }

  @Test(arguments: [
    (
      ["since": "2026-01-31", "name": "a b", "ids": "1,2", "limit": "0"],
      "/a?since=2026-01-31&name=a%20b&ids=1&ids=2&limit=0&x=1"
    ),
    ([:], "/a?x=1"), (["name": "", "ids": " "], "/a?x=1"), (["limit": "5"], "/a?limit=5&x=1"),
  ])
  func `a query parameter without a value is left out`(_ given: [String: String], _ target: String) async throws {
    let query = ["since", "name", "ids", "limit"].map { "\($0): \"{{ optional(vars.\($0)) }}\"" }
    let found = try await requests("{ path: /a, query: { \(query.joined(separator: ", ")), x: 1 } }", given: given)
    #expect(found.map(\.target) == [target])
  }

  @Test(arguments: [
    ("!has(page.token)", "{ by: cursor, from: $.next, query: token }", ["/a?since=5", "/a?token=n"]),
    ("page.offset == 0", "{ by: offset, query: o }", ["/a?since=5&o=0", "/a?o=1"]),
    ("page.number == 3", "{ by: page, query: p, start: 3 }", ["/a?since=5&p=3", "/a?p=4"]),
  ])
  func `a parameter of the first page is left out of further ones`(
    _ test: String, _ pages: String, _ targets: [String]
  ) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        ok(
          request.target.contains("since=5")
            ? #"{"data":[{"id":1,"name":"a"}],"next":"n"}"# : #"{"data":[],"next":null}"#)
      }
      let flow = try rig.flow(
        """
        resource: { path: /a, query: { since: "{{ optional(\(test) ? 5 : null) }}" } }
        records: $.data
        pages: \(pages)
        """)
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == targets)
    }
  }

  @Test(arguments: [("", nil), ("t0ken", "Bearer t0ken")])
  func `a header without a value is left out`(_ secret: String, _ sent: String?) async throws {
    let found = try await requests(
      "{ path: /a, headers: { X-Token: \"{{ optional(secrets.TOKEN == '' ? '' : 'Bearer ' + secrets.TOKEN) }}\" } }",
      secrets: ["TOKEN": Secret(secret)])
    #expect(found.first?["X-Token"] == sent)
  }

  @Test func `a secret that is not set is left out`() async throws {
    let found = try await requests("{ path: /a, headers: { X-Token: \"{{ optional(secrets.TOKEN) }}\" } }")
    #expect(found.count == 1)
    #expect(found.first?["X-Token"] == nil)
  }

  @Test(arguments: [
    (
      ["since": "2026-01-31", "ids": "1,2"],
      #"{"filter":{"since":"2026-01-31"},"ids":["1","2"],"any":["2026-01-31",1]}"#
    ),
    ([:], #"{"filter":{},"any":[1]}"#),
  ])
  func `a member or element of a JSON body without a value is left out`(
    _ given: [String: String], _ body: String
  ) async throws {
    let since = "\"{{ optional(vars.since) }}\""
    let found = try await requests(
      """
      { method: POST, path: /a, body: { json: { filter: { since: \(since) }, ids: "{{ optional(vars.ids) }}", \
      any: [\(since), 1] } } }
      """, given: given)
    #expect(found.map { String(decoding: $0.body, as: UTF8.self) } == [body])
  }

  @Test(arguments: [([:], "b=1"), (["name": "x y"], "name=x+y&b=1")])
  func `a pair of a form without a value is left out`(_ given: [String: String], _ body: String) async throws {
    let found = try await requests(
      "{ method: POST, path: /a, body: { form: { name: \"{{ optional(vars.name) }}\", b: 1 } } }", given: given)
    #expect(found.map { String(decoding: $0.body, as: UTF8.self) } == [body])
  }

  @Test func `parts that differ from request to request are left out one by one`() async throws {
    try await Rig.with(ok("[{\"id\":1,\"name\":\"a\"}]")) { rig in
      let parents = """
        {"id":1,"a":"x","b":null,"c":[]}
        {"id":2,"b":0,"c":["p","q"]}
        {"id":3,"a":"","b":"y"}

        """
      try rig.scratch.write(parents.utf8, to: "parents.jsonl")
      let flow = try rig.flow(
        """
        each: { file: parents.jsonl, as: p, concurrency: 1 }
        resource:
          method: POST
          path: "/children/{{ p.id }}"
          query: { a: "{{ optional(p.a) }}", c: "{{ optional(p.c) }}" }
          headers: { X-B: "{{ optional(p.b) }}" }
          body: { json: { a: "{{ optional(p.a) }}", list: ["{{ optional(p.b) }}"] } }
        """)
      #expect(await rig.run(flow).message == "")
      let sent = rig.server.requests
      #expect(sent.map(\.target) == ["/children/1?a=x", "/children/2?c=p&c=q", "/children/3"])
      #expect(sent.map { $0["X-B"] } == [nil, "0", "y"])
      #expect(
        sent.map { String(decoding: $0.body, as: UTF8.self) } == [
          #"{"a":"x","list":[]}"#, #"{"list":[0]}"#, #"{"list":["y"]}"#,
        ])
    }
  }

  @Test func `parts without a value in the whole run are left out of requests that are built while it runs`()
    async throws
  {
    let found = try await requests(
      """
      { method: POST, path: "/a/{{ value }}", query: { since: "{{ optional(vars.since) }}", n: "{{ value }}" }, \
      headers: { X-Since: "{{ optional(vars.since) }}", X-Name: "{{ optional(vars.name) }}" }, \
      body: { json: { since: "{{ optional(vars.since) }}", list: ["{{ optional(vars.name) }}", "{{ value }}"] } } }
      each: { values: [7] }
      """, given: ["name": "x"])
    #expect(found.map(\.target) == ["/a/7?n=7"])
    #expect(found.first?["X-Since"] == nil)
    #expect(found.first?["X-Name"] == "x")
    #expect(found.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"list":["x",7]}"#])
  }

  @Test(arguments: [
    "path: \"/a/{{ optional(vars.name) }}\"", "path: /a, query: { a: \"x {{ optional(vars.name) }}\" }",
    "path: /a, query: { a: \"{{ optional(vars.name) + 'x' }}\" }",
    "method: POST, path: /a, body: { json: \"{{ optional(vars.name) }}\" }",
    "method: POST, path: /a, body: { text: \"{{ optional(vars.name) }}\" }",
    "path: /a, headers: { X-A: \"{{ optional(vars.ids) }}\" }",
  ])
  func `elsewhere nothing is left out silently`(_ resource: String) async throws {
    try await Rig.with { rig in
      let found = rig.compile(rig.text("resource: { \(resource) }", top: Self.top)).diagnostics
      #expect(found.diagnostics.count == 1)
      #expect(found.hasErrors)
    }
  }

  @Test func `a GET request has a body when its method is written`() async throws {
    let found = try await requests("{ method: GET, path: /a, body: { json: { query: all } } }")
    #expect(found.map { "\($0.method) \(String(decoding: $0.body, as: UTF8.self))" } == [#"GET {"query":"all"}"#])
    #expect(found.first?["Content-Type"] == "application/json")
  }
}
