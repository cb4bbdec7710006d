import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Sources whose records are used one after the other.
@Suite struct UnionTests {
  private static func flows(
    _ each: String, path: String = "/orders/{{ order.id }}/items", more: String = "", child: String = "mode: replace"
  ) -> String {
    """
    orders:
      resource: /orders
      schema: { key: id, fields: { id: integer, t: timestamp, note: string } }
    items:
      each: { concurrency: 1, as: order, \(each) }
      resource: "\(path)"
      schema: { key: id, fields: { id: integer } }
      persistence: { path: items.jsonl, expires_after: 1m, \(child) }
      \(more)
    """
  }

  @Test(arguments: [
    ("union: [{ values: [3, 9] }, orders, { file: old.jsonl }], key: id", ["3", "9", "1", "2", "7", "none"]),
    ("union: [{ file: old.jsonl }, orders, { values: [9, 7] }], key: id", ["7", "2", "none", "1", "3", "9"]),
    ("union: [orders, { file: old.jsonl }]", ["1", "2", "3", "7", "2", "7", "none"]),
    ("union: [orders, { file: old.jsonl }], key: id, max: 4", ["1", "2", "3", "7"]),
    ("union: [{ values: \"{{ split('a,b', ',') }}\" }, { values: [b, c] }], key: id", ["a", "b", "c"]),
    ("union: [{ values: \"{{ json('[]') }}\" }, orders], key: id", ["1", "2", "3"]),
  ])
  func `the sources are used in their order, and with a key the first of equal records`(
    _ each: String, _ ids: [String]
  ) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      try rig.scratch.write("{\"id\":7}\n{\"id\":2}\n{\"id\":7}\n{\"note\":\"x\"}\n".utf8, to: "old.jsonl")
      let text = Self.flows(each, path: "/orders/{{ coalesce(order.id, 'none') }}/items")
      let flows = try rig.flows(text)
      for run in await rig.run(flows) { #expect(run.message == "") }
      let paths = rig.server.requests.map(\.target).filter { $0.hasSuffix("/items") }
      #expect(paths == ids.map { "/orders/\($0)/items" }, "\(paths)")
    }
  }

  @Test func `a value and a record with one key have one position`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try rig.scratch.write("{\"id\":1}\n{\"id\":2}\n".utf8, to: "old.jsonl")
      for each in ["union: [{ file: old.jsonl }], key: id", "union: [{ values: [2] }, { file: old.jsonl }], key: id"] {
        let text = """
          each: { concurrency: 1, \(each) }
          resource: { path: "/orders/{{ parent.id }}/items", query: { since: "{{ coalesce(cursor.start, '') }}" } }
          schema: { key: id, fields: { id: integer } }
          cursor: { field: id }
          persistence: { path: out.jsonl, mode: merge }
          """
        // Another union is another result, whose positions begin at the start.
        #expect(await rig.run(try rig.flow(text)).message == "")
        #expect(await rig.run(try rig.flow(text)).message == "")
      }
      let asked = rig.server.requests.map { ($0.target.split(separator: "?").first.map(String.init) ?? "", $0.target) }
        .map { "\($0.0.split(separator: "/")[1]) \($0.1.hasSuffix("since=") ? "all" : "new")" }
      #expect(asked == ["1 all", "2 all", "1 new", "2 new", "2 all", "1 all", "2 new", "1 new"], "\(asked)")
    }
  }

  @Test func `only changed records of a union are asked for`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let text = Self.flows(
        "union: [{ values: [8] }, orders], key: id, only: changed", child: "mode: merge"
      ).replacing("expires_after: 1m, ", with: "")
      let flows = try rig.flows(text)
      for asked in [[1, 2, 3, 8], [], [2]] {
        _ = shop.takeAsked()
        for run in await rig.run(flows) { #expect(run.message == "") }
        #expect(shop.takeAskedOrders() == asked)
        shop.change(2) { $0.note += asked.isEmpty ? "b" : "" }
      }
    }
  }

  @Test func `a missing file of a union fails the flow`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let runs = await rig.run(try rig.flows(Self.flows("union: [orders, { file: old.jsonl }], key: id")))
      #expect(runs.last?.message == "there is no file 'old.jsonl' to read records from")
    }
  }

  @Test func `a union is described with its sources in order`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows("union: [{ values: [3] }, orders, { file: old.jsonl }], key: id"))
      let items = try #require(flows.last).plan.explanation.items
      #expect(items.first { $0.heading == "each" }?.text == "1 value, then shop.orders, then old.jsonl as order")
      #expect(items.first { $0.heading == "  known by" }?.text == "order.id")
    }
  }

  private static let shop = """
    reactor: 1
    http: { base_url: https://api.example.com }
    schemas: { old: { fields: { id: integer, note: string?, region: string } } }
    flows:
      orders: { resource: /orders, schema: { fields: { id: integer, note: string, t: timestamp } } }
      all:
        each: EACH
        resource: "/x/{{ VALUE }}"
    """

  @Test(arguments: [
    ("{ union: [orders, { file: a.csv, schema: old }] }", "parent.id", nil),
    ("{ union: [orders, { file: a.csv, schema: old }] }", "parent.region", "'parent.region' may be missing"),
    ("{ union: [orders, { file: a.csv, schema: old }] }", "parent.note", "'parent.note' may be missing"),
    ("{ union: [orders, { file: a.csv, schema: old }] }", "parent.regin", "'parent' has no member 'regin'"),
    ("{ union: [orders, { file: a.jsonl }] }", "parent.other", nil),
    ("{ union: [orders, { values: [1] }], key: id }", "parent.id", nil),
    ("{ union: [orders, { values: [1] }], key: id }", "parent.note", "'parent.note' may be missing"),
    ("{ union: [orders, { values: [1] }], key: idd }", "1", "the records of 'shop.orders' have no field 'idd'"),
    ("{ union: [orders, { values: [a] }], key: id }", "upper(string(parent.id))", nil),
    ("{ union: [ordes] }", "1", "flow 'ordes' is not in this file"),
  ])
  func `templates have the fields of all sources`(_ each: String, _ value: String, _ message: String?) throws {
    let text = Self.shop.replacing("EACH", with: each).replacing("VALUE", with: value)
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "shop.yaml", bytes: Array(text.utf8))])
    let found = loaded.diagnostics.diagnostics.map(\.message)
    #expect(found.count == (message == nil ? 0 : 1) && found.first?.hasPrefix(message ?? "") ?? true, "\(found)")
  }

  @Test func `a change that no key tells is an error`() throws {
    let text = Self.shop.replacing("EACH", with: "{ union: [orders], only: changed }").replacing("VALUE", with: "1")
      .replacing("resource: \"", with: "persistence: { path: a.jsonl, mode: append }\n    resource: \"")
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "shop.yaml", bytes: Array(text.utf8))])
    #expect(
      loaded.diagnostics.diagnostics.map(\.message) == [
        "the records of the union have no key, so a changed record cannot be recognized"
      ])
  }
}
