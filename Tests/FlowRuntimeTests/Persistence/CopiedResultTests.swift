import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Results in several places.
@Suite struct CopiedResultTests {
  private static func body(_ ids: [Int]) -> String {
    "[" + ids.map { #"{"id":\#($0),"name":"N\#($0)"}"# }.joined(separator: ",") + "]"
  }

  private static func lines(_ ids: [Int]) -> String { ids.map { #"{"id":\#($0),"name":"N\#($0)"}"# + "\n" }.joined() }

  private static func places(_ first: String, _ others: String...) -> String {
    "persistence:\n" + ([first] + others).map { "  - \($0)" }.joined(separator: "\n")
  }

  @Test(arguments: TestStore.available)
  func `each place has all records of one pull, and later runs use them`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body([1, 2]))) { tables in
      let flow = try tables.rig.flow(
        Self.places(
          "{ path: users.jsonl, expires_after: 1h }", "out/users.csv.gz", "{ store: db, table: users }",
          "\"by/{{ record.id }}.jsonl\""), top: tables.top())
      #expect(await tables.rig.run(flow).kept == 2)
      #expect(tables.rig.server.requests.count == 1)
      #expect(
        tables.rig.files.filter { !$0.hasPrefix("shop.db") && !$0.hasPrefix(".reactor/") } == [
          "by/1.jsonl", "by/2.jsonl", "out/users.csv.gz", "users.jsonl",
        ])
      #expect(tables.rig.scratch.text("by/2.jsonl") == Self.lines([2]))
      #expect(try await tables.lines("SELECT id, name FROM users ORDER BY id") == ["1,N1", "2,N2"])
      let again = await tables.rig.run(flow)
      #expect(again.source == .persistence && again.message == "")
      #expect(tables.rig.server.requests.count == 1)
    }
  }

  @Test(arguments: TestStore.available)
  func `a copy of a merged result has the older records too`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.rig.flow(
        Self.places("{ path: users.jsonl, mode: merge }", "copy.jsonl", "{ store: db, table: users }"),
        top: tables.top())
      for ids in [[1, 2], [2, 3]] {
        tables.rig.answer(ok(Self.body(ids)))
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      #expect(tables.rig.scratch.text("copy.jsonl") == Self.lines([1, 2, 3]))
      #expect(try await tables.lines("SELECT id FROM users ORDER BY id") == ["1", "2", "3"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a table that has the result fills its files`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body([2, 1]))) { tables in
      let flow = try tables.rig.flow(
        Self.places("{ store: db, table: users, expires_after: 1h }", "users.jsonl"), top: tables.top())
      #expect(await tables.rig.run(flow).message == "")
      #expect(tables.rig.result == Self.lines([1, 2]))
      try FileManager.default.removeItem(atPath: tables.rig.scratch.path("users.jsonl"))
      #expect(await tables.rig.run(flow).source == .persistence)
      #expect(tables.rig.result == Self.lines([1, 2]))
    }
  }

  @Test func `a place that cannot be written keeps what it has, and the next run completes it before it asks`()
    async throws
  {
    try await Rig.with(ok(Self.body([1]))) { rig in
      let flow = try rig.flow(Self.places("{ path: users.jsonl, expires_after: 1h }", "a/copy.jsonl", "b.jsonl"))
      #expect(await rig.run(flow).message == "")
      rig.clock.advance(by: .seconds(3601))
      await rig.letGo()
      let folder = rig.scratch.path("a")
      // The folder disappears while the server responds.
      rig.answer { _ in
        try? FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
        _ = FileManager.default.createFile(atPath: folder, contents: nil)
        return ok(Self.body([1, 2]))
      }
      let failed = await rig.run(flow)
      #expect(failed.error?.kind == .persistence)
      #expect(failed.message.hasPrefix("users.jsonl has the result, and a/copy.jsonl does not: "))
      #expect(rig.result == Self.lines([1, 2]))
      // The place behind it is tried all the same.
      #expect(rig.scratch.text("b.jsonl") == Self.lines([1, 2]))
      #expect(rig.scratch.text("a.away/copy.jsonl") == Self.lines([1]))
      let count = rig.server.requests.count
      await rig.letGo()
      #expect(await rig.run(flow).error?.kind == .persistence)
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
      await rig.letGo()
      #expect(await rig.run(flow).source == .persistence)
      #expect(rig.server.requests.count == count)
      #expect(rig.scratch.text("a/copy.jsonl") == Self.lines([1, 2]))
    }
  }

  @Test func `a place that is added, removed or changed by hand gets the records without a request`() async throws {
    try await Rig.with(ok(Self.body([1, 2]))) { rig in
      let usual = "{ path: users.jsonl, expires_after: 1h }"
      #expect(await rig.run(try rig.flow("persistence: \(usual)")).kept == 2)
      let count = rig.server.requests.count
      let flow = try rig.flow(Self.places(usual, "copy.jsonl"))
      for change in ["", "removed", "changed"] {
        let path = rig.scratch.path("copy.jsonl")
        if change == "removed" { try FileManager.default.removeItem(atPath: path) }
        if change == "changed" { try Data("{}\n".utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(await rig.run(flow).source == .persistence, "\(change)")
        #expect(rig.scratch.text("copy.jsonl") == Self.lines([1, 2]), "\(change)")
      }
      #expect(rig.server.requests.count == count)
    }
  }

  @Test func `a failed copy is only reported where a failed save is`() async throws {
    try await Rig.with(ok(Self.body([1]))) { rig in
      try Data().write(to: URL(fileURLWithPath: rig.scratch.path("a")))
      let flow = try rig.flow(
        Self.places("{ path: users.jsonl, fail_on_save_error: false }", "a/copy.jsonl"))
      let run = await rig.run(flow)
      #expect(run.message == "" && run.kept == 1)
      guard case .failedTolerated(let error) = run.save else {
        Issue.record("\(String(describing: run.save))")
        return
      }
      #expect(error.message.contains("a/copy.jsonl does not"))
    }
  }

  @Test func `a place that is written twice is named`() async throws {
    try await Rig.with { rig in
      let problem = try #require(
        rig.compile(rig.text(Self.places("users.jsonl", "users.jsonl"))).diagnostics.diagnostics.first)
      #expect(problem.message == "'shop.users' writes the file 'users.jsonl' twice")
      #expect(problem.help == "leave one of them out")
    }
  }

  private static let refused: [(persistence: String, location: String)] = [
    ("[users.jsonl, users.jsonl]", "flow.duplicate-output@6:32"),
    ("[users.jsonl, { store: db, table: users, mode: merge }]", "flow.misplaced-key@6:59"),
    ("[users.jsonl, disabled]", "schema.contradiction@6:32"),
    ("[]", "flow.missing-value@6:18"),
    ("[users.jsonl, ../users.jsonl]", "flow.invalid-output@6:32"),
    ("[users.jsonl, { store: nope, table: users }]", "flow.unknown-store@6:41"),
  ]

  @Test(arguments: refused)
  func `a list of places that cannot be written is refused`(_ persistence: String, _ location: String) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        rig.text("persistence: \(persistence)", top: "stores: { db: { sqlite: shop.db } }"))
      #expect(compilation.locations == [location])
    }
  }
}
