import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Storage
import TestSupport
import Testing

@testable import FlowRuntime

/// State of flows that a later version of the program has written.
@Suite struct LaterStateTests {
  private static let words = "was written by a later version of reactor"

  @Test func `positions of a later form are refused, and earlier ones are read`() throws {
    func state(_ text: String) throws -> CursorState? { try CursorStateFile.state(of: Array(text.utf8), at: "a.jsonl") }
    #expect(try state(#"{"version":2,"cursor":{"7":"2024-01-31"}}"#)?.parents == ["7": "2024-01-31"])
    #expect(try state(#"{"7":"2024-01-31"}"#)?.parents == ["7": "2024-01-31"])
    #expect(try state("[") == nil)
    let error = #expect(throws: ReactorError.self) { try state(#"{"version":3,"cursor":[["7"]]}"#) }
    #expect(error?.message == "a.jsonl \(Self.words), and this version cannot read it")
    #expect(error?.help?.contains("upgrade reactor") == true)
  }

  @Test func `a job of a later form is neither continued nor removed`() throws {
    let job = Array(#"{"version":2,"id":"17","created_ms":1,"end_ms":2}"#.utf8)
    #expect(throws: ReactorError.self) { try ServerJob(reading: job, at: "x") }
    #expect(ServerJob.end(in: job) == nil)
    #expect(
      try ServerJob(reading: Array(#"{"version":1,"id":"17","created_ms":1}"#.utf8), at: "x")?.id == .string("17"))
  }

  @Test(arguments: TestStore.available)
  func `tables of a later form are neither read nor loaded`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"name":"a"}]"#)) { tables in
      #expect(await tables.rig.run(try tables.flow()).message == "")
      _ = try await tables.rows("ALTER TABLE reactor_tables ADD COLUMN version_2 integer")
      let before = try await tables.rows("SELECT * FROM reactor_tables")
      let run = await tables.rig.run(try tables.flow())
      #expect(run.message.contains("'reactor_tables' \(Self.words)"), "\(run.message)")
      #expect(run.error?.help?.contains("upgrade reactor, or use another database") == true)
      #expect(try await tables.rows("SELECT * FROM reactor_tables") == before)
      #expect(try await tables.rows("SELECT count(*) FROM reactor_loads") == [["1"]])
    }
  }

  @Test(arguments: TestStore.available)
  func `the position of a table in a later form is refused`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"name":"a","t":"2024-01-01T00:00:00Z"}]"#)) { tables in
      let keys = """
        each: { values: [1] }
        schema: { key: id, fields: { id: integer, t: timestamp } }
        cursor: { field: t, query: since }
        """
      #expect(await tables.rig.run(try tables.flow(keys, persistence: "mode: merge")).message == "")
      _ = try await tables.rows("UPDATE reactor_tables SET cursor = '{\"version\":3}'")
      let before = try await tables.rows("SELECT cursor FROM reactor_tables")
      #expect(before.first?.first?.contains("\"version\":3") == true, "\(before)")
      let run = await tables.rig.run(try tables.flow(keys, persistence: "mode: merge"))
      #expect(run.message.contains(Self.words), "\(run.message)")
      #expect(try await tables.rows("SELECT cursor FROM reactor_tables") == before)
    }
  }
}
