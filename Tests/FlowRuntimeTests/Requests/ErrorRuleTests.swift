import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// What `errors` says about answers, against a server; the clock moves on by what is waited.
@Suite struct ErrorRuleTests {
  private static let record = #"[{"id":1,"name":"Ada"}]"#

  @Test func `the first rule that applies fails the flow with its message`() async throws {
    try await Rig.with(answer("402 Payment Required", #"{"detail":"no credit"}"#, ["X-Plan: free"])) { rig in
      let run = await rig.run(
        try rig.flow(
          """
          reachability: false
          errors:
            - { when: status == 404, do: skip }
            - { when: "status in [402, 403]", do: fail, message: "{{ response.detail }} ({{ status }}, {{ coalesce(headers['x-plan'], '-') }})" }
            - { when: status == 402, do: skip }
          """))
      #expect(run.error == .server("no credit (402, free)", status: 402))
      #expect(rig.server.requests.count == 1)
      #expect(rig.result == nil)
    }
  }

  @Test func `a response of status 200 that is an error is none`() async throws {
    try await Rig.with(ok(#"{"ok":false,"data":[]}"#)) { rig in
      let run = await rig.run(
        try rig.flow(
          "reachability: false\nrecords: $.data\nerrors: [{ when: response.ok == false, do: fail }]"))
      #expect(run.message == "the response is an error according to the rule 'response.ok == false' (status 200)")
      rig.answer(ok(#"{"ok":true,"data":[{"id":1,"name":"Ada"}]}"#))
      let right = await rig.run(
        try rig.flow(
          "reachability: false\nrecords: $.data\nerrors: [{ when: response.ok == false, do: fail }]"))
      #expect(right.kept == 1)
    }
  }

  @Test func `a rule asks again for what the policy would not, as often as it allows`() async throws {
    try await Rig.with(ok(#"{"state":"indexing"}"#)) { rig in
      let keys =
        "reachability: false\nretry: { max: 2, on: [599] }\nerrors: [{ when: response.state == 'indexing', do: retry }]"
      let run = await rig.run(try rig.flow(keys))
      #expect(run.error?.kind == .server)
      #expect(rig.server.requests.count == 3)
      #expect(rig.waits.all == [.milliseconds(500), .seconds(1)])
      #expect(run.events.contains(.retrying(attempt: 2, reason: .rule(200), wait: .seconds(1))))
      rig.answer { [count = Rig.Waits()] _ in
        count.note(.zero)
        return count.all.count < 2 ? ok(#"{"state":"indexing"}"#) : ok(Self.record)
      }
      let later = await rig.run(try rig.flow(keys))
      #expect(later.kept == 1)
    }
  }

  @Test func `a rule that waits holds the host's other flows back`() async throws {
    try await Rig.with(answer("403 Forbidden", "slow down", ["Retry-After: 20"])) { rig in
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)" }
        defaults: { reachability: false, retry: 1, errors: [{ when: "status == 403 && headers['retry-after'] != null", do: wait }] }
        flows: { one: { resource: /1 }, two: { resource: /2, retry: none } }
        """
      let compilation = rig.compile(text)
      #expect(compilation.locations == [])
      let flows = compilation.flows
      #expect(await rig.run(flows[0]).error?.status == 403)
      #expect(rig.waits.all == [.seconds(20)])
      #expect(rig.server.requests.count == 2)
      #expect(await rig.run(flows[1]).error?.status == 403)
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a skipped response has no records`() async throws {
    try await Rig.with(answer("404 Not Found", "nobody")) { rig in
      let run = await rig.run(try rig.flow("reachability: false\nerrors: [{ when: status == 404, do: skip }]"))
      #expect(run.kept == 0)
      #expect(rig.result == "")
    }
  }

  @Test(arguments: ["skip", "stop"])
  func `a skipped parent is left out, a stop ends the flow with what it has`(action: String) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target.hasSuffix("/2")
          ? answer("404 Not Found", "no") : ok("[{\"id\":\(request.target.split(separator: "/").last ?? "")}]")
      }
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)" }
        flows:
          one:
            reachability: false
            each: { values: [1, 2, 3, 4], as: number, concurrency: 2 }
            resource: "/n/{{ number }}"
            errors: [{ when: status == 404, do: \(action) }]
            persistence: users.jsonl
        """
      let compilation = rig.compile(text)
      #expect(compilation.locations == [])
      let run = await rig.run(try #require(compilation.flows.first))
      #expect(run.error == nil)
      #expect(run.outcome?.report.rejected == 0)
      let all = "{\"id\":1}\n{\"id\":3}\n{\"id\":4}\n"
      #expect(rig.result == (action == "skip" ? all : "{\"id\":1}\n"))
    }
  }

  @Test(arguments: [1, 4]) func `a stop ends the pages before it is written behind`(parallel: Int) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
        if page == 3 { return answer("410 Gone", "no more") }
        return ok("{\"pages\":6,\"data\":[{\"id\":\(page),\"name\":\"\"}]}")
      }
      let run = await rig.run(
        try rig.flow(
          """
          reachability: false
          records: $.data
          pages: { by: page, query: page, count: $.pages, parallel: \(parallel) }
          errors: [{ when: status == 410, do: stop }]
          """))
      #expect(run.kept == 2)
      #expect(rig.result == "{\"id\":1,\"name\":\"\"}\n{\"id\":2,\"name\":\"\"}\n")
    }
  }

  @Test(arguments: [
    ("response.error.code == 1", "not JSON"), ("response.error.code == 1", "[]"), ("response.error.code == 1", ""),
    ("response > 'a'", "17"), ("headers['x-missing'] == 'a'", "[]"),
  ]) func `a rule that finds nothing to compare does not apply`(when: String, body: String) async throws {
    try await Rig.with(answer("418 Teapot", body)) { rig in
      let run = await rig.run(
        try rig.flow("reachability: false\nerrors: [{ when: \"\(when)\", do: fail, message: by the rule }]"))
      #expect(run.message.contains("the server answered with status 418"))
    }
  }

  @Test func `a rule sees text that is not JSON as text`() async throws {
    try await Rig.with(answer("200 OK", "<html>down for maintenance</html>")) { rig in
      let keys =
        "reachability: false\nerrors: [{ when: \"response != null && string(response).contains('maintenance')\", do: fail, message: closed }]"
      let closed = await rig.run(try rig.flow(keys))
      #expect(closed.message == "closed")
    }
  }

  private static let listRule =
    "reachability: false\nrecords: $.items\nerrors: [{ when: \"!has(response.items)\", do: skip }]"

  /// A response with a list of records of some bytes in all.
  private static func page(bytes: Int) -> String {
    let row = "{\"id\":1,\"name\":\"\(String(repeating: "n", count: 1000))\"}"
    let rows = [String](repeating: row, count: bytes / row.utf8.count + 1).joined(separator: ",")
    return "{\"items\":[\(rows)]}"
  }

  @Test func `a rule sees a large response whole`() async throws {
    try await Rig.with(ok(Self.page(bytes: 3 << 20))) { rig in
      let run = await rig.run(try rig.flow(Self.listRule))
      #expect(run.message == "")
      #expect((run.kept ?? 0) > 3000)
    }
  }

  @Test func `a response too large for a rule fails the flow and leaves the earlier result`() async throws {
    try await Rig.with(ok("{\"items\":[{\"id\":1,\"name\":\"a\"}]}")) { rig in
      let flow = try rig.flow(Self.listRule)
      #expect(await rig.run(flow).kept == 1)
      rig.answer(ok(Self.page(bytes: 33 << 20)))
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("the response has more than 32 MiB"))
      #expect(rig.result == "{\"id\":1,\"name\":\"a\"}\n")
    }
  }

  @Test func `a rule that cannot be decided fails the flow`() async throws {
    try await Rig.with(ok(#"{"code":"7","items":[]}"#)) { rig in
      let run = await rig.run(
        try rig.flow("reachability: false\nrecords: $.items\nerrors: [{ when: response.code > 5, do: fail }]"))
      #expect(run.message.contains("the rule 'response.code > 5' cannot be evaluated"), "\(run.message)")
    }
  }
}
