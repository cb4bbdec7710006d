import FlowCompiler
import FlowSpec
import Foundation
import ReactorCore
import SourceDiagnostics
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
        Self.keys(cursor + ", end_query: until", type: "date"),
        top: "vars: { days: { type: integer, default: 30 }, period: month }")
      #expect(await rig.run(flow).message == "")
      let expected = zip(bounds, bounds.dropFirst()).map { "/users?since=\($0)&until=\($1)" }
      #expect(shop.takeAsked() == expected)
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
