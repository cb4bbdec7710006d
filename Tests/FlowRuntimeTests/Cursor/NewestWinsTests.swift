import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// Of records with one key the one with the greater value of the cursor stays, in files and in tables, whatever the order
/// in which they arrive.
@Suite struct NewestWinsTests {
  /// Where the flow `users` has its result.
  enum Target: CaseIterable, Sendable {
    case jsonl, csv, sqlite, postgres

    static var available: [Target] {
      TestStore.available.contains(.postgres) ? allCases : allCases.filter { $0 != .postgres }
    }

    fileprivate var store: TestStore? {
      switch self {
      case .jsonl, .csv: nil
      case .sqlite: .sqlite
      case .postgres: .postgres
      }
    }
  }

  private static let keys = """
    schema: { key: id, fields: { id: integer, v: string, at: timestamp } }
    cursor: { field: at, query: since }
    """

  private static func row(_ id: Int, _ value: String, _ day: Int, _ more: String = "") -> String {
    #"{"id":\#(id),"v":"\#(value)","at":"2023-11-0\#(day)T00:00:00Z"\#(more)}"#
  }

  /// Runs a flow once with each response, and returns the result as `id value` in the order of ids.
  private static func run(
    _ target: Target, _ persistence: String, keys: String = Self.keys, _ responses: [[String]]
  ) async throws -> [String] {
    let turn = Mutex(0)
    func pull(_ rig: Rig, _ flow: DeclaredFlow) async throws {
      for response in responses {
        rig.answer { _ in ok("[\(response.joined(separator: ","))]") }
        #expect(await rig.run(flow).message == "")
        turn.withLock { $0 += 1 }
      }
    }
    var found: [String] = []
    if let store = target.store {
      try await TableRig.with(store) { tables in
        try await pull(tables.rig, try tables.flow(keys, persistence: persistence))
        found = try await tables.lines("SELECT id, v FROM users ORDER BY id, v")
      }
    } else {
      try await Rig.with { rig in
        try await pull(rig, try rig.flow("\(keys)\npersistence: { path: out.\(target), \(persistence) }"))
        let text = rig.scratch.text("out.\(target)") ?? ""
        found = text.split(whereSeparator: \.isNewline).compactMap { line in
          if target == .csv {
            return line.hasPrefix("id") ? nil : line.split(separator: ",").prefix(2).joined(separator: ",")
          }
          let match = line.firstMatch(of: /"id":(\d+),"v":"([a-z]+)"/)
          return match.map { "\($0.output.1),\($0.output.2)" }
        }
        found.sort()
      }
    }
    return found
  }

  @Test(arguments: Target.available, ["merge", "merge, delete_when: \"coalesce(source.gone, false)\""])
  func `the newest record of a key stays`(_ target: Target, _ mode: String) async throws {
    let found = try await Self.run(
      target, "mode: \(mode)",
      [
        // The newest one first.
        [Self.row(1, "c", 3), Self.row(1, "b", 2), Self.row(1, "a", 1), Self.row(2, "x", 2)],
        // A late one, and one with the same time, of which the later one stays.
        [Self.row(1, "late", 2), Self.row(2, "y", 2), Self.row(3, "n", 4)],
      ])
    #expect(found == ["1,c", "2,y", "3,n"])
  }

  @Test(arguments: Target.available) func `a deletion removes older records only`(_ target: Target) async throws {
    let gone = ",\"gone\":true"
    let found = try await Self.run(
      target, "mode: merge, delete_when: \"coalesce(source.gone, false)\"",
      [
        [Self.row(1, "a", 1), Self.row(2, "a", 1), Self.row(3, "a", 5)],
        [
          // Deleted after its last record, which comes later.
          Self.row(1, "b", 4, gone), Self.row(1, "a", 2),
          // Deleted and made again.
          Self.row(2, "again", 6), Self.row(2, "a", 5, gone),
          // Deleted before its present record was made.
          Self.row(3, "a", 2, gone),
        ],
      ])
    #expect(found == ["2,again", "3,a"])
  }

  @Test(arguments: Target.available) func `a deletion moves the position`(_ target: Target) async throws {
    let asked = Mutex<[String]>([])
    func pull(_ rig: Rig, _ flow: DeclaredFlow) async throws {
      for _ in 0..<2 {
        rig.answer { request in
          asked.withLock { $0.append(request.target.removingPercentEncoding ?? "") }
          return ok("[\(Self.row(1, "a", 1)),\(Self.row(2, "b", 5, ",\"gone\":true"))]")
        }
        #expect(await rig.run(flow).message == "")
      }
    }
    let mode = "mode: merge, delete_when: \"coalesce(source.gone, false)\""
    if let store = target.store {
      try await TableRig.with(store) { try await pull($0.rig, try $0.flow(Self.keys, persistence: mode)) }
    } else {
      try await Rig.with {
        try await pull($0, try $0.flow("\(Self.keys)\npersistence: { path: out.\(target), \(mode) }"))
      }
    }
    #expect(asked.withLock { $0.last } == "/users?since=2023-11-05T00:00:00Z")
  }

  @Test(arguments: Target.available)
  func `append with a key stores each record once, and asks again for what is ahead`(_ target: Target) async throws {
    let keys = Self.keys.replacing("query: since", with: "query: since, bounds: \"()\"")
    // The clock of a test stands at 2023-11-14: the 30th is ahead of it.
    let ahead = #"{"id":9,"v":"ahead","at":"2023-11-30T00:00:00Z"}"#
    let found = try await Self.run(
      target, "mode: append", keys: keys,
      [[Self.row(1, "a", 1), ahead], [Self.row(2, "b", 2), ahead, Self.row(2, "b", 2)], [Self.row(2, "c", 3)]])
    #expect(found == ["1,a", "2,b", "2,c", "9,ahead"])
  }
}
