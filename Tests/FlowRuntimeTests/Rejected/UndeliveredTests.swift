import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import JSONSyntax
import ReactorCore
import Testing
import TestSupport

/// Rejected records of flows that ask only for what is new: nothing that a cursor has passed is lost.
@Suite(.timeLimit(.minutes(1))) struct UndeliveredTests {
  static let schema = "schema: { key: id, fields: { id: integer, seq: integer, name: string } }\n"

  static func keys(_ cursor: String = "", mode: String = "merge", _ more: String = "") -> String {
    schema + "persistence: { path: users.jsonl, mode: \(mode) }\nrejected: bad.jsonl\n"
      + "cursor: { field: seq\(cursor.contains("query:") ? "" : ", query: from")\(cursor) }\n\(more)"
  }

  static func flow(
    _ rig: Rig, _ keys: String = UndeliveredTests.keys(), _ change: (inout FlowCompiler.Inputs) -> Void = { _ in }
  ) throws -> DeclaredFlow {
    var inputs = FlowCompiler.Inputs()
    change(&inputs)
    return try rig.flow(keys, inputs: inputs)
  }

  static func retry(_ rig: Rig, _ keys: String = UndeliveredTests.keys()) throws -> DeclaredFlow {
    try flow(rig, keys) { $0.isRetryingRejected = true }
  }

  static func lines(_ rig: Rig) throws -> [JSONValue] {
    try (rig.scratch.text("bad.jsonl") ?? "").split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  static func ids(_ rig: Rig) throws -> [Int64?] { try lines(rig).map { $0["key"]?["id"]?.int64 } }

  static func short(_ run: FlowRun) -> [String] {
    run.events.compactMap { if case .cutShort(let error) = $0 { error.message } else { nil } }
  }

  private static let five: [NumberedOrders.Order] = [
    ("1", 10, "a"), ("5", 20, nil), ("2", 30, "b"),
  ]

  static func with(
    _ orders: [NumberedOrders.Order] = five, bounds: String = "[)", _ body: (Rig, NumberedOrders) async throws -> Void
  ) async throws {
    try await Rig.with { rig in
      let server = NumberedOrders(orders)
      rig.answer(server.script(bounds))
      try await body(rig, server)
    }
  }

  @Test func `a rejected record that the cursor has passed stays in its file, with what is needed to ask for it`()
    async throws
  {
    try await Self.with { rig, _ in
      let flow = try Self.flow(rig)
      #expect(await rig.run(flow).kept == 2)
      for _ in 0..<2 {
        #expect(await rig.run(flow).error == nil)
        #expect(rig.server.requests.last?.target == "/users?from=30")
        let line = try #require(try Self.lines(rig).first)
        #expect(try Self.ids(rig) == [5])
        #expect(line["cursor"] == .object(["start": .string("20")]))
        #expect(line["record"]?["id"]?.int64 == 5 && line["each"] == nil && line["parents"] == nil)
      }
    }
  }

  @Test func `it leaves when a record with its key arrives that fits, and not before this is persisted`() async throws {
    try await Self.with { rig, server in
      _ = await rig.run(try Self.flow(rig))
      server.fix("5", seq: 40)
      // What the flow does not persist is not delivered.
      let refused = await rig.run(try Self.flow(rig, Self.keys("", "expect: { min: 9 }")))
      #expect(refused.error?.kind == .parser)
      #expect(try Self.ids(rig) == [5])
      #expect(await rig.run(try Self.flow(rig)).error == nil)
      #expect(rig.scratch.text("bad.jsonl") == "")
      #expect(rig.result?.contains("fixed") == true)
    }
  }

  @Test func `a record that says that it is gone is not waited for`() async throws {
    let keys = Self.keys().replacing("mode: merge", with: "mode: merge, delete_when: source.name == 'gone'")
    try await Self.with { rig, server in
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(try Self.ids(rig) == [5])
      server.fix("5", seq: 40, name: "gone")
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  /// Records that do not fit: with their key, and without one that can be read.
  private static let misfits: [NumberedOrders.Order] = [("5", 20, nil), ("\"x\"", 20, "n"), ("null", 20, nil)]

  @Test(arguments: misfits)
  func `a record that is rejected again replaces its earlier line`(_ misfit: NumberedOrders.Order) async throws {
    try await Self.with([("1", 10, "a"), misfit, ("2", 30, "b")]) { rig, _ in
      let flow = try Self.flow(rig, Self.keys(", lookback: 15"))
      for _ in 0..<3 {
        #expect(await rig.run(flow).error == nil)
        #expect(try Self.lines(rig).count == 1)
      }
      #expect(rig.server.requests.last?.target == "/users?from=15")
    }
  }

  @Test func `two records without a key that differ are two`() async throws {
    try await Self.with([("1", 10, "a"), ("null", 20, "b"), ("null", 20, "c")]) { rig, _ in
      let flow = try Self.flow(rig, Self.keys(", lookback: 15"))
      for _ in 0..<2 { _ = await rig.run(flow) }
      #expect(try Self.lines(rig).map { $0["record"]?["name"]?.string } == ["b", "c"])
    }
  }

  @Test func `they are asked for again by their range, and the cursor stays where it is`() async throws {
    try await Self.with { rig, server in
      _ = await rig.run(try Self.flow(rig))
      server.fix("5")
      let run = await rig.run(try Self.retry(rig))
      #expect(run.error == nil && run.save == .saved)
      #expect(rig.server.requests.last?.target == "/users?from=20")
      #expect(Self.short(run) == [])
      #expect(rig.scratch.text("bad.jsonl") == "")
      let result = try #require(rig.result)
      #expect(result.split(separator: "\n").count == 3 && result.contains("fixed"))
      _ = await rig.run(try Self.flow(rig))
      #expect(rig.server.requests.last?.target == "/users?from=30")
      // There is nothing left to ask for.
      let before = rig.server.requests.count
      #expect(await rig.run(try Self.retry(rig)).error == nil)
      #expect(rig.server.requests.count == before)
    }
  }

  @Test func `what a retry does not get stays, and is reported`() async throws {
    try await Self.with([("1", 10, "a"), ("5", 20, nil), ("6", 21, nil), ("7", 22, nil), ("2", 30, "b")]) {
      rig, server in
      _ = await rig.run(try Self.flow(rig))
      server.fix("6")
      let run = await rig.run(try Self.retry(rig))
      #expect(run.error == nil)
      #expect(Self.short(run) == ["2 rejected records are still not delivered"])
      #expect(Set(try Self.ids(rig)) == [5, 7])
      server.set([("1", 10, "a"), ("2", 30, "b")])
      #expect(Self.short(await rig.run(try Self.retry(rig))) == ["2 rejected records are still not delivered"])
      #expect(Set(try Self.ids(rig)) == [5, 7])
    }
  }

  @Test func `a line that somebody removes is asked for no more`() async throws {
    try await Self.with { rig, server in
      _ = await rig.run(try Self.flow(rig))
      try rig.scratch.write("".utf8, to: "bad.jsonl")
      let before = rig.server.requests.count
      #expect(await rig.run(try Self.retry(rig)).error == nil)
      #expect(rig.server.requests.count == before)
    }
  }

  @Test func `a full refresh begins anew`() async throws {
    try await Self.with { rig, server in
      _ = await rig.run(try Self.flow(rig))
      server.set([("1", 10, "a")])
      let flow = try Self.flow(rig) { $0.isFullRefresh = true }
      #expect(await rig.run(flow).error == nil)
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `a retry fails without losing a line when the server does`() async throws {
    try await Self.with { rig, _ in
      _ = await rig.run(try Self.flow(rig))
      let before = rig.scratch.text("bad.jsonl")
      rig.answer(answer("404 Not Found", "{}"))
      #expect(await rig.run(try Self.retry(rig)).error?.status == 404)
      #expect(rig.scratch.text("bad.jsonl") == before)
    }
  }

  /// Bounds of the server, and what a retry asks for the record at 20 that was asked for from 5 on.
  private static let bounds = [
    ("[)", "from=20&until=21"), ("[]", "from=20&until=20"), ("(]", "from=19&until=20"), ("()", "from=19&until=21"),
  ]

  @Test(arguments: bounds)
  func `the range surely holds the record and little else`(_ bounds: String, _ asked: String) async throws {
    let keys = Self.keys(", start: 5, end: 1000, query: { start: from, end: until }, bounds: \"\(bounds)\"")
    try await Self.with(bounds: bounds) { rig, server in
      let (flow, again) = (try Self.flow(rig, keys), try Self.retry(rig, keys))
      #expect(await rig.run(flow).kept == 2)
      server.fix("5")
      #expect(await rig.run(again).kept == 1)
      #expect(rig.server.requests.last?.target == "/users?\(asked)")
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `a record without a value of the cursor is asked for by the range in which it came`() async throws {
    let keys = Self.keys(", start: 5, end: 1000, query: { start: from, end: until }")
    try await Rig.with { rig in
      rig.answer(ok("[{\"id\":1,\"seq\":10,\"name\":\"a\"},{\"id\":5,\"seq\":null,\"name\":\"b\"}]"))
      _ = await rig.run(try Self.flow(rig, keys))
      _ = await rig.run(try Self.retry(rig, keys))
      #expect(rig.server.requests.map(\.target) == Array(repeating: "/users?from=5&until=1000", count: 2))
    }
  }

  @Test func `what is appended is not asked for again, because it could come twice`() async throws {
    let keys = Self.keys(", bounds: \"(]\"", mode: "append")
    try await Self.with(bounds: "(]") { rig, server in
      _ = await rig.run(try Self.flow(rig, keys))
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(try Self.ids(rig) == [5])
      let before = (rig.result, rig.server.requests.count)
      let run = await rig.run(try Self.retry(rig, keys))
      #expect(run.error?.kind == .persistence)
      #expect(
        run.message.contains("1 rejected record cannot be requested again") && run.message.contains("'mode: append'"))
      #expect(run.error?.help?.contains("--fresh=everything") == true)
      #expect(rig.result == before.0 && rig.server.requests.count == before.1)
      #expect(try Self.ids(rig) == [5])
      // It is delivered where it comes by itself.
      server.fix("5", seq: 40)
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `lines of earlier versions stay until their records arrive`() async throws {
    try await Self.with([("1", 10, "a")]) { rig, server in
      let old =
        "{\"flow\":\"shop.users\",\"page\":1,\"index\":1,\"pointer\":\"/name\",\"rule\":\"string\",\"reason\":\"no\","
        + "\"request\":{\"method\":\"GET\",\"url\":\"http://a\"},\"record\":{\"id\":5,\"seq\":4,\"name\":null}}\n"
      try rig.scratch.write(old.utf8, to: "bad.jsonl")
      _ = await rig.run(try Self.flow(rig))
      #expect(rig.scratch.text("bad.jsonl") == old)
      // Nothing says where to ask for them.
      let before = rig.server.requests.count
      #expect(Self.short(await rig.run(try Self.retry(rig))) == ["1 rejected record is still not delivered"])
      #expect(rig.server.requests.count == before && rig.scratch.text("bad.jsonl") == old)
      server.set([("1", 10, "a"), ("5", 60, "fixed")])
      _ = await rig.run(try Self.flow(rig))
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `a file that cannot be read is an error, and stays`() async throws {
    try await Self.with { rig, _ in
      try rig.scratch.write("{".utf8, to: "bad.jsonl")
      let run = await rig.run(try Self.flow(rig))
      #expect(run.error?.kind == .persistence && run.message.contains("bad.jsonl"))
      #expect(rig.scratch.text("bad.jsonl") == "{" && rig.result == nil)
    }
  }
}
