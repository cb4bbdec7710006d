import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Servers that cannot filter: old records are left out, and feeds with the newest records first end early.
extension CursorTests {
  /// A feed of pages of two, newest first, which ignores everything but the page.
  private final class Feed: Sendable {
    let rows: Mutex<[(id: Int, time: String?)]>
    let asked = Mutex<[Int]>([])

    init(_ rows: [(id: Int, time: String?)]) { self.rows = Mutex(rows) }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
      asked.withLock { $0.append(page) }
      let found = rows.withLock { $0 }.dropFirst((page - 1) * 2).prefix(2)
      let texts = found.map { "{\"id\":\($0.id),\"t\":\($0.time.map { "\"\($0)\"" } ?? "null")}" }
      return ok("[\(texts.joined(separator: ","))]")
    }

    func takeAsked() -> [Int] {
      asked.withLock { asked in
        defer { asked = [] }
        return asked
      }
    }
  }

  private static func feed(
    _ cursor: String, mode: String = "merge", type: String = "timestamp", rest: String = "",
    resource: String = "/users"
  ) -> String {
    """
    resource: \(resource)
    pages: { by: page, query: page }
    schema: { key: id, fields: { id: integer, t: \(type) } }
    persistence: { path: users.jsonl, mode: \(mode) }
    cursor: { field: t, \(cursor) }
    \(rest)
    """
  }

  private static func rows(_ days: ClosedRange<Int>) -> [(id: Int, time: String?)] {
    days.reversed().map { ($0, time($0)) }
  }

  @Test func `a feed with the newest records first ends at a record before the start`() async throws {
    let feed = Feed(Self.rows(1...6))
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(Self.feed("order: descending"))
      #expect(await rig.run(flow).message == "")
      #expect(feed.takeAsked() == [1, 2, 3, 4])
      feed.rows.withLock { $0 = Self.rows(1...9) }
      let run = await rig.run(flow)
      #expect(run.message == "")
      // Page 2 ends with day 6, which is not before the start; page 3 ends with day 4.
      #expect(feed.takeAsked() == [1, 2, 3])
      #expect(run.kept == 4)
      #expect(try ids(rig) == [6, 5, 4, 3, 2, 1, 9, 8, 7])
      let memory = await flow.cursor?.memory()
      #expect(memory?.value == Self.time(9))
    }
  }

  @Test func `with the start excluded the known record ends the pull, and append stores nothing twice`() async throws {
    let feed = Feed(Self.rows(1...4))
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(Self.feed("order: descending, bounds: \"()\"", mode: "append"))
      #expect(await rig.run(flow).message == "")
      feed.rows.withLock { $0 = Self.rows(1...6) }
      _ = feed.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(feed.takeAsked() == [1, 2])
      #expect(await rig.run(flow).kept == 0)
      #expect(feed.takeAsked() == [1])
      #expect(try ids(rig) == [4, 3, 2, 1, 6, 5])
    }
  }

  @Test(arguments: [("", true), (", lookback: 1d", true), (", lookback: 2d", false)])
  func `another order is an error, unless lookback allows for it`(_ more: String, _ isError: Bool) async throws {
    let rows = [9, 6, 8, 5, 4, 3].map { (id: $0, time: Optional(Self.time($0))) }
    let feed = Feed(rows)
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(Self.feed("order: descending\(more)"))
      let run = await rig.run(flow)
      guard isError else {
        #expect(run.message == "")
        #expect(run.kept == 6)
        return
      }
      #expect(
        run.message
          == "page 2: a record with 't' 2023-11-08T00:00:00Z comes after one with 2023-11-06T00:00:00Z, so the records are not in descending order"
      )
      #expect(rig.files == [])
    }
  }

  @Test func `a disordered record within lookback is not lost`() async throws {
    let feed = Feed(Self.rows(1...4))
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(Self.feed("order: descending, lookback: 2d"))
      #expect(await rig.run(flow).message == "")
      // The record of day 5 comes after that of day 3.
      feed.rows.withLock { $0 = [6, 3, 5, 4, 2, 1].map { ($0, Self.time($0)) } }
      #expect(await rig.run(flow).message == "")
      #expect(Set(try ids(rig)) == Set(1...6))
    }
  }

  @Test func `records that where leaves out do not count for the order`() async throws {
    let feed = Feed([(1, Self.time(1))] + Self.rows(2...6))
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(Self.feed("order: descending", rest: "where: record.id != 1"))
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig) == [6, 5, 4, 3, 2])
    }
  }

  @Test(arguments: [
    ("[)", [2, 3]), ("()", [3]), ("[]", [2, 3, 4]), ("(]", [3, 4]),
  ])
  func `filter leaves out what is outside of the range`(_ bounds: String, _ found: [Int64]) async throws {
    let body = Self.rows(1...5).map { "{\"id\":\($0.id),\"t\":\"\($0.time ?? "")\"}" }.joined(separator: ",")
    try await Rig.with(ok("[\(body)]")) { rig in
      let flow = try rig.flow(
        """
        schema: { key: id, fields: { id: integer, t: timestamp } }
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: t, filter: true, start: 2023-11-02, end: 2023-11-04, bounds: "\(bounds)" }
        """)
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(rig.server.requests.map(\.target) == ["/users"])
      #expect(try ids(rig).sorted() == found)
      #expect(run.outcome?.report.rejected == 0)
    }
  }

  @Test func `each slice takes only its own records`() async throws {
    let shop = Shop((1...6).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        """
        schema: { key: id, fields: { id: integer, t: timestamp } }
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: t, filter: true, start: 2023-11-01, end: 2023-11-07, slice: 2d }
        """)
      #expect(await rig.run(flow).kept == 6)
      #expect(shop.takeAsked() == ["/users", "/users", "/users"])
    }
  }

  @Test func `a record without the field is kept when declared`() async throws {
    let feed = Feed([(5, Self.time(5)), (9, nil), (4, Self.time(4)), (3, Self.time(3))])
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let flow = try rig.flow(
        Self.feed("order: descending, optional: true", type: "timestamp?"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      let doubts = run.warnings(.missingFields).map(\.message)
      #expect(doubts == ["kept 1 record without a value in 't'; the cursor's position ignores them"])
      #expect(try ids(rig) == [5, 9, 4, 3])
      #expect(await flow.cursor?.memory()?.value == Self.time(5))
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig) == [5, 9, 4, 3])
    }
  }

  @Test func `conditions on records and pages see the range and the parent`() async throws {
    let feed = Feed(Self.rows(1...6))
    try await Rig.with { rig in
      rig.answer { feed.answer($0) }
      let keys = """
        each: { values: [3, 5], as: limit, concurrency: 1 }
        resource: /users
        pages: { by: page, query: page, stop: "timestamp(last.t) < cursor.start || last.id < int(limit)" }
        schema: { key: id, fields: { id: integer, t: timestamp, limit: { value: "{{ string(limit) }}", type: string } } }
        where: timestamp(record.t) >= cursor.start && record.id >= int(limit)
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: t, query: since, start: 2023-11-04 }
        """
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      // Pages of 6 5, 4 3 and 2 1: the first parent ends after the second page, as its start says, the second as well.
      #expect(feed.takeAsked() == [1, 2, 1, 2])
      #expect(Set(try ids(rig)) == [4, 5, 6])
    }
  }

  @Test(arguments: [
    (
      "cursor: { field: t, order: descending }",
      "'order: descending' ends a pull before its last page, and the flow has only one page"
    ),
    (
      "pages: link\ncursor: { field: t, order: descending }\nexpect: { total: $.n }",
      "'order: descending' reads only some of the records that 'total' counts"
    ),
    (
      "pages: link\ncursor: { field: t, order: descending, start: 2024-01-01, end: now, slice: 1d }",
      "a feed in descending order cannot be requested in slices"
    ),
    ("cursor: { field: t }", "the request does not use the cursor"),
    ("where: timestamp(record.t) > cursor.start\ncursor: { field: t, filter: true }", "'cursor.start' may be missing"),
    ("where: record.t > cursor.begin\ncursor: { field: t, filter: true }", "'cursor' has no member 'begin'"),
    (
      "where: record.id > cursor.start\ncursor: { field: t, filter: true, start: 2024-01-01 }",
      "an int cannot be compared with a timestamp"
    ),
  ])
  func `what cannot work is an error before the run`(_ keys: String, _ message: String) async throws {
    try await Rig.with { rig in
      let found = rig.compile(
        rig.text(
          keys + "\nschema: { key: id, fields: { id: integer, t: timestamp } }\n"
            + "persistence: { path: users.jsonl, mode: merge }"))
      #expect(found.diagnostics.diagnostics.map(\.message) == [message])
    }
  }
}
