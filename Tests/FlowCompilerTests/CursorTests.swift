import FlowCompiler
import FlowSpec
import Foundation
import JSONSyntax
import ReactorCore
import Storage
import Synchronization
import Testing
import TestSupport

/// Asking only for what is new.
@Suite struct CursorTests {
  /// A server that gives the records of a range, and remembers what it was asked.
  final class Shop: Sendable {
    struct Row { var id: Int, time: String, path = "/users" }

    let rows = Mutex<[Row]>([])
    let asked = Mutex<[String]>([])
    /// Paths, or parts of a query, that are answered with 500.
    let broken = Mutex<Set<String>>([])
    let bounds: String

    init(_ rows: [Row], bounds: String = "[)") {
      self.bounds = bounds
      self.rows.withLock { $0 = rows }
    }

    func put(_ id: Int, _ time: String, _ path: String = "/users") {
      rows.withLock { rows in
        rows.removeAll { $0.id == id && $0.path == path }
        rows.append(Row(id: id, time: time, path: path))
      }
    }

    /// What was asked since the last call, without the host.
    func takeAsked() -> [String] {
      asked.withLock { asked in
        defer { asked = [] }
        return asked
      }
    }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      guard let target = URLComponents(string: request.target) else { return ok("[]") }
      asked.withLock { $0.append(request.target.removingPercentEncoding ?? "") }
      let text = request.target.removingPercentEncoding ?? ""
      if broken.withLock({ $0.contains { text.contains($0) } }) { return FlowCompilerTests.answer("500 Oh No", "{}") }
      var query: [String: String] = [:]
      for item in target.queryItems ?? [] { query[item.name] = item.value }
      let (since, until) = (query["since"], query["until"])
      var found = rows.withLock { $0 }.filter { row in
        guard row.path == target.path else { return false }
        if let since, bounds.hasPrefix("[") ? row.time < since : row.time <= since { return false }
        if let until, bounds.hasSuffix("]") ? row.time > until : row.time >= until { return false }
        return true
      }
      found.sort { ($0.time, $0.id) < ($1.time, $1.id) }
      if let page = query["page"].flatMap({ Int($0) }) { found = Array(found.dropFirst((page - 1) * 2).prefix(2)) }
      return ok("[" + found.map { "{\"id\":\($0.id),\"t\":\"\($0.time)\"}" }.joined(separator: ",") + "]")
    }
  }

  private static func keys(_ cursor: String, mode: String = "merge", type: String = "timestamp", rest: String = "")
    -> String
  {
    """
    schema: { key: id, fields: { id: integer, t: \(type) } }
    persistence: { path: users.jsonl, mode: \(mode) }
    cursor: { field: t, query: since, \(cursor) }
    \(rest)
    """
  }

  private static func time(_ day: Int, _ clock: String = "00:00:00") -> String {
    "2023-11-\(day < 10 ? "0" : "")\(day)T\(clock)Z"
  }

  /// Gives the body a rig whose server is a shop.
  private static func with(_ shop: Shop, _ body: (Rig) async throws -> Void) async throws {
    try await Rig.with { rig in
      rig.answer { shop.answer($0) }
      try await body(rig)
    }
  }

  private func ids(_ rig: Rig, _ name: String = "users.jsonl") throws -> [Int64] {
    try #require(rig.scratch.text(name)).split(separator: "\n").map {
      try #require(try JSONValue(parsing: Array($0.utf8))["id"]?.int64)
    }
  }

  @Test func `a second run asks only for what is new and joins it`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(2))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-01"))
      let first = await rig.run(flow)
      #expect(first.message == "")
      #expect(first.kept == 2)
      #expect(shop.takeAsked() == ["/users?since=2023-11-01T00:00:00Z"])
      shop.put(3, Self.time(3))
      shop.put(1, Self.time(4))
      let second = await rig.run(flow)
      #expect(second.message == "")
      #expect(second.kept == 3)
      #expect(shop.takeAsked() == ["/users?since=2023-11-02T00:00:00Z"])
      #expect(try ids(rig) == [1, 2, 3])
      // Nothing new: what is remembered stays.
      #expect(await rig.run(flow).kept == 1)
      #expect(await rig.run(flow).kept == 1)
      #expect(shop.takeAsked() == Array(repeating: "/users?since=2023-11-04T00:00:00Z", count: 2))
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test func `without a start the first run asks without a bound`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys(""))
      for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
      #expect(shop.takeAsked() == ["/users", "/users?since=2023-11-01T00:00:00Z"])
    }
  }

  @Test func `a run that fails leaves what is remembered`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-01", rest: "expect: { max: 2 }"))
      #expect(await rig.run(flow).message == "")
      for day in 2...4 { shop.put(day, Self.time(day)) }
      #expect(await rig.run(flow).message == "expected at most 2 records, found 4")
      shop.broken.withLock { _ = $0.insert("/users") }
      #expect(await rig.run(flow).error != nil)
      shop.broken.withLock { $0 = [] }
      shop.rows.withLock { $0.removeLast(2) }
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked() == ["/users?since=2023-11-01T00:00:00Z"])
      #expect(try ids(rig) == [1, 2])
    }
  }

  @Test(arguments: [
    // What the server includes; what the second and third run find; the result.
    ("[)", "merge", [2, 1], [1, 2, 3]), ("[]", "merge", [2, 1], [1, 2, 3]),
    ("(]", "merge", [0, 1], [1, 2, 4]), ("()", "merge", [0, 1], [1, 2, 4]),
    ("(]", "append", [0, 1], [1, 2, 4]),
  ])
  func `a record that comes later with the greatest value is found where the start is included`(
    _ bounds: String, _ mode: String, _ kept: [Int], _ result: [Int64]
  ) async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(2))], bounds: bounds)
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("bounds: \"\(bounds)\"", mode: mode))
      #expect(await rig.run(flow).kept == 2)
      // At the same instant as the last one.
      shop.put(3, Self.time(2))
      #expect(await rig.run(flow).kept == kept[0])
      let includesStart = bounds.hasPrefix("[")
      if includesStart { #expect(try ids(rig) == [1, 2, 3]) }
      shop.rows.withLock { $0 = [.init(id: includesStart ? 2 : 4, time: Self.time(3))] }
      #expect(await rig.run(flow).kept == kept[1])
      #expect(try ids(rig) == result)
    }
  }

  @Test(arguments: [
    ("lookback: P1D", "2023-11-04T00:00:00Z"), ("lookback: 90m", "2023-11-04T22:30:00Z"),
    // Never before the start.
    ("lookback: P30D", "2023-11-02T00:00:00Z"),
  ])
  func `a look-back asks for a part again`(_ lookback: String, _ asked: String) async throws {
    let shop = Shop([.init(id: 1, time: Self.time(5)), .init(id: 2, time: Self.time(4))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-02, \(lookback)"))
      for _ in 0..<3 { #expect(await rig.run(flow).message == "") }
      // What comes again does not move the state back.
      #expect(shop.takeAsked() == ["2023-11-02T00:00:00Z", asked, asked].map { "/users?since=\($0)" })
      #expect(try ids(rig) == [2, 1])
    }
  }

  @Test func `slices are asked for in order, each with its own pages`() async throws {
    let shop = Shop((1...5).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 2023-11-01, end: 2023-11-06, end_query: until, slice: 3d",
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
      let flow = try rig.flow(Self.keys("start: 2023-11-01, end: 2023-11-06, end_query: until, slice: 2d"))
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
      let keys = Self.keys((end == nil ? "" : "end_query: until") + (end == nil ? "" : format), type: type)
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
      let flow = try rig.flow(Self.keys("start: 2024-11-01, end: now, end_query: until"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 0)
      #expect(shop.takeAsked() == [])
      #expect(rig.result == "")
    }
  }

  // MARK: - Parents

  private static let parents = """
    resource: "/users/{{ value }}"
    each: { values: [a, b, c] }

    """

  @Test func `each parent has its own value, and one that fails keeps it`() async throws {
    let shop = Shop([
      .init(id: 1, time: Self.time(1), path: "/users/a"), .init(id: 2, time: Self.time(2), path: "/users/b"),
    ])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.parents + Self.keys("start: 2023-11-01"))
      #expect(await rig.run(flow).message == "")
      #expect(Set(shop.takeAsked()) == Set(["a", "b", "c"].map { "/users/\($0)?since=2023-11-01T00:00:00Z" }))
      shop.put(3, Self.time(3), "/users/a")
      shop.put(4, Self.time(4), "/users/b")
      shop.broken.withLock { _ = $0.insert("/users/b") }
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig) == [1, 2, 3])
      shop.broken.withLock { $0 = [] }
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(
        Set(shop.takeAsked()) == [
          "/users/a?since=2023-11-03T00:00:00Z", "/users/b?since=2023-11-02T00:00:00Z",
          "/users/c?since=2023-11-01T00:00:00Z",
        ])
      #expect(try ids(rig) == [1, 2, 3, 4])
      // One file for the values of parents, the one that counts.
      #expect(rig.files.filter { $0.hasPrefix(".reactor/cursors/") }.count == 1)
      let memory = try #require(await flow.cursor?.memory())
      #expect(memory.parents.map(\.key) == ["a", "b"])
      #expect(memory.parents.map(\.value) == [Self.time(3), Self.time(4)])
    }
  }

  @Test func `without the file of the parents' values everything is asked for again`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1), path: "/users/a")])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.parents + Self.keys(""))
      #expect(await rig.run(flow).message == "")
      let name = try #require(rig.files.first { $0.hasPrefix(".reactor/cursors/") })
      for damage in [nil, "{}\n"] as [String?] {
        try FileManager.default.removeItem(atPath: rig.scratch.path(name))
        if let damage { try damage.write(toFile: rig.scratch.path(name), atomically: false, encoding: .utf8) }
        _ = shop.takeAsked()
        #expect(await rig.run(flow).message == "")
        #expect(shop.takeAsked().allSatisfy { !$0.contains("since") })
        #expect(try ids(rig) == [1])
      }
    }
  }

  // MARK: - What a run may say

  @Test func `a full refresh begins anew and replaces the result`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(5))])
    try await Self.with(shop) { rig in
      let keys = Self.keys("start: 2023-11-01")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      shop.rows.withLock { $0 = [.init(id: 3, time: Self.time(2))] }
      _ = shop.takeAsked()
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let anew = try rig.flow(keys, inputs: inputs)
      #expect(await rig.run(anew).kept == 1)
      #expect(try ids(rig) == [3])
      #expect(await rig.run(flow).kept == 1)
      #expect(
        shop.takeAsked() == ["/users?since=2023-11-01T00:00:00Z", "/users?since=2023-11-02T00:00:00Z"])
    }
  }

  @Test func `a run may begin elsewhere and still moves on what is remembered`() async throws {
    let shop = Shop((1...4).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let keys = Self.keys("")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).kept == 4)
      shop.put(5, Self.time(5))
      var inputs = FlowCompiler.Inputs()
      inputs.since = "2023-11-02"
      let elsewhere = try rig.flow(keys, inputs: inputs)
      #expect(await rig.run(elsewhere).kept == 4)
      #expect(await rig.run(flow).kept == 1)
      #expect(
        shop.takeAsked() == ["/users", "/users?since=2023-11-02T00:00:00Z", "/users?since=2023-11-05T00:00:00Z"])
      inputs.since = "soon"
      #expect(rig.compile(rig.text(keys), inputs: inputs).places == ["cursor.bounds@8:22"])
    }
  }

  @Test func `what is appended is never asked for twice`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))], bounds: "(]")
    try await Self.with(shop) { rig in
      let keys = Self.keys("bounds: \"(]\"", mode: "append")
      #expect(await rig.run(try rig.flow(keys)).message == "")
      var inputs = FlowCompiler.Inputs()
      inputs.since = "2023-10-01"
      #expect(await rig.run(try rig.flow(keys, inputs: inputs)).message.contains("would keep twice"))
      // Without its stamp nobody knows what is there.
      try FileManager.default.removeItem(atPath: rig.scratch.path(".reactor.stamps"))
      #expect(await rig.run(try rig.flow(keys)).message.contains("nothing tells up to where users.jsonl is complete"))
      #expect(try ids(rig) == [1])
      inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      #expect(await rig.run(try rig.flow(keys, inputs: inputs)).message == "")
      #expect(try ids(rig) == [1])
    }
  }

  // MARK: - What is remembered

  @Test func `what is remembered can be shown, set and forgotten`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(3))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys(""))
      let access = try #require(flow.cursor)
      #expect(access.field == "t")
      #expect(access.type == "timestamp")
      #expect(await access.memory() == nil)
      await #expect(throws: ReactorError.self) { try await access.remember("2023-11-01", parent: nil) }
      #expect(await rig.run(flow).message == "")
      #expect(await access.memory()?.value == Self.time(3))
      try await access.remember("2023-11-02T00:00:00+01:00", parent: nil)
      #expect(await access.memory()?.value == "2023-11-01T23:00:00Z")
      await #expect(throws: ReactorError.self) { try await access.remember("x", parent: nil) }
      await #expect(throws: ReactorError.self) { try await access.remember("2023-11-01", parent: "a") }
      #expect(await rig.run(flow).message == "")
      try await access.remember(nil, parent: nil)
      #expect(await access.memory()?.value == nil)
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked() == ["/users", "/users?since=2023-11-01T23:00:00Z", "/users"])
    }
  }

  @Test func `a journal that is cut at any byte leaves the data and begins anew`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(2))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-01"))
      #expect(await rig.run(flow).message == "")
      let journal = rig.scratch.path(".reactor.stamps")
      let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
      #expect(whole.count > 100)
      for count in 0..<whole.count {
        await rig.letGo()
        try whole.prefix(count).write(to: URL(fileURLWithPath: journal))
        // The last byte is the line's end, without which the line is not whole.
        #expect(await flow.cursor?.memory() == nil)
        guard count % 40 == 0 else { continue }
        _ = shop.takeAsked()
        #expect(await rig.run(flow).message == "")
        #expect(shop.takeAsked() == ["/users?since=2023-11-01T00:00:00Z"])
        #expect(try ids(rig) == [1, 2])
      }
    }
  }

  @Test func `a result that was changed, or belongs to another cursor, is asked for anew`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      #expect(await rig.run(try rig.flow(Self.keys("start: 2023-11-01"))).message == "")
      _ = shop.takeAsked()
      #expect(await rig.run(try rig.flow(Self.keys("start: 2023-10-01"))).message == "")
      #expect(shop.takeAsked() == ["/users?since=2023-10-01T00:00:00Z"])
      try "{\"id\":7,\"t\":\"2023-11-01T00:00:00Z\"}\n".write(
        toFile: rig.scratch.path("users.jsonl"), atomically: false, encoding: .utf8)
      #expect(await rig.run(try rig.flow(Self.keys("start: 2023-10-01"))).message == "")
      #expect(shop.takeAsked() == ["/users?since=2023-10-01T00:00:00Z"])
      #expect(try ids(rig) == [7, 1])
    }
  }

  @Test func `a look tells from where on a run would ask`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("end_query: until"))
      #expect(await flow.persisted().bound == "until=2023-11-14T22:13:20Z")
      #expect(await rig.run(flow).message == "")
      #expect(await flow.persisted().bound == "since=2023-11-01T00:00:00Z until=2023-11-14T22:13:20Z")
      #expect(shop.takeAsked().count == 1)
    }
  }

  @Test(arguments: [
    ("cursor: { field: t, query: since }", "persistence: { path: a.jsonl }", "cursor.persistence@7:26"),
    ("cursor: { field: t, query: since }", "persistence: disabled", "cursor.persistence@7:5"),
    ("cursor: { field: t, query: since }", "persistence: { path: a.jsonl, mode: append }", "cursor.persistence@7:26"),
    (
      "cursor: { field: t, query: since, bounds: \"(]\", lookback: 1d }",
      "persistence: { path: a.jsonl, mode: append }", "cursor.persistence@6:53"
    ),
    ("cursor: { field: t }", "persistence: { path: a.jsonl, mode: merge }", "cursor.bounds@6:13"),
    ("cursor: { field: x, query: since }", "persistence: { path: a.jsonl, mode: merge }", "cursor.field@6:22"),
    ("cursor: { query: since }", "persistence: { path: a.jsonl, mode: merge }", "flow.missing-key@6:5"),
    ("cursor: { field: t, qery: since }", "persistence: { path: a.jsonl, mode: merge }", "flow.unknown-key@6:25"),
  ])
  func `a cursor that cannot work is refused with its place`(
    _ cursor: String, _ persistence: String, _ place: String
  ) async throws {
    try await Rig.with { rig in
      let keys = "schema: { key: id, fields: { id: integer, t: timestamp } }\nresource: /users\n"
      let places = rig.compile(rig.text("\(cursor)\n\(persistence)\n\(keys)")).places
      #expect(places.contains(place), "\(places)")
    }
  }
}
