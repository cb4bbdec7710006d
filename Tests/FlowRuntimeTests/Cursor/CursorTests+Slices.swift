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

/// Slices and look-back in calendar units, and from variables.
extension CursorTests {
  private static let calendar: [(String, [String])] = [
    (
      "start: 2024-01-31, end: 2024-05-15, slice: P1M",
      ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-15"]
    ),
    (
      "start: 2023-11-15, end: 2024-02-10, slice: month",
      ["2023-11-15", "2023-12-01", "2024-01-01", "2024-02-01", "2024-02-10"]
    ),
    ("start: 2023-11-15, end: 2024-07-01, slice: quarter", ["2023-11-15", "2024-01-01", "2024-04-01", "2024-07-01"]),
    ("start: 2022-06-01, end: 2024-01-02, slice: year", ["2022-06-01", "2023-01-01", "2024-01-01", "2024-01-02"]),
    ("start: 2022-06-01, end: 2024-01-02, slice: P1Y", ["2022-06-01", "2023-06-01", "2024-01-02"]),
    ("start: 2024-05-16, end: 2024-05-28, slice: week", ["2024-05-16", "2024-05-20", "2024-05-27", "2024-05-28"]),
    ("start: 2024-02-28, end: 2024-03-02, slice: day", ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]),
    ("start: 1969-12-27, end: 1970-01-06, slice: week", ["1969-12-27", "1969-12-29", "1970-01-05", "1970-01-06"]),
    ("start: 2024-01-01, end: 2024-03-01, slice: \"P{{ vars.days }}D\"", ["2024-01-01", "2024-01-31", "2024-03-01"]),
    ("start: 2024-01-01, end: 2024-03-01, slice: \"{{ vars.period }}\"", ["2024-01-01", "2024-02-01", "2024-03-01"]),
  ]

  @Test(arguments: calendar)
  func `slices follow the calendar`(_ cursor: String, _ bounds: [String]) async throws {
    let shop = Shop([])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        Self.keys(cursor + ", query: { start: since, end: until }", type: "date"),
        top: "vars: { days: { type: integer, default: 30 }, period: month }")
      #expect(await rig.run(flow).message == "")
      let expected = zip(bounds, bounds.dropFirst()).map { "/users?since=\($0)&until=\($1)" }
      #expect(shop.takeAsked() == expected)
    }
  }

  private static let included: [(String, String, [String])] = [
    (
      "date", "start: 2024-01-01, end: 2024-01-15, slice: 7d",
      ["2024-01-01&until=2024-01-07", "2024-01-08&until=2024-01-14", "2024-01-15&until=2024-01-15"]
    ),
    (
      "date", "start: 2024-01-30, end: 2024-02-02, slice: month",
      ["2024-01-30&until=2024-01-31", "2024-02-01&until=2024-02-02"]
    ),
    (
      "timestamp", "format: date, start: '2024-01-01T10:00:00Z', end: '2024-01-10T08:00:00Z', slice: 7d",
      ["2024-01-01&until=2024-01-07", "2024-01-08&until=2024-01-10"]
    ),
    (
      "timestamp", "format: date, start: '2024-01-01T10:00:00Z', end: '2024-01-03T08:00:00Z', slice: 12h",
      ["2024-01-01&until=2024-01-01", "2024-01-02&until=2024-01-02", "2024-01-03&until=2024-01-03"]
    ),
    ("integer", "start: 0, end: 200, slice: 100", ["0&until=99", "100&until=199", "200&until=200"]),
  ]

  @Test(arguments: included)
  func `with both bounds included, no day and no number is in two slices`(
    _ type: String, _ cursor: String, _ ranges: [String]
  ) async throws {
    let shop = Shop([])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.keys(cursor + ", query: { start: since, end: until }, bounds: \"[]\"", type: type))
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked() == ranges.map { "/users?since=\($0)" })
    }
  }

  @Test func `a look-back may be in months, and from a variable`() async throws {
    for (text, given, start) in [("P1M", "", "2023-10-10"), ("\"{{ vars.again }}\"", "P2W", "2023-10-27")] {
      let shop = Shop([.init(id: 1, time: "2023-11-10")])
      try await Self.with(shop) { rig in
        let flow = try rig.flow(
          Self.keys("lookback: \(text)", type: "date"), top: "vars: { again: { type: duration, default: 1d } }",
          inputs: .init(overrides: VariableOverrides(arguments: given.isEmpty ? [:] : ["again": given])))
        for _ in 0..<2 { #expect(await rig.run(flow).message == "") }
        #expect(shop.takeAsked() == ["/users", "/users?since=\(start)"])
      }
    }
  }

  @Test func `a field may hold the bounds of the requested range`() async throws {
    let shop = Shop((1...4).map { .init(id: $0, time: "2024-01-0\($0)") })
    try await Self.with(shop) { rig in
      let keys = Self.keys(
        "start: 2024-01-01, end: 2024-01-05, query: { start: since, end: until }, slice: P2D", type: "date"
      )
      .replacing("t: date", with: "t: date, from: { value: \"{{ cursor.start }}\" }")
      #expect(await rig.run(try rig.flow(keys)).message == "")
      let days = try #require(rig.scratch.text("users.jsonl")).split(separator: "\n").map { line in
        try #require(try JSONValue(parsing: Array(line.utf8))["from"]?.string)
      }
      #expect(Set(days) == ["2024-01-01", "2024-01-03"] && days == days.sorted())
      // Without a cursor the name is not known.
      let found = rig.compile(rig.text("schema: { fields: { from: { value: \"{{ cursor.start }}\" } } }"))
      #expect(found.diagnostics.diagnostics.map(\.message).first?.contains("'cursor' is not known here") == true)
    }
  }

  @Test func `a page size may come from a variable`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        "pages: { by: page, query: page, size: \"{{ vars.size }}\", size_query: n }",
        top: "vars: { size: { type: integer, default: 50 } }")
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.map(\.target) == ["/users?n=50&page=1"])
    }
  }

  @Test(arguments: [
    ("cursor: { field: t, query: since, lookback: \"{{ vars.v }}\" }", "soon", "'soon' is not a duration"),
    ("cursor: { field: t, query: since, lookback: \"{{ vars.v }}\" }", "P200Y", "'lookback' is out of range"),
    (
      "cursor: { field: t, query: since, lookback: \"{{ vars.v }}\" }", "36h",
      "'lookback' must be whole days, because the field is a date"
    ),
    ("cursor: { field: t, query: since, lookback: \"{{ vars.v }}\" }", "P1M1Y", "'P1M1Y' is not a duration"),
    ("pages: { by: page, query: p, size_query: n, size: \"{{ vars.v }}\" }", "0", "0 is out of range for 'size'"),
    ("pages: { by: page, query: p, size_query: n, size: \"{{ vars.v }}\" }", "ten", "'ten' is not an integer"),
  ])
  func `a wrong value of a variable is an error where it is used`(
    _ keys: String, _ value: String, _ message: String
  ) async throws {
    try await Rig.with { rig in
      let text = rig.text(
        keys + "\nschema: { key: id, fields: { id: integer, t: date } }\n"
          + "persistence: { path: users.jsonl, mode: merge }", top: "vars: { v: '' }")
      let compilation = rig.compile(
        text, inputs: .init(overrides: VariableOverrides(arguments: ["v": value])))
      let found = compilation.diagnostics.diagnostics
      #expect(found.count == 1)
      #expect(found.first?.message.hasPrefix(message) == true)
      #expect(found.first?.range?.start.line == 6)
      #expect(compilation.flows.isEmpty)
    }
  }
}

/// Slices of which one fails.
extension CursorTests {
  private static func partial(_ more: String = "") -> String {
    keys("start: 2023-11-01, end: 2023-11-09, query: { start: since, end: until }, slice: 2d, partial: keep\(more)")
  }

  @Test func `the slices before a failed one are published, and the next run goes on there`() async throws {
    // Days 3 and 4 have no records, so the end of the slice counts and not the greatest value.
    let shop = Shop([1, 2, 5, 7].map { .init(id: $0, time: Self.time($0)) })
    shop.broken.withLock { _ = $0.insert("since=2023-11-05") }
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.partial())
      let run = await rig.run(flow)
      #expect(run.message == "")
      let cuts = run.events.compactMap { if case .cutShort(let error) = $0 { error.message } else { nil } }
      #expect(cuts.count == 1)
      #expect(cuts.first?.hasPrefix("slice 3 of 4: ") == true)
      #expect(try ids(rig) == [1, 2])
      #expect(await flow.cursor?.memory()?.value == Self.time(5))
      shop.broken.withLock { $0 = [] }
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(
        shop.takeAsked() == [5, 7].map { "/users?since=\(Self.time($0))&until=\(Self.time($0 + 2))" })
      #expect(try ids(rig) == [1, 2, 5, 7])
      #expect(await flow.cursor?.memory()?.value == Self.time(7))
    }
  }

  @Test func `a range that takes longer than the deadline comes to its end in several runs`() async throws {
    let shop = Shop((1...8).map { .init(id: $0, time: Self.time($0)) })
    for rest in ["", "pages: { by: page, query: page, parallel: 1 }"] {
      try await Rig.with { rig in
        // Each request takes 20 s.
        rig.answer { request in
          rig.clock.advance(by: .seconds(20))
          return shop.answer(request)
        }
        let flow = try rig.flow(
          Self.keys(
            "start: 2023-11-01, end: 2023-11-09, query: { start: since, end: until }, slice: 2d, partial: keep",
            rest: "deadline: 50s\nreachability: false\n" + rest))
        var runs = 0
        while await flow.cursor?.memory()?.value != Self.time(8), runs < 9 {
          let run = await rig.run(flow)
          #expect(run.message == "")
          runs += 1
        }
        #expect((2...8).contains(runs))
        #expect(try ids(rig) == Array(1...8))
      }
    }
  }

  @Test func `the end of a run publishes the slices before it, and begins none that would end later`() async throws {
    let shop = Shop((1...8).map { .init(id: $0, time: Self.time($0)) })
    try await Rig.with { rig in
      rig.answer { request in
        rig.clock.advance(by: .seconds(20))
        return shop.answer(request)
      }
      let flow = try rig.flow(
        Self.keys(
          "start: 2023-11-01, end: 2023-11-09, query: { start: since, end: until }, slice: 2d, partial: keep",
          rest: "deadline: 1h\nreachability: false"))
      // There is time for two slices and a half.
      rig.environment.runEnd.come(at: rig.environment.stopwatch.reading() + .seconds(50))
      let run = await rig.run(flow)
      #expect(run.message == "")
      let cuts = run.events.compactMap { if case .cutShort(let error) = $0 { error.message } else { nil } }
      #expect(cuts == ["slice 3 of 4: the run would end before this slice is completely read"])
      #expect(try ids(rig) == [1, 2, 3, 4])
      #expect(await flow.cursor?.memory()?.value == Self.time(5))
      #expect(shop.takeAsked().count == 2)
    }
  }

  @Test func `a first slice that fails fails the flow, and so does each one of a full refresh`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 7, time: Self.time(7))])
    try await Self.with(shop) { rig in
      shop.broken.withLock { _ = $0.insert("since=2023-11-01") }
      let flow = try rig.flow(Self.partial())
      #expect(await rig.run(flow).message.hasPrefix("slice 1 of 4: "))
      #expect(rig.files == [])
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
      shop.broken.withLock { _ = $0.insert("since=2023-11-05") }
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let refresh = try rig.flow(Self.partial(), inputs: inputs)
      #expect(
        await rig.run(refresh).message.hasPrefix("a full refresh must read all records: slice 3 of 4"))
      #expect(try ids(rig) == [1, 7])
    }
  }

  @Test func `a page that fails in a slice leaves its records to the next run`() async throws {
    let shop = Shop((1...8).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      shop.broken.withLock { _ = $0.insert("until=2023-11-07T00:00:00Z&page=2") }
      let flow = try rig.flow(
        Self.keys(
          "start: 2023-11-01, end: 2023-11-09, query: { start: since, end: until }, slice: 3d, partial: keep",
          rest: "pages: { by: page, query: page, parallel: 1 }"))
      #expect(await rig.run(flow).message == "")
      #expect(await flow.cursor?.memory()?.value == Self.time(4))
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
      #expect(Set(try ids(rig)) == Set(1...8))
    }
  }

  @Test func `each parent goes on at its own failed slice`() async throws {
    let shop = Shop([
      .init(id: 1, time: Self.time(1), path: "/users/a"), .init(id: 2, time: Self.time(2), path: "/users/b"),
      .init(id: 3, time: Self.time(6), path: "/users/a"),
    ])
    shop.broken.withLock { _ = $0.insert("/users/a?since=2023-11-05") }
    try await Self.with(shop) { rig in
      let flow = try rig.flow(
        "resource: \"/users/{{ value }}\"\neach: { values: [a, b] }\n" + Self.partial())
      #expect(await rig.run(flow).message == "")
      let memory = try #require(await flow.cursor?.memory())
      #expect(memory.parents.map(\.key) == ["a", "b"])
      #expect(memory.parents.map(\.value) == [Self.time(5), Self.time(2)])
      shop.broken.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
      #expect(Set(try ids(rig)) == [1, 2, 3])
    }
  }
}
