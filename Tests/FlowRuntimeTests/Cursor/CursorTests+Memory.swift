import FlowCompiler
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

/// What is remembered, shown, set, lost and refused.
extension CursorTests {
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

  /// The value is announced in a line of its own before its records are put in place, and confirmed in another one after
  /// that: whatever a cut leaves of the second line, the first one holds for records that are there.
  @Test func `a journal that is cut at any byte leaves the data, and the value when it was announced`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(2))])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 2023-11-01"))
      #expect(await rig.run(flow).message == "")
      let journal = rig.scratch.path(".reactor.stamps")
      let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
      #expect(whole.count > 100)
      // Every writing begins with a line end, against what somebody left torn.
      let announced = try #require(whole.dropFirst().firstIndex(of: UInt8(ascii: "\n"))) + 1
      #expect(announced < whole.count)
      for count in 0..<whole.count {
        await rig.letGo()
        try whole.prefix(count).write(to: URL(fileURLWithPath: journal))
        // A line's last byte is its end, without which it is not whole.
        let isKnown = count >= announced
        let memory = await flow.cursor?.memory()
        #expect((memory != nil) == isKnown, "cut at \(count)")
        guard count % 40 == 0 || count == announced else { continue }
        _ = shop.takeAsked()
        #expect(await rig.run(flow).message == "")
        #expect(shop.takeAsked() == ["/users?since=2023-11-0\(isKnown ? 2 : 1)T00:00:00Z"])
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
      let flow = try rig.flow(Self.keys("query: { start: since, end: until }"))
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
    ("cursor: { query: since }", "persistence: { path: a.jsonl, mode: merge }", "flow.missing-key@6:13"),
    ("cursor: { field: t, qery: since }", "persistence: { path: a.jsonl, mode: merge }", "flow.unknown-key@6:25"),
  ])
  func `a cursor that cannot work is refused with its location`(
    _ cursor: String, _ persistence: String, _ location: String
  ) async throws {
    try await Rig.with { rig in
      let keys = "schema: { key: id, fields: { id: integer, t: timestamp } }\nresource: /users\n"
      let locations = rig.compile(rig.text("\(cursor)\n\(persistence)\n\(keys)")).locations
      #expect(locations.contains(location), "\(locations)")
    }
  }
}
