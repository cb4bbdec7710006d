import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Storage
import Synchronization
import SourceDiagnostics
import Testing
import TestSupport

/// Ranges that are cut into slices, written in formats, and cut short.
extension CursorTests {
  @Test func `slices are asked for in order, each with its own pages`() async throws {
    let shop = Shop((1...5).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 2023-11-01, end: 2023-11-06, query: { start: since, end: until }, slice: 3d",
          rest: "pages: { by: page, query: page, parallel: 1 }"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.outcome?.pages == 5)
      let first = "since=2023-11-01T00:00:00Z&until=2023-11-04T00:00:00Z"
      let second = "since=2023-11-04T00:00:00Z&until=2023-11-06T00:00:00Z"
      #expect(
        shop.takeAsked()
          == (1...3).map { "/users?\(first)&page=\($0)" } + (1...2).map { "/users?\(second)&page=\($0)" })
      #expect(try ids(rig) == [1, 2, 3, 4, 5])
      // The pages that were told only grow.
      let told = run.events.compactMap {
        if case .paged(let pages, let records) = $0 { [pages, records] } else { nil }
      }
      #expect(told.map { $0[0] } == told.map { $0[0] }.sorted())
      #expect(told.last == [5, 5])
    }
  }

  @Test func `a slice that fails fails the flow and leaves what is remembered`() async throws {
    let shop = Shop((1...5).map { .init(id: $0, time: Self.time($0)) })
    shop.broken.withLock { _ = $0.insert("since=2023-11-03") }
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys("start: 2023-11-01, end: 2023-11-06, query: { start: since, end: until }, slice: 2d"))
      let run = await rig.run(flow)
      #expect(run.message.hasPrefix("slice 2 of 3: "))
      #expect(rig.files == [])
      #expect(shop.takeAsked().count == 2)
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).kept == 5)
      #expect(shop.takeAsked().count == 3)
      // What is left is one short slice.
      #expect(await rig.run(flow).kept == 1)
      #expect(shop.takeAsked() == ["/users?since=2023-11-05T00:00:00Z&until=2023-11-06T00:00:00Z"])
    }
  }

  private static let formats: [(String, String, String, String, String?)] = [
    ("timestamp", "", "2023-11-02T10:30:00.5Z", "2023-11-02T10:30:00.5Z", "2023-11-14T22:13:20Z"),
    ("timestamp", ", format: epoch_s", "2023-11-02T10:30:00.5Z", "1698921000", "1700000000"),
    ("timestamp", ", format: epoch_ms", "2023-11-02T10:30:00.5001Z", "1698921000500", "1700000000000"),
    ("timestamp", ", format: date", "2023-11-02T10:30:00Z", "2023-11-02", "2023-11-15"),
    ("timestamp", ", format: \"%d/%m/%Y %H:%M\"", "2023-11-02T10:30:59Z", "02/11/2023 10:30", "14/11/2023 22:14"),
    ("timestamp", "", "2023-11-02T10:30:00+02:00", "2023-11-02T08:30:00Z", "2023-11-14T22:13:20Z"),
    ("date", "", "2023-11-02", "2023-11-02", "2023-11-15"),
    ("date", ", format: iso8601", "2023-11-02", "2023-11-02T00:00:00Z", "2023-11-15T00:00:00Z"),
    ("date", ", bounds: \"[]\"", "2023-11-02", "2023-11-02", "2023-11-14"),
    ("date", ", format: epoch_s", "2023-11-02", "1698883200", "1700006400"),
    ("{ type: timestamp, format: epoch_s }", "", "1698921000", "2023-11-02T10:30:00Z", "2023-11-14T22:13:20Z"),
    ("string", "", "abc/é", "abc/é", nil),
  ]

  @Test(arguments: formats)
  func `bounds are written in the format, rounded outwards`(
    _ type: String, _ format: String, _ value: String, _ start: String, _ end: String?
  ) async throws {
    try await Rig.with(ok("[{\"id\":1,\"t\":\"\(value)\"}]")) { rig in
      let keys = Self.keys(
        (end == nil ? "" : "query: { start: since, end: until }") + (end == nil ? "" : format), type: type)
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).message == "")
      let target = try #require(rig.server.requests.last?.target)
      let items = try #require(URLComponents(string: target)?.queryItems)
      #expect(items.map(\.name) == (end == nil ? ["since"] : ["since", "until"]))
      #expect(items.compactMap(\.value) == [start, end].compactMap { $0 })
    }
  }

  @Test func `integers are bounds with look-back and slices, and templates write them as numbers`() async throws {
    let keys = """
      resource: { method: POST, path: /users, body: { json: { from: "{{ coalesce(cursor.start, 0) }}", to: "{{ cursor.end }}" } } }
      schema: { key: id, fields: { id: integer } }
      persistence: { path: users.jsonl, mode: merge }
      cursor: { field: id, start: 1, end: 25, slice: 10, lookback: 2 }
      """
    try await Rig.with(ok(#"[{"id":9},{"id":18},{"id":-3}]"#)) { rig in
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).message == "")
      #expect(
        rig.server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
          #"{"from":1,"to":11}"#, #"{"from":11,"to":21}"#, #"{"from":21,"to":25}"#, #"{"from":16,"to":25}"#,
        ])
    }
  }

  @Test(arguments: [("t", "P0D"), ("t", "0s"), ("t", "P0M"), ("id", "0")])
  func `no look-back is a look-back of zero`(_ field: String, _ zero: String) async throws {
    let shop = Shop([.init(id: 7, time: Self.time(7))])
    try await Self.with(shop) { rig in
      let keys = """
        resource: /users
        schema: { key: id, fields: { id: integer, t: timestamp } }
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: \(field), query: since, lookback: "{{ vars.again }}" }
        """
      let compilation = rig.compile(rig.text(keys, top: "vars: { again: '\(zero)' }"))
      let flow = try #require(compilation.flows.first, "\(compilation.diagnostics.diagnostics.map(\.message))")
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(shop.takeAsked().last == "/users?since=\(field == "t" ? Self.time(7) : "7")")
    }
  }

  @Test func `pages whose templates use page and cursor get both`() async throws {
    let keys = """
      resource: { path: /users, query: { since: "{{ coalesce(cursor.start, '') }}", page: "{{ page.number }}" } }
      schema: { key: id, fields: { id: integer, t: timestamp } }
      persistence: { path: users.jsonl, mode: merge }
      pages: { by: page, stop: "page.records < 2" }
      cursor: { field: t }
      """
    let shop = Shop((1...3).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let flow = try rig.flow(keys)
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(
        shop.takeAsked() == [
          "/users?since=&page=1", "/users?since=&page=2", "/users?since=2023-11-03T00:00:00Z&page=1",
        ])
    }
  }

  @Test func `a pull that is cut short leaves what is remembered`() async throws {
    let shop = Shop((1...5).map { .init(id: $0, time: Self.time($0)) })
    shop.broken.withLock { _ = $0.insert("page=3") }
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("", rest: "pages: { by: page, query: page, partial: keep }"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(try ids(rig) == [1, 2, 3, 4])
      _ = shop.takeAsked()
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked().first == "/users?page=1")
      #expect(try ids(rig) == [1, 2, 3, 4, 5])
    }
  }

  @Test func `with an expiry a result is used while it is fresh`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let keys = Self.keys("").replacingOccurrences(of: "mode: merge", with: "mode: merge, expires_after: 1h")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).source == .network)
      #expect(await rig.run(flow).source == .persistence)
      rig.clock.advance(by: .seconds(3601))
      #expect(await rig.run(flow).source == .network)
      #expect(shop.takeAsked() == ["/users", "/users?since=2023-11-01T00:00:00Z"])
    }
  }

  @Test func `nobody is asked offline, and what is there is used`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys(""))
      #expect(await rig.run(flow, .offline).error != nil)
      #expect(await rig.run(flow).source == .network)
      #expect(await rig.run(flow, .offline).source == .persistence)
      #expect(shop.takeAsked().count == 1)
    }
  }

  @Test func `a range that lies behind its end asks for nothing`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2024-11-01, end: now, query: { start: since, end: until }"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 0)
      #expect(shop.takeAsked() == [])
      #expect(rig.result == "")
    }
  }

  @Test(arguments: ["timestamp", "date"])
  func `a record dated in the future does not hide what comes before it`(_ type: String) async throws {
    let clock = type == "date" ? "" : "T00:00:00Z"
    let shop = Shop([.init(id: 1, time: "9999-12-31" + clock), .init(id: 3, time: "2023-11-05" + clock)])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-01", type: type))
      #expect(await rig.run(flow).message == "")
      // A record that arrives late is before the time of the last run.
      shop.put(2, "2023-11-13" + clock)
      rig.clock.advance(by: .seconds(2 * 86_400))
      #expect(await rig.run(flow).message == "")
      #expect(rig.result?.split(separator: "\n").count == 3)
      #expect(shop.takeAsked().last?.hasPrefix("/users?since=2023-11-05") == true)
    }
  }

  /// A server that compares days leaves out the whole day of an excluded start.
  @Test(arguments: [("date", "2023-11-02"), ("%Y%m%d", "20231102"), ("epoch_s", "1699005600")])
  func `an excluded start without a time of day is the day before`(_ format: String, _ since: String) async throws {
    let shop = Shop([.init(id: 1, time: "2023-11-03T10:00:00Z")])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("bounds: \"(]\", format: \"\(format)\""))
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(shop.takeAsked().last == "/users?since=\(since)")
    }
  }

  @Test(arguments: [("2023-11-14T22:15:00Z", true), ("2023-11-14T23:00:00Z", false)])
  func `appended records without a key may not be dated in the future`(_ time: String, _ isTaken: Bool) async throws {
    let shop = Shop([.init(id: 1, time: time)], bounds: "(]")
    try await Self.with(shop) { rig in
      let keys = Self.keys("start: 2023-11-01, bounds: \"(]\"", mode: "append").replacing("key: id, ", with: "")
      let run = await rig.run(try rig.flow(keys))
      #expect(run.message.contains("in the future") != isTaken, "\(run.message)")
      #expect((rig.result == nil) != isTaken)
    }
  }

  /// The clock stands at 2023-11-14T22:13:20Z.
  @Test(arguments: [
    ("[]", "date", "timestamp", "2023-11-14"), ("(]", "date", "timestamp", "2023-11-14"),
    ("[)", "date", "timestamp", "2023-11-15"), ("()", "date", "timestamp", "2023-11-15"),
    ("[]", "%Y%m%d", "timestamp", "20231114"), ("[)", "%Y%m%d", "timestamp", "20231115"),
    ("[]", "%Y-%m-%dT%H:%M", "timestamp", "2023-11-14T22:14"), ("[]", "epoch_s", "timestamp", "1700000000"),
    ("[]", "", "date", "2023-11-14"), ("(]", "", "date", "2023-11-14"), ("[)", "", "date", "2023-11-15"),
    ("()", "", "date", "2023-11-15"), ("[]", "%d.%m.%Y", "date", "14.11.2023"),
  ])
  func `a range up to now ends today where the end is included, else tomorrow`(
    _ bounds: String, _ format: String, _ type: String, _ end: String
  ) async throws {
    let shop = Shop([], bounds: bounds)
    try await Self.with(shop) { rig in
      let keys = Self.keys(
        "start: 2023-11-01, end: now, query: { start: since, end: until }, bounds: \"\(bounds)\""
          + (format.isEmpty ? "" : ", format: \"\(format)\""), type: type)
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked().last?.hasSuffix("until=" + end) == true)
    }
  }
}
