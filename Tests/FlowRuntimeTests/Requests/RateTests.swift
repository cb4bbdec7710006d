import FlowRuntime
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Rates of several windows, budgets for some requests, and header fields with other names.
@Suite struct RateTests {
  private static let record = #"[{"id":1,"name":"Ann"}]"#

  @Test func `of a list of rates all hold, for all flows of the host`() async throws {
    try await Rig.with(ok(Self.record)) { rig in
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)", rate: [2/s, 3/1m] }
        defaults: { reachability: false }
        flows: { one: { resource: /1 }, two: { resource: /2 } }
        """
      let flows = rig.compile(text).flows
      for index in [0, 1, 0, 1, 0] { #expect(await rig.run(flows[index]).error == nil) }
      #expect(rig.waits.all == [.seconds(1), .seconds(59)])
    }
  }

  @Test func `a budget is for the requests with its path and method, of all flows that have it`() async throws {
    try await Rig.with(ok(Self.record)) { rig in
      let text = """
        reactor: 1
        http:
          base_url: "\(rig.server.url)/v1"
          rate: { budgets: [{ path: [/search, "/find/*"], method: [GET], max: [1/10s] }] }
        defaults: { reachability: false }
        flows:
          search: { resource: { path: /search, query: { q: a } } }
          find: { resource: /find/users }
          orders: { resource: /orders }
          send: { resource: { path: /search, method: POST, body: { json: {} } } }
        """
      let compilation = rig.compile(text)
      #expect(compilation.locations == [])
      for index in [0, 2, 3, 2, 3] { #expect(await rig.run(compilation.flows[index]).error == nil) }
      #expect(rig.waits.all == [])
      #expect(await rig.run(compilation.flows[1]).error == nil)
      #expect(rig.waits.all == [.seconds(10)])
    }
  }

  @Test func `the next pages are counted too`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(request.target.split(separator: "=").last ?? "1") ?? 1
        let next = page < 4 ? #""/search?page=\#(page + 1)""# : "null"
        return ok(#"{"rows":[{"id":\#(page),"name":"A"}],"next":\#(next)}"#)
      }
      let flow = try rig.flow(
        "resource: /search?page=1\nrecords: $.rows[*]\npages: { by: next_url, from: $.next }\nreachability: false"
          .replacing("/search?page=1", with: "/search"),
        http: "rate: { budgets: [{ path: \"/sea*\", max: 2/5s }] }")
      let run = await rig.run(flow)
      #expect(run.kept == 4)
      #expect(rig.waits.all == [.seconds(5)])
    }
  }

  @Test func `a limit in fields of other names is waited for before a request is refused`() async throws {
    try await Rig.with { rig in
      let clock = rig.clock
      let reset = clock.now + .seconds(30)
      rig.answer { request in
        if request.target == "/1" { return ok(Self.record, "X-Left: 0", "X-Until: 1700000030") }
        return clock.now < reset ? answer("429 Too Many Requests", "[]") : ok(Self.record, "X-Left: 9")
      }
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)", rate: { follow: { remaining: x-left, reset: x-until, format: epoch_s } } }
        defaults: { reachability: false, retry: none }
        flows: { one: { resource: /1 }, two: { resource: /2 }, late: { resource: /2, deadline: 10s } }
        """
      let flows = rig.compile(text).flows
      #expect(await rig.run(flows[0]).error == nil)
      let late = await rig.run(flows[2])
      #expect(late.message == "the server's rate limit asks for a wait of 30 s, which would exceed the flow's deadline")
      #expect(await rig.run(flows[1]).error == nil)
      #expect(rig.waits.all == [.seconds(30)])
      #expect(rig.server.requests.count == 2)
    }
  }

  @Test(arguments: [
    (
      "X-Left", "X-Until", "rate: { follow: { remaining: X-Left, reset: X-Until, format: epoch_s } }",
      "number of seconds since 1970"
    ),
    ("X-RateLimit-Remaining", "X-RateLimit-Reset", "max_bytes: 1MB", "number or a date"),
  ])
  func `a field that cannot be read is reported once, and nothing waits`(
    _ left: String, _ until: String, _ http: String, _ noun: String
  ) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(request.target.split(separator: "=").last ?? "1") ?? 1
        return ok(
          page < 3 ? #"[{"id":\#(page),"name":"A"}]"# : "[]", "\(left): 0", "\(until): tomorrow")
      }
      let flow = try rig.flow(
        "pages: { by: page, query: page }\nreachability: false", http: http)
      let run = await rig.run(flow)
      #expect(run.kept == 2)
      #expect(rig.waits.all == [])
      let warnings = run.warnings(.unreadableLimit)
      #expect(
        warnings.map(\.message) == [
          "the rate limit in the response cannot be read: '\(until)' is 'tomorrow', not a \(noun)"
        ])
      if left == "X-Left" { #expect(warnings.first?.location?.line == 3) }
    }
  }

  @Test func `variables give rates`() async throws {
    try await Rig.with { rig in
      let top = "vars: { quota: { type: integer, default: 30 } }"
      let http =
        "rate: { max: [10/s, \"{{ vars.quota }}/m\"], budgets: [{ path: /a, max: \"{{ vars.quota - 29 }}/h\" }] }"
      let flow = try rig.flow(top: top, http: http)
      #expect(flow.plan.transfer.pace.limits == [.init(10, per: .seconds(1)), .init(30, per: .seconds(60))])
      #expect(flow.plan.transfer.pace.budgets.map(\.limits) == [[.init(1, per: .seconds(3600))]])
      let none = rig.compile(rig.text(top: top, http: "rate: \"{{ vars.quota - 30 }}/m\""))
      #expect(
        none.diagnostics.diagnostics.map(\.message) == [
          "'0/m' is not a rate: the number of requests must be from 1 to 100000"
        ])
    }
  }

  @Test func `a budget for all requests is an error`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text(http: "rate: { budgets: [{ max: 1/s }] }"))
      #expect(
        compilation.diagnostics.diagnostics.map(\.message) == ["the budget does not say to which requests it applies"])
    }
  }

  @Test func `explain tells windows, budgets and fields`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        http: """
          rate: { max: [10/s, 1000/h], budgets: [{ path: /search, method: [GET, POST], max: 30/m }], \
          follow: { remaining: X-Left, reset: X-Until } }
          """)
      #expect(
        flow.explanation.items.first { $0.heading == "  rate" }?.text
          == """
          at most 10 requests in 1 s and 1000 requests in 3600 s, for GET, POST /search at most 30 requests in 60 s, \
          waits for the time in X-Until when X-Left is 0
          """)
    }
  }
}
