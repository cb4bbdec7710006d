import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// What becomes of the rows of parents whose requests fail, with `mode: replace`.
@Suite struct TableFailedParentTests {
  /// Answers `/1`, `/2`, … with two records each, whose name tells the round; some parents fail.
  private static func answer(_ tables: TableRig, _ round: Int, failing: Set<Int> = []) {
    tables.rig.answer { request in
      let id = Int(String(request.target.filter(\.isNumber))) ?? 0
      if failing.contains(id) { return [.text("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")] }
      return ok(#"[{"id":\#(id * 10),"name":"\#(round)"},{"id":\#(id * 10 + 1),"name":"\#(round)"}]"#)
    }
  }

  private static func flow(
    _ tables: TableRig, _ values: String = "1, 2, 3", key: String = "key: id, ", more: String = "",
    inputs: FlowCompiler.Inputs = .init()
  ) throws -> DeclaredFlow {
    try tables.rig.flow(
      """
      each: { values: [\(values)], as: p }
      resource: "/{{ p }}"
      retry: 0
      schema: { \(key)fields: { id: integer, name: string } }
      persistence: { store: db, table: users\(more) }
      rejected: { store: db, table: bad }
      """, top: tables.top(), inputs: inputs)
  }

  private static let all = "SELECT id, name FROM users ORDER BY id, name"

  @Test(arguments: TestStore.available, ["key: id, ", ""])
  func `a parent that fails keeps its rows, others are replaced`(_ store: TestStore, _ key: String) async throws {
    try await TableRig.with(store) { tables in
      let flow = try Self.flow(tables, key: key)
      for (round, failing) in [(1, []), (2, [2]), (3, [3])] as [(Int, Set<Int>)] {
        Self.answer(tables, round, failing: failing)
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      #expect(try await tables.lines(Self.all) == ["10,3", "11,3", "20,3", "21,3", "30,2", "31,2"])
      // A parent that is not listed any more loses its rows.
      let fewer = try Self.flow(tables, "1, 3", key: key)
      Self.answer(tables, 4)
      #expect(await tables.rig.run(fewer, .fresh).message == "")
      #expect(try await tables.lines(Self.all) == ["10,4", "11,4", "30,4", "31,4"])
    }
  }

  @Test(arguments: TestStore.available, ["key: id, ", ""])
  func `a retry replaces the rows of the parents that it asks for`(_ store: TestStore, _ key: String) async throws {
    try await TableRig.with(store) { tables in
      let flow = try Self.flow(tables, key: key)
      for (round, failing) in [(1, []), (2, [2])] as [(Int, Set<Int>)] {
        Self.answer(tables, round, failing: failing)
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      var inputs = FlowCompiler.Inputs()
      inputs.isRetryingRejected = true
      Self.answer(tables, 3)
      #expect(await tables.rig.run(try Self.flow(tables, key: key, inputs: inputs), .fresh).message == "")
      #expect(try await tables.lines(Self.all) == ["10,2", "11,2", "20,3", "21,3", "30,2", "31,2"])
      #expect(try await tables.lines("SELECT count(*) FROM bad") == ["0"])
    }
  }

  @Test(arguments: TestStore.available)
  func `rows of the flow as it was do not stay`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      Self.answer(tables, 1)
      #expect(await tables.rig.run(try Self.flow(tables), .fresh).message == "")
      let edited = try tables.rig.flow(
        """
        each: { values: [1, 2, 3], as: p }
        resource: "/{{ p }}?x"
        retry: 0
        schema: { key: id, fields: { id: integer, name: string } }
        persistence: { store: db, table: users }
        """.replacingOccurrences(of: "?x\"", with: "/x\""), top: tables.top())
      Self.answer(tables, 2, failing: [2])
      #expect(await tables.rig.run(edited, .fresh).message == "")
      #expect(try await tables.lines(Self.all) == ["10,2", "11,2", "30,2", "31,2"])
    }
  }

  @Test(arguments: TestStore.available)
  func `versions of the rows of a failed parent do not end`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try Self.flow(tables, more: ", history: true")
      for (round, failing) in [(1, []), (2, [2])] as [(Int, Set<Int>)] {
        Self.answer(tables, round, failing: failing)
        #expect(await tables.rig.run(flow, .fresh).message == "")
        tables.rig.clock.advance(by: .seconds(60))
      }
      let present = try await tables.lines("SELECT id, name FROM users WHERE valid_to IS NULL ORDER BY id")
      #expect(present == ["10,2", "11,2", "20,1", "21,1", "30,2", "31,2"])
    }
  }
}
