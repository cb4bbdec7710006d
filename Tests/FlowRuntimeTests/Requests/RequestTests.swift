import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import Testing
import TestSupport

@Suite struct RequestTests {
  private static let top = """
    vars:
      n: { type: integer, default: 7 }
      ratio: { type: number, default: 1.50 }
      on: { type: boolean, default: true }
      since: { type: date, default: 2024-01-01 }
      region: eu west
    secrets: [TOKEN]
    """
  private static let inputs = FlowCompiler.Inputs(
    overrides: VariableOverrides(arguments: ["n": "12"], environment: ["REACTOR_VAR_REGION": "ä&b"]),
    secrets: ["TOKEN": Secret("s3cr3t-täken")], environment: ["STAGE": "p r/o"])

  /// The request that the server got.
  private func request(_ resource: String, http: String = "") async throws -> ScriptedServer.Request {
    var request: ScriptedServer.Request?
    try await Rig.with(ok("[]")) { rig in
      let run = await rig.run(
        try rig.flow("resource: \(resource)", top: Self.top, http: http, inputs: Self.inputs))
      #expect(run.error == nil)
      request = rig.server.requests.first
    }
    return try #require(request)
  }

  @Test func `a JSON body keeps the types of its variables`() async throws {
    let body = """
      { path: /q, method: POST, body: { json: { n: "{{ vars.n }}", ratio: "{{ vars.ratio }}", on: "{{ vars.on }}", \
      since: "{{ vars.since }}", text: "n={{ vars.n }}", region: "{{ vars.region }}", token: "{{ secrets.TOKEN }}", \
      stage: "{{ env.STAGE }}", code: '012', no: no, nothing: null, list: [1, 2.5, true, "{{ vars.n }}"], "a\\"b": {} } } }
      """
    let request = try await request(body)
    #expect(request.method == "POST")
    #expect(request["content-type"] == "application/json")
    #expect(request["content-length"] == "\(request.body.count)")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"n":12,"ratio":1.50,"on":true,"since":"2024-01-01","text":"n=12","region":"ä&b","token":"s3cr3t-täken","#
        + #""stage":"p r/o","code":"012","no":"no","nothing":null,"list":[1,2.5,true,12],"a\"b":{}}"#)
  }

  @Test func `a form is encoded as browsers do, in the order written`() async throws {
    let request = try await request(
      """
      { path: /q, method: POST, body: { form: { z: "a b+c&d=e%/*-._~", "k ey": "{{ vars.region }}", list: [1, "{{ vars.n }}"], \
      empty: '' } } }
      """)
    #expect(request["content-type"] == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "z=a+b%2Bc%26d%3De%25%2F*-._%7E&k+ey=%C3%A4%26b&list=1&list=12&empty=")
  }

  @Test func `a text is sent as it is`() async throws {
    let text = #"{ path: /q, method: PUT, body: { text: "line {{ vars.n }}\n\tä {{ secrets.TOKEN }}\n" } }"#
    let request = try await request(text)
    #expect(request.method == "PUT")
    #expect(request["content-type"] == "text/plain; charset=utf-8")
    #expect(String(decoding: request.body, as: UTF8.self) == "line 12\n\tä s3cr3t-täken\n")
  }

  @Test func `a declared content type is not replaced`() async throws {
    let request = try await request(
      "{ path: /q, method: POST, headers: { content-type: application/vnd.api+json }, body: { json: [] } }")
    #expect(request.fields.filter { $0.name == "content-type" }.map(\.value) == ["application/vnd.api+json"])
    #expect(String(decoding: request.body, as: UTF8.self) == "[]")
  }

  @Test func `path, query and headers are filled in and encoded`() async throws {
    let request = try await request(
      """
      { path: "/r/{{ env.STAGE }}/{{ vars.n }}", query: { since: "{{ vars.since }}", "q ä": [a&b, "{{ vars.region }}"] }, \
      headers: { X-Shop: "{{ vars.n }}", Accept: text/json } }
      """, http: #"headers: { X-Shop: file, X-Both: "1", Authorization: "Bearer {{ secrets.TOKEN }}" }"#)
    #expect(request.method == "GET")
    #expect(request.target == "/r/p%20r/o/12?since=2024-01-01&q%20%C3%A4=a%26b&q%20%C3%A4=%C3%A4%26b")
    #expect(request["x-shop"] == "12")
    #expect(request["x-both"] == "1")
    #expect(request["accept"] == "text/json")
    #expect(request["authorization"] == "Bearer s3cr3t-täken")
    #expect(request.body.isEmpty)
  }

  @Test func `a base URL's path and query stay`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let flow = try rig.flow(
        "resource: { path: /users, query: { page: 2 } }\nhttp: { base_url: \"\(rig.server.url)/api/v2?key=a%20b\" }")
      #expect(await rig.run(flow).error == nil)
      #expect(rig.server.requests.map(\.target) == ["/api/v2/users?key=a%20b&page=2"])
    }
  }

  @Test func `redirects are followed within the server`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        switch request.target {
        case "/users": [.text("HTTP/1.1 302 Found\r\nLocation: /b?x=1\r\nContent-Length: 0\r\n\r\n")]
        case "/b?x=1": [.text("HTTP/1.1 307 Temporary Redirect\r\nLocation: c\r\nContent-Length: 0\r\n\r\n")]
        default: ok(#"[{"id":1,"name":"A"}]"#)
        }
      }
      let flow = try rig.flow(
        "", top: "secrets: [TOKEN]", http: #"headers: { X-Token: "{{ secrets.TOKEN }}" }"#,
        inputs: .init(secrets: ["TOKEN": Secret("s3cr3t")]))
      #expect(await rig.run(flow).kept == 1)
      #expect(rig.server.requests.map(\.target) == ["/users", "/b?x=1", "/c"])
      #expect(rig.server.requests.map { $0["x-token"] } == ["s3cr3t", "s3cr3t", "s3cr3t"])
      // The result belongs to what was asked, not to where it led.
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a redirect to another server is refused, or followed without secrets`() async throws {
    let other = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n[{\"id\":1,\"name\":\"A\"}]")
    defer { other.stop() }
    try await Rig.with([
      .text("HTTP/1.1 302 Found\r\nLocation: \(other.url)/x\r\nContent-Length: 0\r\n\r\n")
    ]) { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["TOKEN": Secret("s3cr3t")])
      let headers = #"headers: { X-Token: "{{ secrets.TOKEN }}", X-Plain: "1" }"#
      let refused = await rig.run(try rig.flow("", top: "secrets: [TOKEN]", http: headers, inputs: inputs))
      #expect(refused.error?.kind == .server)
      #expect(other.requests.isEmpty)
      #expect(rig.files == [])

      let flow = try rig.flow("", top: "secrets: [TOKEN]", http: "redirects: any, \(headers)", inputs: inputs)
      #expect(await rig.run(flow).kept == 1)
      #expect(rig.server.requests.last?["x-token"] == "s3cr3t")
      #expect(other.requests.map { $0["x-token"] } == [nil])
      #expect(other.requests.map { $0["x-plain"] } == ["1"])

      let none = await rig.run(try rig.flow("http: { redirects: none }"), .fresh)
      #expect(none.error?.status == 302)
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
    }
  }

  @Test func `an endless redirect is an error`() async throws {
    try await Rig.with([.text("HTTP/1.1 302 Found\r\nLocation: /users\r\nContent-Length: 0\r\n\r\n")]) { rig in
      let run = await rig.run(try rig.flow())
      #expect(run.error?.kind == .server)
      #expect(rig.server.requests.count <= 11)
    }
  }

  @Test func `what a flow may reach is listed, explained and held to`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let inside = try rig.flow(http: "allow: [127.0.0.0/8, api.example.com]")
      #expect(await rig.run(inside, .fresh).error == nil)
      let item = inside.explanation.items.first { $0.heading == "  may reach" }
      #expect(item?.text == "only 127.0.0.0/8, api.example.com")
      let count = rig.server.acceptedConnections
      // Reachability, which is asked first, leaves the telling to the request.
      let outside = await rig.run(try rig.flow(http: "allow: [api.example.com]"), .fresh)
      #expect(outside.message.contains("the host has the address 127.0.0.1, which 'http.allow' does not list"))
      #expect(outside.error?.kind == .server)
      let linkLocal = try rig.flow("http: { base_url: \"http://169.254.169.254\" }\nresource: /latest")
      let refused = await rig.run(linkLocal, .fresh)
      #expect(refused.message.contains("link-local address 169.254.169.254"))
      #expect(refused.message.contains("allow: [169.254.169.254]"))
      #expect(rig.server.acceptedConnections == count)
    }
  }
}
