import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Requests whose URL a record gives.
@Suite struct RecordURLTests {
  private static func flow(_ rig: Rig, _ urls: [String], _ keys: String = "", http: String = "") throws -> DeclaredFlow
  {
    let lines = urls.enumerated().map { #"{"id":\#($0.offset),"url":"\#($0.element)"}"# + "\n" }.joined()
    try rig.scratch.write(lines.utf8, to: "links.jsonl")
    let resource = keys.contains("resource:") ? "" : "resource: { url: \"{{ link.url }}\" }"
    return try rig.flow(
      "each: { file: links.jsonl, as: link, on_error: fail }\n\(resource)\n\(keys)", top: "secrets: [T, K]",
      http: "auth: { bearer: \"{{ secrets.T }}\" }, headers: { X-Key: \"{{ secrets.K }}\", X-Plain: a }"
        + (http.isEmpty ? "" : ", " + http),
      inputs: .init(secrets: ["T": Secret("token-1234"), "K": Secret("key-1234")]))
  }

  @Test func `a URL is requested as it is, and credentials go to the own origin alone`() async throws {
    let store = try ScriptedServer { _ in ok(#"[{"id":2,"name":"b"}]"#) }
    defer { store.stop() }
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let urls = ["\(rig.server.url)/x%20y?a=b%2Fc", "/relative", "\(store.url)/z?signature=s%3D1"]
      let run = await rig.run(try Self.flow(rig, urls))
      #expect(run.message == "")
      #expect(rig.server.requests.map(\.target).sorted() == ["/relative", "/x%20y?a=b%2Fc"])
      #expect(
        rig.server.requests.allSatisfy { $0["authorization"] == "Bearer token-1234" && $0["x-key"] == "key-1234" })
      #expect(store.requests.map(\.target) == ["/z?signature=s%3D1"])
      #expect(store.requests.allSatisfy { $0["authorization"] == nil && $0["x-key"] == nil && $0["x-plain"] == "a" })
    }
  }

  @Test(arguments: [
    "query: { key: \"{{ secrets.K }}\" }", "query: { key: \"{{ replace(secrets.K, '-', '') }}\" }",
    "query: { key: \"{{ secrets.K }}\" }, unescaped: [key]",
  ])
  func `a secret in the URL goes to the own origin alone`(_ query: String) async throws {
    let store = try ScriptedServer { _ in ok(#"[{"id":2,"name":"b"}]"#) }
    defer { store.stop() }
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      func flow(_ url: String) throws -> DeclaredFlow {
        try rig.scratch.write(#"{"url":"\#(url)"}"#.utf8, to: "links.jsonl")
        let keys =
          "each: { file: links.jsonl, as: link, on_error: fail }\nresource: { url: \"{{ link.url }}\", \(query) }"
        // A secret in a URL is a warning.
        return try #require(
          rig.compile(rig.text(keys, top: "secrets: [K]"), inputs: .init(secrets: ["K": Secret("key-1234")])).flows
            .first)
      }
      #expect(await rig.run(try flow("\(rig.server.url)/x")).message == "")
      #expect(rig.server.requests.count == 1)
      let run = await rig.run(try flow("\(store.url)/steal"), .fresh)
      #expect(run.message.contains("would send a secret in its URL to http://127.0.0.1:"), "\(run.message)")
      #expect(!run.message.contains("1234") && run.error?.help != nil)
      #expect(store.requests.isEmpty)
    }
  }

  @Test func `a query is added, and pages go on from there`() async throws {
    try await Rig.with { rig in
      rig.answer { request in ok(request.target.contains("page=1") ? #"[{"id":1,"name":"a"}]"# : "[]") }
      let keys = """
        resource: { url: "{{ link.url }}", query: { page: "{{ page.number }}" } }
        pages: { by: page, max: 9 }
        """
      let flow1 = try Self.flow(rig, ["/a?b=c"], keys)
      #expect(await rig.run(flow1).message == "")
      #expect(rig.server.requests.map(\.target) == ["/a?b=c&page=1", "/a?b=c&page=2"])
    }
  }

  @Test(arguments: [
    ("ftp://a.example/x", "has the scheme 'ftp', which is refused"),
    ("http://me:pw@a.example/", "contains user information, which is refused"), ("http://", "is not a URL"),
    ("file:///etc/passwd", "has the scheme 'file', which is refused"),
    ("http://169.254.169.254/latest", "link-local"), ("", "the link that 'resource.url' gives is empty"),
  ])
  func `other URLs are refused`(_ url: String, _ words: String) async throws {
    try await Rig.with { rig in
      let run = await rig.run(try Self.flow(rig, [url]))
      #expect(run.message.contains(words), "\(run.message)")
      #expect(rig.server.requests.isEmpty && rig.result == nil)
    }
  }

  @Test func `messages show the URL without its query`() async throws {
    try await Rig.with(answer("500 Oh No", "no")) { rig in
      let run = await rig.run(try Self.flow(rig, ["/a?signature=s1"]))
      #expect(run.message.contains("GET \(rig.server.url)/a: "), "\(run.message)")
      #expect(!run.message.contains(": GET \(rig.server.url)/a?signature"))
    }
  }

  @Test func `a variable can give the URL`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(
        "resource: { url: \"{{ vars.link }}\" }", top: "vars: { link: { type: string, default: /a?b=c } }")
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == ["/a?b=c"])
      let bad = rig.compile(
        rig.text(
          "resource: { url: \"{{ vars.link }}\" }", top: "vars: { link: { type: string, default: \"ftp://a\" } }"))
      #expect(
        bad.diagnostics.diagnostics.map(\.message) == [
          "the link that 'resource.url' gives has the scheme 'ftp', which is refused"
        ])
    }
  }

  @Test func `a login needs a path`() async throws {
    try await Rig.with { rig in
      let login = "login: { resource: { url: \"{{ vars.link }}\" }, token: $.token }"
      let problems = rig.compile(rig.text("auth: { \(login) }", top: "vars: { link: /a }")).diagnostics.diagnostics
      #expect(problems.map(\.message) == ["a login is sent to the server of 'http.base_url'"])
    }
  }
}
