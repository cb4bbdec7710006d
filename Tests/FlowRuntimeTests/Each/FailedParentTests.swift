import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import Storage
import Synchronization
import TestSupport
import Testing

/// What becomes of the records of parents whose requests fail.
@Suite struct FailedParentTests {
  static func flow(
    _ rig: Rig, each: String = "values: [1, 2, 3], as: id", _ save: String = "path: items.jsonl",
    id: String = "id", more: String = "",
    inputs: FlowCompiler.Inputs = .init()
  ) throws -> DeclaredFlow {
    try rig.flow(
      """
      each: { \(each) }
      resource: "/orders/{{ \(id) }}/items"
      schema: { key: id, fields: { id: integer } }
      persistence: { \(save) }
      \(more)
      """, inputs: inputs)
  }

  static func cut(_ run: FlowRun) -> String {
    for event in run.events { if case .cutShort(let error) = event { return error.message } }
    return ""
  }

  @Test(arguments: ["items.jsonl", "items.json", "items.csv", "items.jsonl.gz", "items.json.zst", "items.csv.gz"])
  func `a parent that fails keeps its records in its turn, others are replaced`(_ path: String) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flow = try Self.flow(rig, "path: \(path)")
      #expect(await rig.run(flow, .fresh).message == "")
      for failed in [1, 2, 3] {
        shop.broken.withLock { $0 = [failed] }
        for id in 1...3 { shop.change(id) { $0.items = [id * 100 + failed] } }
        #expect(await rig.run(flow, .fresh).message == "")
      }
      // The last run asked for 1 and 2; 3 was last read when 2 failed.
      #expect(try rig.numbers(path) == [103, 203, 302])
    }
  }

  @Test func `a run in which most parents fail changes nothing`() async throws {
    let shop = OrderShop([
      .init(id: 1, time: "", items: [10]), .init(id: 2, time: "", items: [20]), .init(id: 3, time: "", items: []),
    ])
    try await shop.run { rig in
      let flow = try Self.flow(rig)
      #expect(await rig.run(flow, .fresh).message == "")
      shop.broken.withLock { $0 = [1, 2] }
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("2 of 3 partitions failed"), "\(run.message)")
      #expect(try rig.numbers("items.jsonl") == [10, 20])
    }
  }

  @Test func `a full refresh of a merged result fails when a parent does, and changes nothing`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let (keys, more) = ("path: items.jsonl, mode: merge", "cursor: { field: id, query: after }")
      #expect(await rig.run(try Self.flow(rig, keys, more: more)).message == "")
      shop.broken.withLock { $0 = [2] }
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let run = await rig.run(try Self.flow(rig, keys, more: more, inputs: inputs))
      #expect(run.message.contains("1 of 3 partitions failed"), "\(run.message)")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      _ = shop.takeAsked()
      #expect(await rig.run(try Self.flow(rig, keys, more: more)).message == "")
      #expect(shop.takeAsked() == ["/orders/1/items?after=11", "/orders/2/items?after=21", "/orders/3/items?after=31"])
    }
  }

  @Test func `what is retained is reported with its time, and a parent without earlier records has none`() async throws
  {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flow = try Self.flow(rig, "path: items.jsonl, expires_after: never")
      shop.broken.withLock { $0 = [2] }
      #expect(Self.cut(await rig.run(flow, .fresh)).hasPrefix("1 of 3 partitions failed; the first: "))
      #expect(try rig.numbers("items.jsonl") == [10, 11, 30, 31])
      shop.broken.withLock { $0 = [] }
      _ = await rig.run(flow, .fresh)
      shop.broken.withLock { $0 = [2] }
      for _ in 0..<2 {
        rig.clock.advance(by: .seconds(3600))
        let run = await rig.run(flow, .fresh)
        #expect(
          Self.cut(run).hasSuffix("; 2 earlier records are retained, from 2023-11-14T22:13:20Z"), "\(Self.cut(run))")
        #expect(run.kept == 4 && run.outcome?.report.rejected == 1)
        #expect(await rig.run(flow).kept == 6)
      }
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      #expect(rig.files.filter { $0.hasPrefix(".reactor/cursors/") }.count == 1)
    }
  }

  @Test func `a parent that is gone loses its records, and parents may change their order`() async throws {
    let shop = OrderShop(4)
    try await shop.run { rig in
      func run(_ ids: [Int], failing: Set<Int>) async throws -> [Int] {
        try rig.scratch.write(ids.map { "{\"n\":\($0)}\n" }.joined().utf8, to: "in.jsonl")
        shop.broken.withLock { $0 = failing }
        let run = await rig.run(try Self.flow(rig, each: "file: in.jsonl, as: id", id: "id.n"), .fresh)
        #expect(run.message == "")
        return try rig.numbers("items.jsonl").filter { $0 % 10 == 0 }
      }
      // The request tells parents without a key apart.
      let runs: [(ids: [Int], failing: Set<Int>, result: [Int])] = [
        ([1, 2, 3, 4], [], [10, 20, 30, 40]), ([4, 3, 1], [3], [40, 30, 10]), ([1, 2, 3, 4], [2], [10, 30, 40]),
        ([3, 3, 4, 1], [3], [30, 40, 10]),
      ]
      for (ids, failing, result) in runs {
        let found = try await run(ids, failing: failing)
        #expect(found == result)
      }
    }
  }

  @Test func `records are retained when only what is expected of them was edited`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      #expect(await rig.run(try Self.flow(rig), .fresh).message == "")
      shop.broken.withLock { $0 = [2] }
      let run = await rig.run(try Self.flow(rig, more: "expect: { max: 100 }"), .fresh)
      #expect(run.message == "" && Self.cut(run).contains("2 earlier records are retained"))
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
    }
  }

  @Test(arguments: ["schema", "request", "content"])
  func `records of another flow, schema or content are not retained`(_ change: String) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      #expect(await rig.run(try Self.flow(rig), .fresh).message == "")
      shop.broken.withLock { $0 = [2] }
      if change == "content" { try rig.scratch.write("{\"id\":7}\n".utf8, to: "items.jsonl") }
      let text = rig.text(
        """
        each: { values: [1, 2, 3], as: id }
        resource: \(change == "request" ? "{ path: \"/orders/{{ id }}/items\", query: { a: b } }" : "\"/orders/{{ id }}/items\"")
        schema: { key: id, fields: { id: \(change == "schema" ? "json" : "integer") } }
        persistence: { path: items.jsonl }
        """)
      let run = await rig.run(try #require(rig.compile(text).flows.first), .fresh)
      #expect(run.message == "" && !Self.cut(run).contains("retained"))
      #expect(try rig.numbers("items.jsonl") == [10, 11, 30, 31])
    }
  }

  @Test(
    arguments: [
      // How many of four may fail by which bound; nil is the default.
      (nil, 2, true), (nil, 3, false), ("0", 1, false), ("3", 3, true), ("25%", 1, true), ("25%", 2, false),
      ("100%", 3, true), ("100%", 4, false),
    ] as [(String?, Int, Bool)])
  func `more failures than may be fail the flow`(_ bound: String?, _ failing: Int, _ passes: Bool) async throws {
    let shop = OrderShop(4)
    try await shop.run { rig in
      let flow = try Self.flow(
        rig, each: "values: [1, 2, 3, 4], as: id" + (bound.map { ", max_rejected: \($0)" } ?? ""),
        more: "rejected: bad.jsonl")
      #expect(await rig.run(flow, .fresh).message == "")
      for id in 1...4 { shop.change(id) { $0.items = [id] } }
      shop.broken.withLock { $0 = Set(1...failing) }
      let run = await rig.run(flow, .fresh)
      #expect((run.error == nil) == passes, "\(run.message)")
      #expect(try rig.numbers("items.jsonl").contains(4) == passes)
      // What failed is in the file of rejected records in any case.
      #expect(rig.scratch.text("bad.jsonl")?.split(separator: "\n").count == failing)
      if !passes, failing < 4 { #expect(run.message.contains("('each.max_rejected')"), "\(run.message)") }
    }
  }

  @Test func `a flow that sends has no bound unless it says one`() async throws {
    for (bound, passes) in [("", true), (", max_rejected: 50%", false)] {
      let shop = OrderShop(4)
      try await shop.run { rig in
        let text = rig.text(
          """
          each: { values: [1, 2, 3, 4], as: id\(bound) }
          resource: { path: "/orders/{{ id }}/items", method: POST, body: { json: { a: 1 } } }
          schema: { key: id, fields: { id: integer } }
          persistence: { path: items.jsonl }
          """)
        shop.broken.withLock { $0 = [1, 2, 3] }
        let run = await rig.run(try #require(rig.compile(text).flows.first), .fresh)
        #expect((run.error == nil) == passes, "\(run.message)")
        #expect((rig.scratch.text("items.jsonl") != nil) == passes)
      }
    }
  }

  @Test(arguments: ["items.jsonl", "items.json", "items.csv", "items.jsonl.gz", "items.json.zst", "items.csv.gz"])
  func `what is asked for again takes the location of what was retained`(_ path: String) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      var inputs = FlowCompiler.Inputs()
      inputs.isRetryingRejected = true
      let more = "rejected: bad.jsonl"
      let (flow, retry) = (
        try Self.flow(rig, "path: \(path)", more: more), try Self.flow(rig, "path: \(path)", more: more, inputs: inputs)
      )
      #expect(await rig.run(flow, .fresh).message == "")
      shop.broken.withLock { $0 = [2] }
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(try rig.numbers(path) == [10, 11, 20, 21, 30, 31])
      shop.broken.withLock { $0 = [] }
      shop.change(2) { $0.items = [22] }
      #expect(await rig.run(retry, .fresh).message == "")
      #expect(try rig.numbers(path) == [10, 11, 30, 31, 22])
      #expect(await rig.run(flow).kept == 5)
      // What belongs to whom is still known.
      shop.broken.withLock { $0 = [2] }
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(try rig.numbers(path) == [10, 11, 22, 30, 31])
    }
  }

  @Test func `a batch that fails keeps its records when its items are the same`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      func run(_ ids: String, failing: Set<Int>) async throws -> [Int] {
        try rig.scratch.write(ids.split(separator: ",").map { "{\"id\":\($0)}\n" }.joined().utf8, to: "in.jsonl")
        shop.broken.withLock { $0 = failing }
        let text = rig.text(
          """
          each: { file: in.jsonl, schema: { key: id, fields: { id: integer } }, batch: 2, max_rejected: 100% }
          resource: "/orders/{{ batch.map(o, string(o.id))[0] }}/items"
          schema: { key: id, fields: { id: integer } }
          persistence: { path: items.jsonl }
          """)
        let run = await rig.run(try #require(rig.compile(text).flows.first), .fresh)
        #expect(run.message == "")
        return try rig.numbers("items.jsonl")
      }
      let runs: [(ids: String, failing: Set<Int>, result: [Int])] = [
        ("1,2,3", [], [10, 11, 30, 31]), ("1,2,3", [1], [10, 11, 30, 31]), ("1,4,3", [1], [30, 31]),
      ]
      for (ids, failing, result) in runs {
        let found = try await run(ids, failing: failing)
        #expect(found == result)
      }
    }
  }

  @Test func `many records are retained, over the limits of every buffer`() async throws {
    for path in ["items.jsonl", "items.json", "items.csv"] {
      let shop = OrderShop([
        .init(id: 1, time: "", items: [1]), .init(id: 2, time: "", items: Array(1000..<90_000)),
        .init(id: 3, time: "", items: [3]),
      ])
      try await shop.run { rig in
        let flow = try Self.flow(rig, "path: \(path)")
        #expect(await rig.run(flow, .fresh).message == "")
        let before = rig.scratch.bytes(path)
        shop.broken.withLock { $0 = [2] }
        for _ in 0..<2 { #expect(await rig.run(flow, .fresh).message == "") }
        #expect(rig.scratch.bytes(path) == before)
      }
    }
  }
}

/// What the children of a flow see whose parents fail, or are not all there.
@Suite struct ShortParentTests {
  private static func flows(_ format: String, parent: String) -> String {
    """
    lists:
      each: { values: [1, 2, 3], as: id }
      resource: "/orders/{{ id }}/items"
      schema: { fields: { id: integer } }
      persistence: { path: lists.\(format), expires_after: 1m }
    items:
      each: lists
      resource: "/orders/{{ parent.id }}/items"
      schema: { fields: { id: integer } }
      persistence: { path: items.jsonl, expires_after: 1m }
    """
  }

  @Test(arguments: ["jsonl", "json", "csv", "jsonl.gz", "csv.zst"])
  func `children see the records that are retained`(_ format: String) async throws {
    // The items of 1, 2 and 3 are orders 4, 5 and 6 themselves.
    let shop = OrderShop((1...6).map { .init(id: $0, time: "", items: [$0 < 4 ? $0 + 3 : $0 * 10]) })
    try await shop.run { rig in
      let flows = try rig.flows(Self.flows(format, parent: ""))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      shop.broken.withLock { $0 = [2] }
      let runs = await rig.run(flows)
      for run in runs { #expect(run.message == "") }
      #expect(try rig.numbers("items.jsonl") == [40, 50, 60])
      #expect(FailedParentTests.cut(runs[1]).hasPrefix("only some parents could be read: 1 of 3 partitions failed"))
    }
  }

  @Test func `a child keeps the records of parents that nobody gave it`() async throws {
    let shop = OrderShop((1...6).map { .init(id: $0, time: "", items: [$0 < 4 ? $0 + 3 : $0 * 10]) })
    try await shop.run { rig in
      // Without persistence nothing of the middle flow is retained.
      let flows = try rig.flows(
        Self.flows("jsonl", parent: "").replacing("persistence: { path: lists.jsonl, expires_after: 1m }", with: ""))
      for run in await rig.run(flows) { #expect(run.message == "") }
      rig.clock.advance(by: .seconds(120))
      shop.broken.withLock { $0 = [2] }
      let runs = await rig.run(flows)
      #expect(try rig.numbers("items.jsonl") == [40, 60, 50])
      #expect(FailedParentTests.cut(runs[1]).contains("1 earlier record is retained"))
      shop.broken.withLock { $0 = [] }
      shop.change(2) { $0.items = [] }
      rig.clock.advance(by: .seconds(120))
      for run in await rig.run(flows) { #expect(run.message == "" && FailedParentTests.cut(run) == "") }
      #expect(try rig.numbers("items.jsonl") == [40, 60])
    }
  }

  @Test func `a rule that stops leaves the records of parents that were not asked for`() async throws {
    let shop = OrderShop(4)
    try await shop.run { rig in
      let flow = try FailedParentTests.flow(
        rig, each: "values: [1, 2, 3, 4], as: id, concurrency: 1", more: "errors: [{ when: status == 500, do: stop }]")
      #expect(await rig.run(flow, .fresh).message == "")
      shop.broken.withLock { $0 = [3] }
      #expect(await rig.run(flow, .fresh).message == "")
      // 3 was asked for and has no records; 4 was not.
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 40, 41])
    }
  }

  @Test func `a rule that skips the response of a parent says that it has no records`() async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let flow = try FailedParentTests.flow(
        rig, each: "values: [1, 2, 3], as: id", more: "errors: [{ when: status == 500, do: skip }]")
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      shop.broken.withLock { $0 = [2] }
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 30, 31])
    }
  }

  @Test func `a partition whose pages are cut off is reported`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target.contains("page=2")
          ? answer("500 Oh No", "{}") : ok("[{\"id\":\(request.target.contains("/1/") ? 1 : 2)}]")
      }
      let run = await rig.run(
        try FailedParentTests.flow(
          rig, each: "values: [1, 2], as: id", more: "pages: { by: page, query: page, partial: keep }"))
      #expect(run.message == "")
      #expect(FailedParentTests.cut(run).hasPrefix("1: GET "), "\(FailedParentTests.cut(run))")
    }
  }
}
