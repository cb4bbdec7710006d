import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Storage
import Synchronization
import TestSupport
import Testing

/// Asking only for parents that are new or changed.
@Suite struct ChangedParentTests {
  private static func flows(
    each: String = "flow: orders, as: order, only: changed", mode: String = "merge", more: String = ""
  ) -> String {
    ParentResultTests.flows(
      mode: "replace", parent: "", save: ", expires_after: 1m", each: each, child: "mode: \(mode)", more: more
    ).replacing("expires_after: 1m, mode: \(mode)", with: "mode: \(mode)")
  }

  /// Runs flows, after the parents' result has expired, and gives the orders whose items were asked for.
  private static func asked(
    _ rig: Rig, _ shop: OrderShop, _ flows: [DeclaredFlow], fails: Bool = false
  ) async -> [Int] {
    rig.clock.advance(by: .seconds(120))
    _ = shop.takeAsked()
    for (location, run) in await rig.run(flows).enumerated() {
      #expect((run.error != nil) == (fails && location == 1), "\(run.message)")
    }
    return shop.takeAskedOrders()
  }

  @Test func `only new and changed parents are asked for, and those that failed again`() async throws {
    let shop = OrderShop(4)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows())
      #expect(await Self.asked(rig, shop, flows) == [1, 2, 3, 4])
      #expect(await Self.asked(rig, shop, flows) == [])
      for id in [2, 3] { shop.change(id) { ($0.note, $0.items) = ("b", $0.items + [id * 10 + 2]) } }
      shop.broken.withLock { $0 = [3] }
      #expect(await Self.asked(rig, shop, flows) == [2, 3])
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31, 40, 41, 22])
      shop.orders.withLock { $0.append(.init(id: 5, time: CursorTests.time(5), items: [50])) }
      shop.broken.withLock { $0 = [] }
      #expect(await Self.asked(rig, shop, flows) == [3, 5])
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31, 40, 41, 22, 32, 50])
      // A record that is what it was before its change has changed.
      shop.change(2) { $0.note = "a" }
      #expect(await Self.asked(rig, shop, flows) == [2])
      #expect(await Self.asked(rig, shop, flows) == [])
    }
  }

  @Test func `when all changed parents fail the flow does, and they are asked for again`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows())
      #expect(await Self.asked(rig, shop, flows) == [1, 2, 3])
      shop.change(2) { $0.note = "b" }
      shop.broken.withLock { $0 = [2] }
      #expect(await Self.asked(rig, shop, flows, fails: true) == [2])
      shop.broken.withLock { $0 = [] }
      #expect(await Self.asked(rig, shop, flows) == [2])
    }
  }

  @Test func `what is remembered can be shown and forgotten, also by a full refresh`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows())
      #expect(flows[1].cursor == nil && flows[0].memory == nil)
      #expect(await Self.asked(rig, shop, flows) == [1, 2, 3])
      let access = try #require(flows[1].memory)
      #expect(await access.memory()?.asked == ["1", "2", "3"])
      #expect(await flows[1].persisted().bound == "new and changed parents, 3 are known")
      try await access.remember(nil, parent: "2")
      #expect(await access.memory()?.asked == ["1", "3"])
      await #expect(throws: ReactorError.self) { try await access.remember("7", parent: "2") }
      #expect(await Self.asked(rig, shop, flows) == [2])
      try await access.remember(nil, parent: nil)
      #expect(await Self.asked(rig, shop, flows) == [1, 2, 3])
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      shop.change(1) { $0.items = [12] }
      #expect(await Self.asked(rig, shop, try rig.flows(Self.flows(), inputs: inputs)) == [1, 2, 3])
      #expect(try rig.numbers("items.jsonl") == [12, 20, 21, 30, 31])
      #expect(await Self.asked(rig, shop, flows) == [])
    }
  }

  @Test func `parents that are gone are forgotten, except where records could come twice`() async throws {
    for (mode, known) in [("merge", ["1", "3"]), ("append", ["1", "2", "3"])] {
      let shop = OrderShop(3)
      try await shop.run { rig in
        let flows = try rig.flows(Self.flows(mode: mode))
        #expect(await Self.asked(rig, shop, flows) == [1, 2, 3])
        shop.orders.withLock { orders in orders.removeAll { $0.id == 2 } }
        #expect(await Self.asked(rig, shop, flows) == [])
        #expect(await flows[1].memory?.memory()?.asked == known, "\(mode)")
        #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
        #expect(rig.files.filter { $0.hasPrefix(".reactor/cursors/") }.count == 1)
      }
    }
  }

  @Test(arguments: [
    // The parents that are asked for in the second run, and in the third, in which order 2 has changed.
    ("product: [{ flow: orders, as: order, only: changed }, { values: [x, y], as: kind }]", [2, 2]),
    ("flow: orders, as: order, only: changed, key: [id, t]", [2]),
    ("flow: orders, as: order, only: changed, max: 1", []),
  ])
  func `products, keys and limits`(_ each: String, _ again: [Int]) async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(each: each))
      _ = await Self.asked(rig, shop, flows)
      #expect(await Self.asked(rig, shop, flows) == [])
      shop.change(2) { $0.note = "b" }
      #expect(await Self.asked(rig, shop, flows) == again)
    }
  }

  @Test func `records without a value for the key are asked for in each run`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try rig.scratch.write("{\"id\":1,\"code\":\"a\"}\n{\"id\":2}\n{\"id\":2,\"code\":null}\n".utf8, to: "in.jsonl")
      let flows = try rig.flows(Self.flows(each: "file: in.jsonl, as: order, key: code, only: changed"))
      #expect(await Self.asked(rig, shop, flows) == [1, 2, 2])
      #expect(await Self.asked(rig, shop, flows) == [2, 2])
    }
  }

  @Test func `of a batch the records are compared one by one`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let child = Self.flows(each: "flow: orders, only: changed, batch: 2, concurrency: 1")
        .replacing("/orders/{{ order.id }}/items", with: "/orders/{{ join(batch.map(o, string(o.id)), '-') }}/items")
      let flows = try rig.flows(child)
      func batches() async -> [String] {
        rig.clock.advance(by: .seconds(120))
        _ = shop.takeAsked()
        for run in await rig.run(flows) { #expect(run.message == "") }
        return shop.takeAsked().filter { $0.hasSuffix("/items") }
      }
      #expect(await batches() == ["/orders/1-2/items", "/orders/3/items"])
      #expect(await batches() == [])
      for id in [1, 3] { shop.change(id) { $0.note = "b" } }
      #expect(await batches() == ["/orders/1-3/items"])
    }
  }

  @Test(arguments: ["expect: { max: 100 }", "expect: { min: 0 }"])
  func `what is remembered holds when only what is expected of the records is edited`(_ keys: String) async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let (flows, edited) = (
        try rig.flows(Self.flows(mode: "append")), try rig.flows(Self.flows(mode: "append", more: keys))
      )
      #expect(await Self.asked(rig, shop, flows) == [1, 2])
      #expect(await Self.asked(rig, shop, edited) == [])
    }
  }

  @Test func `an appended result of which nothing is remembered is not added to`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(mode: "append"))
      #expect(await Self.asked(rig, shop, flows) == [1, 2])
      for name in rig.files where name.hasPrefix(".reactor/cursors/") {
        try FileManager.default.removeItem(atPath: rig.scratch.path(name))
      }
      #expect(await Self.asked(rig, shop, flows, fails: true) == [])
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21])
    }
  }

  @Test(
    arguments: [
      ("flow: orders, only: changed", "persistence: a.jsonl", "flow.each-changed@8:33"),
      ("flow: orders, only: changed", "persistence: { path: a.jsonl, mode: replace }", "flow.each-changed@8:33"),
      ("flow: orders, only: changed", "persistence: disabled", "flow.each-changed@8:33"),
      ("flow: orders, only: changed", "", "flow.each-changed@8:33"),
      ("flow: loose, only: changed", "persistence: { path: a.jsonl, mode: append }", "flow.each-changed@8:32"),
      ("flow: loose, only: changed, key: id", "persistence: { path: a.jsonl, mode: append }", nil),
      (
        "flow: orders, only: changed, key: no", "persistence: { path: a.jsonl, mode: append }",
        "schema.unknown-field@8:47"
      ),
      (
        "flow: orders, only: changed",
        "persistence: { path: a.jsonl, mode: append }\n    pages: { by: page, query: page, partial: keep }",
        "flow.each-changed@8:33"
      ),
      (
        "flow: orders, only: changed",
        "persistence: { path: a.jsonl, mode: merge }\n    pages: { by: page, query: page, partial: keep }", nil
      ),
    ] as [(String, String, String?)])
  func `what it needs is asked for with its location`(_ each: String, _ persistence: String, _ location: String?)
    async throws
  {
    try await Rig.with { rig in
      let text = """
        reactor: 1
        http: { base_url: "http://127.0.0.1:1" }
        flows:
          orders: { resource: /orders, schema: { key: id, fields: { id: integer } } }
          loose: { resource: /orders }
          items:
            resource: "/orders/{{ parent.id }}/items"
            each: { \(each) }
            schema: { key: id, fields: { id: integer } }
            \(persistence)

        """
      #expect(rig.compile(text).locations == [location].compactMap { $0 })
    }
  }
}
