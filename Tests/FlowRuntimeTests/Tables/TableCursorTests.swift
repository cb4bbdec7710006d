import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// Flows with a cursor that load into tables: records and cursor are one transaction.
@Suite struct TableCursorTests {
  private static func keys(_ rest: String = "") -> String {
    """
    schema: { key: id, fields: { id: integer, at: timestamp } }
    cursor: { field: at, query: since }
    """ + rest
  }

  /// A server with the records of the days up to the present one, counted from 1.
  private static func answer(_ tables: TableRig, upTo day: Int) {
    tables.rig.answer { request in
      let since = request.target.split(separator: "=").last.map(String.init) ?? ""
      let days = (1...day).filter { day in
        !request.target.contains("since=")
          || "2023-10-0\(day)T00:00:00Z" >= since.replacingOccurrences(of: "%3A", with: ":")
      }
      return ok(
        "[" + days.map { #"{"id":\#($0),"at":"2023-10-0\#($0)T00:00:00Z"}"# }.joined(separator: ",") + "]")
    }
  }

  @Test(arguments: TestStore.available)
  func `the next run continues from the cursor of the table`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      Self.answer(tables, upTo: 2)
      #expect(await tables.rig.run(flow).kept == 2)
      #expect(try await tables.lines("SELECT cursor FROM reactor_tables") == ["=2023-10-02T00:00:00Z"])
      Self.answer(tables, upTo: 4)
      #expect(await tables.rig.run(flow).kept == 3)
      #expect(try await tables.lines("SELECT id FROM users ORDER BY id") == ["1", "2", "3", "4"])
      let cursors = try await tables.lines("SELECT cursor_before, cursor_after FROM reactor_loads ORDER BY records")
      #expect(cursors == ["-,=2023-10-02T00:00:00Z", "=2023-10-02T00:00:00Z,=2023-10-04T00:00:00Z"])
      #expect(await flow.cursor?.memory()?.value == "2023-10-04T00:00:00Z")
    }
  }

  @Test(arguments: TestStore.available)
  func `the remembered value can be changed and forgotten`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      let memory = try #require(flow.cursor)
      await #expect(throws: ReactorError.self) { try await memory.remember("2023-10-01", parent: nil) }
      Self.answer(tables, upTo: 4)
      #expect(await tables.rig.run(flow).kept == 4)
      try await memory.remember("2023-10-03T00:00:00Z", parent: nil)
      #expect(await tables.rig.run(flow).kept == 2)
      try await memory.remember(nil, parent: nil)
      #expect(await memory.memory()?.value == nil)
      #expect(await tables.rig.run(flow).kept == 4)
    }
  }

  @Test(arguments: TestStore.available)
  func `a table that somebody has dropped is loaded from the start`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      Self.answer(tables, upTo: 3)
      #expect(await tables.rig.run(flow).kept == 3)
      try await tables.run("DROP TABLE users")
      let run = await tables.rig.run(flow)
      #expect(run.message == "" && run.kept == 3)
      #expect(try await tables.lines("SELECT count(*) FROM users") == ["3"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a table that somebody has emptied is loaded from the start`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      Self.answer(tables, upTo: 3)
      #expect(await tables.rig.run(flow).kept == 3)
      try await tables.run("DELETE FROM users WHERE id < 3")
      let run = await tables.rig.run(flow)
      #expect(run.message == "" && run.kept == 3)
      #expect(try await tables.lines("SELECT count(*) FROM users") == ["3"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a cursor that is changed while a run pulls is not written over`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      Self.answer(tables, upTo: 3)
      #expect(await tables.rig.run(flow).kept == 3)
      let mayGoOn = Mutex(false)
      let isAsked = Mutex(false)
      tables.rig.answer { _ in
        isAsked.withLock { $0 = true }
        return [.until { _ in mayGoOn.withLock { $0 } }] + ok("[]")
      }
      async let slow = tables.rig.run(flow)
      while !isAsked.withLock({ $0 }) { await Task.yield() }
      try await flow.cursor?.remember("2023-10-01T00:00:00Z", parent: nil)
      mayGoOn.withLock { $0 = true }
      let run = await slow
      #expect(run.message.contains("or its cursor was changed"))
      #expect(await flow.cursor?.memory()?.value == "2023-10-01T00:00:00Z")
    }
  }

  @Test(arguments: TestStore.available)
  func `a full refresh replaces the rows and the cursor`(_ store: TestStore) async throws {
    for mode in ["merge", "append"] {
      try await TableRig.with(store) { tables in
        let keys =
          mode == "merge"
          ? Self.keys() : Self.keys().replacingOccurrences(of: "since }", with: "since, bounds: \"(]\" }")
        Self.answer(tables, upTo: 4)
        #expect(await tables.rig.run(try tables.flow(keys, persistence: "mode: \(mode)")).kept == 4)
        Self.answer(tables, upTo: 2)
        var inputs = FlowCompiler.Inputs()
        inputs.isFullRefresh = true
        let anew = try tables.flow(keys, persistence: "mode: \(mode)", inputs: inputs)
        #expect(await tables.rig.run(anew).kept == 2)
        #expect(try await tables.lines("SELECT id FROM users ORDER BY id") == ["1", "2"])
        #expect(try await tables.lines("SELECT cursor FROM reactor_tables") == ["=2023-10-02T00:00:00Z"])
      }
    }
  }

  @Test(arguments: TestStore.available)
  func `a run whose table another run has loaded stores nothing`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.keys(), persistence: "mode: merge")
      let other = try tables.flow(Self.keys(), persistence: "mode: merge")
      Self.answer(tables, upTo: 1)
      #expect(await tables.rig.run(flow).kept == 1)
      // While the first run waits for its response, the second one runs as a whole.
      let mayGoOn = Mutex(false)
      let isFirst = Mutex(true)
      tables.rig.answer { _ in
        let waits = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        let response = ok(#"[{"id":2,"at":"2023-10-02T00:00:00Z"}]"#)
        return waits ? [.until { _ in mayGoOn.withLock { $0 } }] + response : response
      }
      async let slow = tables.rig.run(flow)
      while isFirst.withLock({ $0 }) { await Task.yield() }
      #expect(await tables.rig.run(other).message == "")
      mayGoOn.withLock { $0 = true }
      let run = await slow
      #expect(run.message.contains("another run has loaded the table 'users'"))
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["2"])
      #expect(await tables.rig.run(flow).message == "")
    }
  }

  @Test(arguments: TestStore.available)
  func `the cursors of parents are in the table's stamp`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer { request in
        let parent = request.target.split(separator: "?")[0].last.map(String.init) ?? ""
        return ok(#"[{"id":\#(parent),"at":"2023-10-0\#(parent)T00:00:00Z"}]"#)
      }
      let flow = try tables.flow(
        Self.keys("\nresource: \"/users/{{ value }}\"\neach: { values: [1, 2] }"), persistence: "mode: merge")
      #expect(await tables.rig.run(flow).kept == 2)
      let parents = await flow.cursor?.memory()?.parents.map(\.value)
      #expect(parents == ["2023-10-01T00:00:00Z", "2023-10-02T00:00:00Z"])
      _ = await tables.rig.run(flow)
      #expect(tables.rig.server.requests.last?.target.contains("since=2023-10-0") ?? false)
    }
  }
}
