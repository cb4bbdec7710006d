import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Records
import Testing
import TestSupport

/// Values and tables as large as databases allow.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TableLimitTests {
  @Test(arguments: TestStore.available)
  func `a value of 10 MB is stored and comes back`(_ store: TestStore) async throws {
    let size = 10_000_000
    let text = String(repeating: "é\u{1D11E}xy", count: size / 8)
    let raw = Data(repeating: 0x5A, count: size).base64EncodedString()
    let body = #"[{"id":1,"text":"\#(text)","raw":"\#(raw)"},{"id":2,"text":"","raw":""}]"#
    try await TableRig.with(store, ok(body)) { tables in
      let flow = try tables.flow("schema: { key: id, fields: { id: integer, text: string, raw: bytes } }")
      #expect(await tables.rig.run(flow, .fresh).message == "")
      let length = store == .sqlite ? "length(CAST(text AS BLOB))" : "octet_length(text)"
      let raws = store == .sqlite ? "length(raw)" : "octet_length(raw)"
      #expect(
        try await tables.lines("SELECT id, \(length), \(raws) FROM users ORDER BY id") == [
          "1,\(text.utf8.count),\(size)", "2,0,0",
        ])
      let values = try await flow.reactor().fetch(flow.resource).model.values()
      #expect(values.first?["text"]?.string == text)
      #expect(values.first?["raw"]?.string == raw)
    }
  }

  private static func fields(_ count: Int, _ type: String) -> String {
    let fields = (1..<count).map { "f\($0): { type: \(type), optional: true }" }.joined(separator: ", ")
    return "schema: { key: id, fields: { id: integer, \(fields) } }"
  }

  private static func record(_ id: Int, _ count: Int, _ value: String) -> String {
    "{\"id\":\(id)," + (1..<count).map { "\"f\($0)\":\(value)" }.joined(separator: ",") + "}"
  }

  @Test(arguments: TestStore.available, ["replace", "append"])
  func `a table of 1,600 columns is loaded`(_ store: TestStore, _ mode: String) async throws {
    // A table of mode `append` has a column of its own.
    let count = mode == "append" ? 1599 : 1600
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.fields(count, "boolean"), persistence: "mode: \(mode), expires_after: never")
      for value in ["true", "false"] {
        tables.rig.answer(ok("[\(Self.record(1, count, value)),\(Self.record(2, count, "null"))]"))
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      let last = try await tables.lines("SELECT id, f1, f\(count - 1) FROM users ORDER BY id, f1 DESC LIMIT 2")
      let (no, yes) = store == .sqlite ? ("0", "1") : ("f", "t")
      #expect(last == (mode == "append" ? ["1,\(yes),\(yes)", "1,\(no),\(no)"] : ["1,\(no),\(no)", "2,-,-"]))
      let values = try await flow.reactor().fetch(flow.resource).model.values()
      #expect(values.count == (mode == "append" ? 4 : 2))
    }
  }

  @Test func `a row that a page cannot hold is an error that says so, and the rows stay`() async throws {
    guard TestStore.available.contains(.postgres) else { return }
    try await TableRig.with(.postgres) { tables in
      let flow = try tables.flow(Self.fields(1600, "integer"))
      tables.rig.answer(ok("[\(Self.record(1, 1600, "null"))]"))
      #expect(await tables.rig.run(flow, .fresh).message == "")
      tables.rig.answer(ok("[\(Self.record(2, 1600, "null")),\(Self.record(3, 1600, "7"))]"))
      let run = await tables.rig.run(flow, .fresh)
      #expect(run.message.contains("the table 'users'") && run.message.contains("row is too big"), "\(run.message)")
      #expect(run.error?.help?.contains("one field of type json") ?? false)
      #expect(try await tables.lines("SELECT id FROM users") == ["1"])
    }
  }
}
