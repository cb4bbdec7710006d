import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import Storage
import TestSupport
import Testing

/// What a child sees of its parent: the whole of its persisted result.
@Suite struct ParentResultTests {
  static func flows(
    mode: String = "merge", format: String = "jsonl", parent: String = "cursor: { field: t, query: since }",
    save: String = "", each: String = "flow: orders, as: order", child: String = "mode: replace",
    more: String = ""
  ) -> String {
    """
    orders:
      resource: /orders
      schema: { key: id, fields: { id: integer, t: timestamp, note: string } }
      persistence: { path: orders.\(format), mode: \(mode)\(save) }
      \(parent)
    items:
      each: { \(each) }
      resource: "/orders/{{ order.id }}/items"
      schema: { key: id, fields: { id: integer } }
      persistence: { path: items.jsonl, expires_after: 1m, \(child) }
      \(more)
    """
  }

  private static let forms: [(mode: String, format: String, parent: String)] = [
    ("merge", "jsonl", "cursor: { field: t, query: since }"), ("merge", "json", "cursor: { field: t, query: since }"),
    ("merge", "csv", "cursor: { field: t, query: since }"), ("merge", "csv.gz", "cursor: { field: t, query: since }"),
    ("append", "jsonl.zst", "cursor: { field: t, query: since, bounds: \"(]\" }"),
    ("append", "jsonl", "cursor: { field: t, query: since, bounds: \"(]\" }"),
    ("merge", "jsonl", "cursor: { field: t, query: since }\n  wait: false"),
  ]

  @Test(arguments: forms)
  func `a child sees all records of its parent's result, also when the parent asked only for what is new`(
    _ form: (mode: String, format: String, parent: String)
  ) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(mode: form.mode, format: form.format, parent: form.parent))
      for run in await rig.run(flows) { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      rig.clock.advance(by: .seconds(120))
      shop.change(3) { $0.time = CursorTests.time(9) }
      for run in await rig.run(flows) { #expect(run.message == "" && run.failures.isEmpty) }
      let again = form.mode == "append" ? [30, 31] : []
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31] + again)
    }
  }

  @Test func `a child that merges finds the new children of parents that did not change`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(child: "mode: merge"))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      shop.change(1) { $0.items.append(12) }
      for run in await rig.run(flows) { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31, 12])
    }
  }

  @Test func `a parent's deleted records are not handed on`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(save: ", delete_when: source.gone"))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      shop.change(2) { ($0.note, $0.time) = ("gone", CursorTests.time(9)) }
      for run in await rig.run(flows) { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 30, 31])
    }
  }

  @Test(arguments: [true, false])
  func `children of a parent whose result could not be saved fail, and nothing of them is replaced`(
    _ isTolerated: Bool
  ) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(save: isTolerated ? ", fail_on_save_error: false" : ""))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      try rig.scratch.write("no json\n".utf8, to: "orders.jsonl")
      let runs = await rig.run(flows)
      #expect((runs[0].error == nil) == isTolerated)
      #expect(runs[1].message.hasPrefix("its parent 'shop.orders' failed: "), "\(runs[1].message)")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
    }
  }

  @Test(arguments: ["replace", "merge"])
  func `children of a parent whose records are all rejected fail, and nothing of them is replaced`(
    _ mode: String
  ) async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(mode: mode, parent: "", save: ", expires_after: 1m"))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      for id in 1...2 { shop.change(id) { $0.time = "no time" } }
      let runs = await rig.run(flows)
      #expect(runs[0].error?.kind == .parser)
      #expect(runs[1].message.hasPrefix("its parent 'shop.orders' failed: "), "\(runs[1].message)")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21])
    }
  }
}
