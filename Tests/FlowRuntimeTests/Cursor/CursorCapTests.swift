import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Servers that give only a part of a range.
@Suite struct CursorCapTests {
  private typealias Row = CappedShop.Row

  private static func keys(_ cursor: String, type: String = "integer", mode: String = "merge", rest: String = "")
    -> String
  {
    """
    records: $.data
    schema: { key: id, fields: { id: integer, t: \(type) } }
    persistence: { path: users.jsonl, mode: \(mode) }
    cursor: { field: t, \(cursor.contains("query: ") ? "" : "query: since, ")\(cursor) }
    \(rest)
    """
  }

  private static let pages = "pages: { by: page, query: page }"

  private static func with(_ shop: CappedShop, _ body: (Rig) async throws -> Void) async throws {
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

  private static func rows(_ count: Int) -> [Row] { (1...count).map { Row(id: $0, time: $0 * 10) } }

  // MARK: - Restart

  @Test func `sorted records are read on from the greatest one, which may have others beside it`() async throws {
    // Three records have the time 30; the cap is within them.
    let rows = [1, 2, 3, 4, 5, 6, 7].map { Row(id: $0, time: [10, 20, 30, 30, 30, 40, 50][$0 - 1]) }
    let shop = CappedShop(rows, .init(cap: 4, size: 2))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("cap: { records: 4, then: restart }", rest: Self.pages))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(
        shop.takeAsked() == [
          "/users?page=1", "/users?page=2", "/users?since=30&page=1", "/users?since=30&page=2",
          "/users?since=40&page=1", "/users?since=40&page=2",
        ])
      #expect(try ids(rig) == Array(1...7))
      #expect(await flow.cursor?.memory()?.value == "50")
    }
  }

  @Test func `a flow of one page goes on from its last record`() async throws {
    let shop = CappedShop(Self.rows(7), .init(cap: 3, size: 3))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("start: 5, cap: { records: 3, then: restart }", rest: "pages: none"))
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked() == [5, 30, 50, 70].map { "/users?since=\($0)" })
      #expect(try ids(rig) == Array(1...7))
    }
  }

  @Test func `an excluded start is moved back by a step`() async throws {
    let shop = CappedShop(Self.rows(5), .init(cap: 2, size: 2, bounds: "()"))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("bounds: \"()\", cap: { records: 2, then: restart }", rest: Self.pages))
      #expect(await rig.run(flow).message == "")
      #expect(
        shop.takeAsked() == ["/users?page=1"] + [19, 29, 39, 49].map { "/users?since=\($0)&page=1" } + [
          "/users?since=49&page=2"
        ])
      #expect(try ids(rig) == Array(1...5))
    }
  }

  @Test func `a response behind the last page says that the cap is reached`() async throws {
    let shop = CappedShop(Self.rows(9), .init(cap: 4, size: 2, beyond: .refused))
    try await Self.with(shop) { rig in
      for (then, bounds) in [("restart", ""), ("halve", "start: 0, end: 99, query: { start: since, end: until }, ")] {
        let flow = try rig.flow(
          Self.keys(
            "\(bounds)cap: { then: \(then) }",
            rest: Self.pages + "\nerrors: [{ when: status == 400, do: cap }]\nreachability: false"))
        #expect(await rig.run(flow, .fresh).message == "")
        #expect(try ids(rig) == Array(1...9))
      }
    }
  }

  @Test func `as many records of one value as the cap end the flow`() async throws {
    let rows = [Row(id: 1, time: 10), Row(id: 2, time: 20), Row(id: 3, time: 20), Row(id: 4, time: 30)]
    let shop = CappedShop(rows, .init(cap: 2, size: 2))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("cap: { records: 2, then: restart }", rest: Self.pages))
      let run = await rig.run(flow)
      #expect(
        run.message == "the server gives only a part of a range (2 records), and the request for the "
          + "rest, after 20 in 't', would repeat the last request")
      #expect(run.error?.key == "cursor.cap")
      #expect(rig.files == [])
      #expect(shop.takeAsked().count == 2)
    }
  }

  @Test func `records in another order end the flow where the range would begin anew`() async throws {
    let shop = CappedShop(Self.rows(6), .init(cap: 4, size: 2, isSorted: false))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys("cap: { records: 4, then: restart }", rest: Self.pages))
      let run = await rig.run(flow)
      #expect(run.message.contains("so the records are not in ascending order"))
      #expect(run.error?.key == "cursor.cap.then")
      #expect(rig.files == [])
      // Below the cap the order does not matter.
      shop.rows.withLock { $0.removeLast(3) }
      #expect(await rig.run(flow).message == "")
      #expect(Set(try ids(rig)) == [1, 2, 3])
    }
  }

  @Test func `a cap without a value to go on from ends the flow`() async throws {
    try await Rig.with(ok(#"{"data":[{"id":1},{"id":2}]}"#)) { rig in
      let flow = try rig.flow(Self.keys("cap: { records: 2, then: restart }", rest: "pages: none"))
      #expect(await rig.run(flow).message.contains("no record in it has a value of 't'"))
    }
  }

  @Test(arguments: ["record.id % 7 == 1", "record.id > 5", "record.id < 3"])
  func `records that 'where' leaves out lead on where the kept ones do not`(_ condition: String) async throws {
    let shop = CappedShop(Self.rows(9), .init(cap: 3, size: 3))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys("cap: { records: 3, then: restart }", rest: "pages: none\nwhere: \(condition)"))
      #expect(await rig.run(flow).message == "")
      let wanted: [Int64] = condition.contains("%") ? [1, 8] : condition.contains(">") ? [6, 7, 8, 9] : [1, 2]
      #expect(try ids(rig) == wanted)
    }
  }

  @Test func `a record that 'where' leaves out may be in any place`() async throws {
    // The record before all others has the greatest value.
    try await Rig.with { rig in
      rig.answer { request in
        let isFirst = !request.target.contains("since=20")
        return ok(
          #"{"data":[{"id":9,"t":900},\#(isFirst ? #"{"id":1,"t":10},{"id":2,"t":20}"# : #"{"id":2,"t":20}"#)]}"#)
      }
      let flow = try rig.flow(
        Self.keys("cap: { records: 3, then: restart }", rest: "pages: none\nwhere: record.id < 9"))
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig) == [1, 2])
      #expect(rig.server.requests.count == 2)
    }
  }

  @Test func `a part whose values are not known ends the flow, and the help says why`() async throws {
    try await Rig.with(ok(#"{"data":[{"id":1,"t":10},{"id":"x","t":20},{"id":"y","t":30}]}"#)) { rig in
      let cap = "start: 10, cap: { records: 3, then: restart }"
      let rejected = await rig.run(try rig.flow(Self.keys(cap, rest: "pages: none\nprune: true")))
      #expect(rejected.message.contains("the request for the rest, after 10 in 't', would repeat the last request"))
      #expect(
        rejected.error?.help
          == "2 records of this part are rejected, so not all values of the cursor's field are known: "
          + "fix 'schema' until no record is rejected")
      let unread = await rig.run(try rig.flow(Self.keys(cap, rest: "pages: none\nwhere: source.t < 20")))
      #expect(
        unread.error?.help
          == "'where' left out 2 records before the cursor's field was read, so not all its values are known: "
          + "write 'where' with 'record' instead of 'source'"
      )
      #expect(rig.files == [])
    }
  }

  @Test func `a coarse format that would ask for the same range again ends the flow`() async throws {
    let rows = (0..<4).map { Row(id: $0 + 1, time: $0 * 3600) }
    let shop = CappedShop(rows, .init(cap: 3, size: 3, hasTimestamps: true, unit: 86_400))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys("start: 2023-11-01, format: date, cap: { records: 3, then: restart }", type: "timestamp"))
      #expect(await rig.run(flow).message.contains("would repeat the last request"))
      #expect(shop.takeAsked() == ["/users?since=2023-11-01"])
    }
  }

  // MARK: - Halve

  @Test func `a range with too many records is replaced by its halves`() async throws {
    let shop = CappedShop(Self.rows(6), .init(cap: 4, size: 2, isSorted: false))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 0, end: 64, query: { start: since, end: until }, cap: { records: 4, then: halve }", rest: Self.pages))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.kept == 6)
      #expect(
        shop.takeAsked().map { $0.replacing("/users?since=", with: "") } == [
          "0&until=64&page=1", "0&until=64&page=2", "0&until=32&page=1", "0&until=32&page=2", "0&until=32&page=3",
          "32&until=64&page=1", "32&until=64&page=2", "32&until=64&page=3",
        ])
      #expect(Set(try ids(rig)) == Set(1...6))
      #expect(await flow.cursor?.memory()?.value == "60")
    }
  }

  @Test func `an appended result has no record of a discarded range`() async throws {
    let shop = CappedShop(Self.rows(9), .init(cap: 4, size: 4, bounds: "(]", isSorted: false))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 0, end: 200, query: { start: since, end: until }, bounds: \"(]\", cap: { records: 4, then: halve }",
          mode: "append",
          rest: "pages: none"))
      #expect(await rig.run(flow).kept == 9)
      #expect(try ids(rig).sorted() == Array(1...9))
      shop.rows.withLock { $0.append(Row(id: 10, time: 100)) }
      #expect(await rig.run(flow).kept == 1)
      #expect(try ids(rig).sorted() == Array(1...10))
    }
  }

  @Test func `a range that announces too many records is halved after its first page`() async throws {
    let shop = CappedShop(Self.rows(8), .init(cap: 4, size: 2, isSorted: false, hasTotal: true))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 0, end: 64, query: { start: since, end: until }, cap: { records: 4, then: halve }",
          rest: Self.pages + "\nexpect: { total: $.total }"))
      // The range behind 64 is not requested.
      shop.rows.withLock { $0.removeLast(2) }
      #expect(await rig.run(flow).message == "")
      #expect(
        shop.takeAsked().map { $0.replacing("/users?since=", with: "") } == [
          "0&until=64&page=1", "0&until=32&page=1", "0&until=32&page=2", "32&until=64&page=1", "32&until=64&page=2",
        ])
      #expect(Set(try ids(rig)) == Set(1...6))
    }
  }

  @Test func `days are halved down to one day`() async throws {
    for bounds in ["[]", "[)"] {
      let rows = (0..<12).map { Row(id: $0 + 1, time: $0 * 21_600) }
      let shop = CappedShop(
        rows, .init(cap: 5, size: 5, bounds: bounds, isSorted: false, hasTimestamps: true, unit: 86_400))
      try await Self.with(shop) { rig in
        let flow = try rig.flow(
          Self.keys(
            "start: 2023-11-01, end: 2023-11-0\(bounds == "[]" ? 3 : 4), query: { start: since, end: until }, format: date, filter: true, bounds: \"\(bounds)\", "
              + "cap: { records: 5, then: halve }", type: "timestamp"))
        #expect(await rig.run(flow).message == "")
        if bounds == "[)" { #expect(Set(try ids(rig)) == Set(1...12)) }
        // An included end is the first instant of its day for the filter.
        if bounds == "[]" { #expect(Set(try ids(rig)) == Set(1...9)) }
        #expect(shop.takeAsked().count >= 4)
      }
    }
  }

  @Test func `a range that cannot be halved any more ends the flow`() async throws {
    let shop = CappedShop([1, 2, 3].map { Row(id: $0, time: 10) } + Self.rows(5).dropFirst(3), .init(cap: 3, size: 3))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys("start: 0, end: 64, query: { start: since, end: until }, cap: { records: 3, then: halve }"))
      let run = await rig.run(flow)
      #expect(
        run.message
          == "the server gives only a part of a range (3 records), and the range from 10 to 11 cannot be cut further")
      #expect(rig.files == [])
    }
  }

  @Test func `a rejected record of a discarded range is persisted once`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        if request.target.contains("until=64") && request.target.contains("since=0") {
          return ok(#"{"data":[{"id":"x","t":1},{"id":2,"t":2},{"id":3,"t":40}]}"#)
        }
        if request.target.contains("since=0") { return ok(#"{"data":[{"id":"x","t":1},{"id":2,"t":2}]}"#) }
        return ok(#"{"data":[{"id":3,"t":40}]}"#)
      }
      let flow = try rig.flow(
        Self.keys(
          "start: 0, end: 64, query: { start: since, end: until }, cap: { records: 3, then: halve }",
          rest: "rejected: out/bad.jsonl"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.outcome?.report.rejected == 1)
      #expect(run.kept == 2)
      #expect(rig.scratch.text("out/bad.jsonl")?.split(separator: "\n").count == 1)
      #expect(rig.scratch.text("out/bad.jsonl")?.contains("until=32") == true)
      // The first rejected record fails a strict flow, and is persisted.
      let strict = try rig.flow(
        Self.keys(
          "start: 0, end: 64, query: { start: since, end: until }, cap: { records: 3, then: halve }",
          rest: "rejected: out/bad.jsonl\nprune: false"))
      #expect(await rig.run(strict).error != nil)
      #expect(rig.scratch.text("out/bad.jsonl")?.split(separator: "\n").count == 1)
    }
  }

  // MARK: - Failing and killed runs, parents

  @Test func `a run that fails within a range leaves result and cursor as they were`() async throws {
    for (then, bounds) in [
      ("restart", "start: 0"), ("halve", "start: 0, end: 128, query: { start: since, end: until }"),
    ] {
      let shop = CappedShop(Self.rows(4), .init(cap: 4, size: 2, isSorted: then == "restart"))
      try await Self.with(shop) { rig in
        let flow = try rig.flow(Self.keys("\(bounds), cap: { records: 4, then: \(then) }", rest: Self.pages))
        shop.rows.withLock { $0 = Array(Self.rows(3)) }
        #expect(await rig.run(flow).message == "")
        let before = rig.result
        shop.rows.withLock { $0 = Self.rows(12) }
        shop.broken.withLock { $0 = [then == "restart" ? "since=60" : "since=79"] }
        #expect(await rig.run(flow).error != nil)
        #expect(rig.result == before)
        #expect(await flow.cursor?.memory()?.value == "30")
        shop.broken.withLock { $0 = [] }
        #expect(await rig.run(flow).message == "")
        #expect(try ids(rig).sorted() == Array(1...12))
        #expect(await flow.cursor?.memory()?.value == "120")
      }
    }
  }

  @Test func `a slice that fails within its range leaves the slices before it`() async throws {
    let shop = CappedShop(Self.rows(12), .init(cap: 3, size: 3))
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(
          "start: 0, end: 130, query: { start: since, end: until }, slice: 65, partial: keep, cap: { records: 3, then: restart }"
        ))
      shop.broken.withLock { $0 = ["since=90"] }
      #expect(await rig.run(flow).message == "")
      #expect(await flow.cursor?.memory()?.value == "65")
      #expect(Set(try ids(rig)).isSuperset(of: Set(1...6)))
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig).sorted() == Array(1...12))
    }
  }

  @Test func `each parent has its own ranges`() async throws {
    let shop = CappedShop(Self.rows(7), .init(cap: 3, size: 3))
    try await Self.with(shop) { rig in
      for (then, bounds) in [
        ("restart", "query: since, "), ("halve", "start: 0, end: 99, query: { start: since, end: until }, "),
      ] {
        let flow = try rig.flow(
          """
          resource: "/users/{{ value }}"
          each: { values: [a, b] }
          records: $.data
          persistence: { path: users.jsonl, mode: merge }
          schema: { key: [id, p], fields: { id: integer, t: integer, p: { value: "{{ value }}" } } }
          cursor: { field: t, \(bounds)cap: { records: 3, then: \(then) } }
          """)
        #expect(await rig.run(flow).message == "")
        #expect(try ids(rig).count == 14)
      }
    }
  }

  @Test(arguments: TestStore.available, ["restart", "halve"])
  func `a table has each record once`(_ store: TestStore, _ then: String) async throws {
    let shop = CappedShop(Self.rows(9), .init(cap: 4, size: 4))
    try await TableRig.with(store) { tables in
      tables.rig.answer { shop.answer($0) }
      let bounds = then == "halve" ? "end: 200, query: { start: since, end: until }, " : "query: since, "
      let flow = try tables.flow(
        """
        records: $.data
        pages: none
        schema: { key: id, fields: { id: integer, t: integer } }
        cursor: { field: t, start: 0, \(bounds)cap: { records: 4, then: \(then) } }
        """, persistence: "mode: merge")
      #expect(await tables.rig.run(flow).message == "")
      #expect(try await tables.lines("SELECT id FROM users ORDER BY id") == (1...9).map { String($0) })
      #expect(await flow.cursor?.memory()?.value == "90")
    }
  }

  @Test func `a rule of the defaults is an error in a flow that has no cap`() async throws {
    try await Rig.with(answer("400 Bad Request", "{}")) { rig in
      let flow = try rig.flow(
        "resource: /users", top: "defaults: { errors: [{ when: status == 400, do: cap }] }")
      #expect(
        await rig.run(flow).message
          == "a rule with 'do: cap' applies, and the flow cannot request the rest of the range")
      #expect(rig.files == [])
    }
  }

  // MARK: - Any server

  /// A random server, and how a flow reads it.
  private struct Case: CustomStringConvertible {
    var settings = CappedShop.Settings()
    var rows: [Row] = []
    var then = "restart"
    var declared = ""

    var description: String { "\(settings), \(then), \(declared), times \(rows.map(\.time))" }

    init(_ seed: UInt64) {
      var random = SeededGenerator(seed)
      func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
      then = pick(["restart", "halve"])
      settings.size = pick([1, 2, 3, 5])
      let pages = Int.random(in: 1...5, using: &random)
      settings.cap = max(2, settings.size * pages - (pick([true, false]) ? 0 : pick([0, 1])))
      settings.bounds = then == "restart" ? pick(["[)", "[]", "(]", "()"]) : pick(["[)", "[]", "(]"])
      settings.isSorted = then == "restart" || pick([true, false])
      settings.hasTimestamps = pick([true, false])
      settings.hasTotal = pick([true, false])
      let isWhole = settings.cap % settings.size == 0
      settings.beyond = isWhole && settings.cap > settings.size ? pick([.empty, .refused]) : .empty
      let span = pick([3, 20, 400])
      rows = (1...Int.random(in: 1...50, using: &random)).map {
        Row(id: $0, time: Int.random(in: 1...span, using: &random))
      }
      switch (settings.beyond, isWhole) {
      case (.refused, _): declared = ""
      case (.empty, true) where settings.cap / settings.size > 1:
        declared = pick(["records: \(settings.cap), ", "pages: \(settings.cap / settings.size), "])
      case (.empty, _): declared = "records: \(settings.cap), "
      }
    }

    /// Whether some value has so many records that no range can be read to its end.
    var isStuck: Bool {
      let groups = Dictionary(grouping: rows, by: \.time)
      if groups.values.contains(where: { $0.count >= settings.cap }) { return true }
      // Where pages count, a last page that is not full is like a full one. In sorted records only the greatest value has
      // none behind it.
      guard !declared.hasPrefix("records") else { return false }
      let alone = then == "halve" ? Array(groups.values) : groups.max { $0.key < $1.key }.map { [$0.value] } ?? []
      return alone.contains { $0.count > settings.cap - settings.size }
    }

    var keys: String {
      var cursor = "bounds: \"\(settings.bounds)\", cap: { \(declared)then: \(then) }"
      if settings.hasTimestamps { cursor += ", format: epoch_ms" }
      if then == "halve" {
        cursor +=
          settings.hasTimestamps
          ? ", start: 2023-11-01, end: 2023-11-02, query: { start: since, end: until }"
          : ", start: 0, end: 500, query: { start: since, end: until }"
      }
      var rest = CursorCapTests.pages
      if settings.beyond == .refused { rest += "\nerrors: [{ when: status == 400, do: cap }]" }
      if settings.hasTotal { rest += "\nexpect: { total: $.total }" }
      return CursorCapTests.keys(cursor, type: settings.hasTimestamps ? "timestamp" : "integer", rest: rest)
    }
  }

  @Test func `the result is the whole set, whatever the cap and the strategy, or the flow fails`() async throws {
    try await Rig.with { rig in
      var (whole, stuck) = (0, 0)
      for seed in UInt64(1)...120 {
        let given = Case(seed)
        // A total ends a range of exactly the cap before the page that would be refused.
        if given.settings.beyond == .refused, given.settings.hasTotal { continue }
        let shop = CappedShop(given.rows, given.settings)
        rig.answer { shop.answer($0) }
        let name = "result-\(seed).jsonl"
        let run = await rig.run(try rig.flow(given.keys.replacing("users.jsonl", with: name)))
        if given.isStuck {
          stuck += 1
          #expect(run.error?.key == "cursor.cap", "seed \(seed): \(given): \(run.message)")
          #expect(!rig.files.contains(name), "seed \(seed)")
        } else {
          whole += 1
          #expect(run.message == "", "seed \(seed): \(given)")
          #expect((try? ids(rig, name).sorted()) == given.rows.map { Int64($0.id) }, "seed \(seed): \(given)")
        }
        #expect(shop.takeAsked().count < 600, "seed \(seed): \(given)")
      }
      #expect(whole > 40)
      #expect(stuck > 5)
    }
  }
}
