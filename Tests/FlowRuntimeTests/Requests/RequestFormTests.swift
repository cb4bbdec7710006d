import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Forms of requests beyond a path with a query: URI templates, GraphQL, pages named in templates.
@Suite struct RequestFormTests {
  private static let one = "{\"data\":[{\"id\":1,\"name\":\"a\"}]}"
  private static let usual = "records: $.data[*]\n"

  @Test(arguments: [("GET", "{}", 0), ("GET", "{ a: 1 }", 7), ("POST", "{}", 2)])
  func `an empty object is no body of a GET`(_ method: String, _ body: String, _ bytes: Int) async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let resource = "resource: { method: \(method), path: /x, body: { json: \(body) } }"
      #expect(await rig.run(try rig.flow(Self.usual + resource)).message == "")
      let request = try #require(rig.server.requests.first)
      #expect(request.body.count == bytes && (request["content-type"] == nil) == (bytes == 0))
    }
  }

  @Test(arguments: [
    ("/a/{id}/b", "id: 7", "/a/7/b"), ("/a/{id}", "id: x/y z", "/a/x%2Fy%20z"),
    ("/a/{+id}", "id: x/y", "/a/x/y"), ("/a/{id:3}", "id: abcdef", "/a/abc"),
    ("/a{?id,size}", "id: 1, size: 2", "/a?id=1&size=2"), ("/a{?tag*}", "tag: [x, y]", "/a?tag=x&tag=y"),
    ("/a{/list*}", "list: [x, y]", "/a/x/y"), ("/a/{list}", "list: [x, y]", "/a/x,y"),
    ("/{{ vars.region }}/{id}", "id: '{{ upper(vars.region) }}'", "/eu/EU"), ("/a/{id}", "id: é", "/a/%C3%A9"),
    ("/a/{id}", "id: ä&b=?#", "/a/%C3%A4%26b%3D%3F%23"),
  ])
  func `braces in a path are a URI template over params`(_ path: String, _ params: String, _ target: String)
    async throws
  {
    try await Rig.with(ok(Self.one)) { rig in
      let flow = try rig.flow(
        Self.usual + "resource: { path: \"\(path)\", params: { \(params) } }", top: "vars: { region: eu }")
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(rig.server.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [
    ("\"{{ vars.ids }}\"", "1, 2", "/users?ids=1&ids=2"), ("\"{{ vars.ids }}\"", "", "/users"),
    ("\"{{ vars.ids.map(i, i + 'x') }}\"", "1,2", "/users?ids=1x&ids=2x"),
    ("\"{{ join(vars.ids, '+') }}\"", "1,2", "/users?ids=1%2B2"),
    ("[a, \"{{ vars.ids }}\"]", "b", "/users?ids=a&ids=b"),
  ])
  func `a list repeats its parameter, and an empty one leaves it out`(
    _ value: String, _ given: String, _ target: String
  ) async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let flow = try rig.flow(
        Self.usual + "resource: { path: /users, query: { ids: \(value) } }",
        top: "vars: { ids: { type: list, default: '' } }",
        inputs: .init(overrides: VariableOverrides(arguments: ["ids": given])))
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [
    ("/a{?b,c}", "b: '', c: 1", "/a?b=&c=1"), ("/a{?b,c}", "b: '{{ vars.none }}', c: 1", "/a?c=1"),
    ("/a{?c}{&b}", "b: '', c: 1", "/a?c=1&b="),
  ])
  func `an empty value in a query follows RFC 6570`(_ path: String, _ params: String, _ target: String) async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let flow = try rig.flow(
        Self.usual + "resource: { path: \"\(path)\", params: { \(params) } }",
        top: "vars: { none: { type: list, default: '' } }")
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [("", "none", ""), ("x", nil, "secret 'TOKEN' has no value")])
  func `a secret in a branch that is not taken need not be set`(
    _ variable: String, _ sent: String?, _ message: String
  ) async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let text = rig.text(
        Self.usual + "resource: { path: /users, headers: { X-T: \"{{ vars.v == '' ? 'none' : secrets.TOKEN }}\" } }",
        top: "vars: { v: '' }\nsecrets: [TOKEN]")
      let compilation = rig.compile(
        text, inputs: .init(overrides: VariableOverrides(arguments: ["v": variable])))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == (message.isEmpty ? [] : [message]))
      if let flow = compilation.flows.first { _ = await rig.run(flow) }
      #expect(rig.server.requests.first?["X-T"] == sent)
    }
  }

  @Test func `an empty value makes no other path`() async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let text = rig.text(
        "resource: { path: \"/a/{id}\", params: { id: \"{{ vars.region }}\" } }", top: "vars: { region: '' }")
      #expect(rig.compile(text).diagnostics.diagnostics.map(\.code.rawValue) == ["expression.value"])
      #expect(rig.server.requests.isEmpty)
    }
  }

  @Test(arguments: ["../../admin", "a/../../b", "..", "%2e%2e"])
  func `a value cannot leave its segment`(_ value: String) async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let keys = Self.usual + "resource: { path: \"/a/{{ value }}/c\" }\neach: { values: ['\(value)'] }"
      let run = await rig.run(try rig.flow(keys))
      for request in rig.server.requests {
        #expect(request.target.hasPrefix("/a/") && request.target.hasSuffix("/c"))
        #expect(!request.target.contains("/../"))
      }
      if value == ".." { #expect(run.error != nil) }
    }
  }

  // MARK: - GraphQL

  @Test func `a GraphQL request is a document with variables of their own types`() async throws {
    try await Rig.with(ok(Self.one)) { rig in
      let flow = try rig.flow(
        Self.usual + """
          resource:
            method: POST
            path: /graphql
            body:
              graphql:
                query: |
                  query Users($n: Int) { users(first: $n) { id } }
                name: Users
                variables: { n: "{{ vars.size }}", region: eu }
          """, top: "vars: { size: { type: integer, default: 5 } }")
      #expect(await rig.run(flow).kept == 1)
      let request = try #require(rig.server.requests.first)
      #expect(request["Content-Type"] == "application/json")
      let json = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
      #expect(json["query"] as? String == "query Users($n: Int) { users(first: $n) { id } }\n")
      #expect(json["operationName"] as? String == "Users")
      #expect((json["variables"] as? [String: Any])?["n"] as? Int == 5)
    }
  }

  @Test(arguments: [
    "{\"data\":null,\"errors\":[{\"message\":\"no such field\"}]}",
    "{\"data\":[{\"id\":1,\"name\":\"a\"}],\"errors\":[{\"message\":\"no such field\"}]}",
    "{\"errors\":[{\"message\":\"no such field\"}]}",
  ])
  func `errors in a GraphQL answer fail the flow whatever its status`(_ body: String) async throws {
    try await Rig.with(ok(body)) { rig in
      let flow = try rig.flow(
        Self.usual + "resource: { method: POST, path: /graphql, body: { graphql: \"{ a }\" } }")
      let run = await rig.run(flow)
      #expect(run.message == "the response contains an error: no such field")
      #expect(rig.files == [])
    }
  }

  @Test func `a wrong record path of a GraphQL flow is still found`() async throws {
    try await Rig.with(ok("{\"data\":{\"users\":[]},\"errors\":[]}")) { rig in
      let flow = try rig.flow(
        "records: $.data.usres[*]\nresource: { method: POST, path: /graphql, body: { graphql: \"{ a }\" } }")
      #expect(await rig.run(flow).message.contains("contains nothing at $.data.usres"))
    }
  }

  // MARK: - Pages by expression

  @Test func `an expression makes the next token from the last record`() async throws {
    let feed = PagesTests.Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let json = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
        let start = (json?["key"] as? String).flatMap { Data(base64Encoded: $0) }.flatMap {
          Int(String(decoding: $0, as: UTF8.self))
        }
        return ok(feed.page(from: start ?? -9, (start ?? 0) + 10 < 25 ? "\"more\":true" : ""))
      }
      let flow = try rig.flow(
        Self.usual + """
          resource: { method: POST, path: /range, body: { json: { key: "{{ coalesce(page.token, 'MA==') }}" } } }
          pages:
            by: cursor
            next: "has(response.more) ? base64_encode(string(last.id + 1)) : null"
          """)
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 25)
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `templates may hold the offset, and past the end the list may be left out`() async throws {
    let feed = PagesTests.Feed(records: 20, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let query = PagesTests.query(request)["q"] ?? ""
        let start = query.split(separator: " ").last.flatMap { Int($0) } ?? -9
        return ok(start < 20 ? feed.page(from: start, "\"results\":1") : "{\"results\":1}")
      }
      let flow = try rig.flow(
        Self.usual + """
          resource: { path: /query, query: { q: "SELECT * LIMIT 10 OFFSET {{ page.offset }}" } }
          pages: { by: offset }
          """)
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 20)
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a wrong record path is found on the first page of counted pages`() async throws {
    try await Rig.with(ok("{\"items\":[]}")) { rig in
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p }"))
      #expect(run.message.contains("contains nothing at $.data"))
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test func `an expression stops the pull`() async throws {
    let feed = PagesTests.Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { ok(feed.page(from: (Int(PagesTests.query($0)["p"] ?? "") ?? -9) * 10 - 10)) }
      let flow = try rig.flow(Self.usual + "pages: { by: page, query: p, stop: \"page.records < 10\" }")
      #expect(await rig.run(flow).kept == 25)
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a token that is an object goes back as one`() async throws {
    let feed = PagesTests.Feed(records: 15, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let json = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
        let start = ((json?["start"] as? [String: Any])?["id"] as? Int) ?? 0
        return ok(feed.page(from: start, start == 0 ? "\"last\":{\"id\":10}" : ""))
      }
      let flow = try rig.flow(
        Self.usual + """
          resource: { method: POST, path: /, body: { json: { limit: 10 } } }
          pages: { by: cursor, from: $.last, body: $.start }
          """)
      #expect(await rig.run(flow).kept == 15)
    }
  }
}
