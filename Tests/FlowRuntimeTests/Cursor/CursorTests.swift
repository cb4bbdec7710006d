import FlowRuntime
import FlowSpec
import FlowTesting
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
      if broken.withLock({ $0.contains { text.contains($0) } }) { return FlowTesting.answer("500 Oh No", "{}") }
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

  static func keys(_ cursor: String, mode: String = "merge", type: String = "timestamp", rest: String = "")
    -> String
  {
    """
    schema: { key: id, fields: { id: integer, t: \(type) } }
    persistence: { path: users.jsonl, mode: \(mode) }
    cursor: { field: t, \(cursor.contains("query: ") ? "" : "query: since, ")\(cursor) }
    \(rest)
    """
  }

  static func time(_ day: Int, _ clock: String = "00:00:00") -> String {
    "2023-11-\(day < 10 ? "0" : "")\(day)T\(clock)Z"
  }

  /// Gives the body a rig whose server is a shop.
  static func with(_ shop: Shop, _ body: (Rig) async throws -> Void) async throws {
    try await Rig.with { rig in
      rig.answer { shop.answer($0) }
      try await body(rig)
    }
  }

  func ids(_ rig: Rig, _ name: String = "users.jsonl") throws -> [Int64] {
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
}
