import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// `cursor.position`: what the last run reached.
@Suite struct CursorPositionTests {
  private typealias Shop = CursorTests.Shop

  private static func shop(_ days: ClosedRange<Int>) -> Shop {
    Shop(days.map { Shop.Row(id: $0, time: CursorTests.time($0)) })
  }

  private static func keys(_ request: String, _ cursor: String, _ rest: String = "") -> String {
    """
    resource: \(request)
    schema: { key: id, fields: { id: integer, t: timestamp } }
    persistence: { path: users.jsonl, mode: merge }
    cursor: { field: t, \(cursor) }
    \(rest)
    """
  }

  @Test func `requests see it in the cursor's format, the same in all slices and without lookback`() async throws {
    let shop = Self.shop(1...5)
    try await CursorTests.with(shop) { rig in
      let request = """
        { path: /users, query: { since: "{{ cursor.start }}", after: "{{ coalesce(cursor.position, 'nothing') }}" } }
        """
      let flow = try rig.flow(
        Self.keys(request, "start: 2023-11-01, end: 2023-11-07, slice: 3d, lookback: 1d, format: date"))
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(
        shop.takeAsked() == [
          "/users?since=2023-11-01&after=nothing", "/users?since=2023-11-04&after=nothing",
          "/users?since=2023-11-04&after=2023-11-05",
        ])
      shop.put(9, CursorTests.time(2))
      let slices = try rig.flow(
        Self.keys(request, "start: 2023-11-01, end: 2023-11-09, slice: 3d, lookback: 1d, format: date"))
      #expect(await rig.run(slices).message == "")
      #expect(
        shop.takeAsked() == [
          "/users?since=2023-11-04&after=2023-11-05", "/users?since=2023-11-07&after=2023-11-05",
        ])
    }
  }

  @Test func `the first run can ask elsewhere`() async throws {
    let shop = Shop([
      .init(id: 1, time: CursorTests.time(1), path: "/all"), .init(id: 2, time: CursorTests.time(2), path: "/changes"),
    ])
    try await CursorTests.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          """
          { path: "/{{ cursor.position == null ? 'all' : 'changes' }}", query: { since: "{{ optional(cursor.position) }}" } }
          """, "start: 2023-11-01"))
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(shop.takeAsked() == ["/all", "/changes?since=2023-11-01T00:00:00Z"])
      #expect(try CursorTests().ids(rig) == [1, 2])
      #expect(await flow.persisted().bound == "cursor.start=2023-11-02T00:00:00Z cursor.position=2023-11-02T00:00:00Z")
    }
  }

  @Test func `each parent has its own`() async throws {
    let shop = Shop([
      .init(id: 1, time: CursorTests.time(1), path: "/a"), .init(id: 2, time: CursorTests.time(2), path: "/b"),
    ])
    try await CursorTests.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          """
          { path: "/{{ shelf }}", query: { after: "{{ coalesce(cursor.position, 'nothing') }}" } }
          """, "start: 2023-11-01", "each: { values: [a, b], as: shelf, concurrency: 1 }"))
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(
        shop.takeAsked() == [
          "/a?after=nothing", "/b?after=nothing", "/a?after=2023-11-01T00:00:00Z", "/b?after=2023-11-02T00:00:00Z",
        ])
    }
  }

  @Test func `conditions on records and pages see it as records have it`() async throws {
    let shop = Self.shop(1...3)
    try await CursorTests.with(shop) { rig in
      let condition = "cursor.position == null || timestamp(record.t) > cursor.position"
      let flow = try rig.flow(
        Self.keys(
          "/users", "filter: true, lookback: 9d",
          """
          where: \(condition)
          pages: { by: page, query: page, stop: "cursor.position != null && timestamp(last.t) > cursor.position" }
          """))
      let first = await rig.run(flow)
      #expect(first.message == "" && first.outcome?.report.kept == 3)
      #expect(shop.takeAsked().count == 3)
      for day in 4...9 { shop.put(day, CursorTests.time(day)) }
      #expect(await rig.run(flow).message == "")
      // The second page ends with the fourth of November, which is after the position.
      #expect(shop.takeAsked() == ["/users?page=1", "/users?page=2"])
      #expect(try CursorTests().ids(rig) == [1, 2, 3, 4])
    }
  }

  @Test func `a retry has none, so that a condition on it leaves no retried record out`() async throws {
    try await Rig.with { rig in
      func flow(_ inputs: FlowCompiler.Inputs = FlowCompiler.Inputs()) throws -> DeclaredFlow {
        try rig.flow(
          """
          resource: { path: /users, query: { after: "{{ optional(cursor.position) }}" } }
          schema: { key: id, fields: { id: integer, t: timestamp, n: integer } }
          persistence: { path: users.jsonl, mode: merge }
          cursor: { field: t, start: 2023-11-01 }
          rejected: bad.jsonl
          where: cursor.position == null || timestamp(record.t) > cursor.position
          """, inputs: inputs)
      }
      func row(_ id: Int, n: String) -> String { "{\"id\":\(id),\"t\":\"\(CursorTests.time(id))\",\"n\":\(n)}" }
      rig.answer(ok("[\(row(1, n: "1")),\(row(2, n: "[]")),\(row(3, n: "1"))]"))
      let first = await rig.run(try flow())
      #expect(first.message == "" && first.outcome?.report.rejected == 1)
      #expect(try await rig.run(flow()).message == "")
      rig.answer(ok("[\(row(2, n: "2"))]"))
      #expect(try await rig.run(flow(SendingTests.retrying())).message == "")
      #expect(try Set(CursorTests().ids(rig)) == [1, 2, 3])
      #expect(rig.server.requests.map(\.target) == ["/users", "/users?after=2023-11-03T00%3A00%3A00Z", "/users"])
    }
  }

  @Test func `a start for one run takes its place, and a full refresh has none`() async throws {
    let shop = Self.shop(1...3)
    try await CursorTests.with(shop) { rig in
      func flow(_ inputs: FlowCompiler.Inputs = FlowCompiler.Inputs()) throws -> DeclaredFlow {
        try rig.flow(
          Self.keys(
            "{ path: /users, query: { after: \"{{ coalesce(cursor.position, 'nothing') }}\" } }", "start: 2023-11-01"),
          inputs: inputs)
      }
      let first = try flow()
      #expect(await rig.run(first).message == "")
      var since = FlowCompiler.Inputs()
      since.since = "2023-11-02"
      #expect(try await rig.run(flow(since)).message == "")
      var fresh = FlowCompiler.Inputs()
      fresh.isFullRefresh = true
      #expect(try await rig.run(flow(fresh)).message == "")
      #expect(
        shop.takeAsked() == ["/users?after=nothing", "/users?after=2023-11-02T00:00:00Z", "/users?after=nothing"])
    }
  }

  @Test func `without a default it may be missing`() async throws {
    try await Rig.with { rig in
      let found = rig.compile(
        rig.text(Self.keys("/users", "filter: true, start: 2023-11-01", "where: timestamp(record.t) > cursor.position"))
      )
      #expect(found.diagnostics.diagnostics.map(\.message) == ["'cursor.position' may be missing"])
    }
  }
}
