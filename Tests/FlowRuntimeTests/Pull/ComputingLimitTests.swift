import Databases
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

/// Computing has limits of its own: no path and no query runs past the time of its flow.
@Suite(.timeLimit(.minutes(2))) struct ComputingLimitTests {
  @Test(arguments: [
    "records: \"$.a[?$.a[?$.a[?$.a[?@.q]]]]\"", "records: $.b\nexpect: { total: \"$.a[?$.a[?$.a[?$.a[?@.q]]]]\" }",
    "records: $.b\npages: { by: cursor, from: \"$.a[?$.a[?$.a[?$.a[?@.q]]]]\", query: c }",
  ])
  func `a path that visits the document again for each node ends with an error`(_ keys: String) async throws {
    let list = (1...300).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    try await Rig.with(ok("{\"a\":[\(list)],\"b\":[{\"id\":1}]}")) { rig in
      let run = await rig.run(try rig.flow("\(keys)\nschema: { fields: { id: integer } }"))
      #expect(run.message.contains("takes more steps in this document than are allowed"), "\(run.message)")
      #expect(run.error?.help?.contains("simplify") ?? false)
      #expect(rig.result == nil)
    }
  }

  @Test func `a path of a field that takes too long in one record rejects that record`() async throws {
    let list = (1...300).map { String($0) }.joined(separator: ",")
    try await Rig.with(ok("[{\"id\":1,\"a\":[]},{\"id\":2,\"a\":[\(list)]}]")) { rig in
      let run = await rig.run(
        try rig.flow(
          "schema: { fields: { id: integer, n: { from: \"$.a[?$.a[?$.a[?@.q]]]\", type: [integer] } } }"))
      #expect(run.message == "" && run.kept == 1 && run.outcome?.report.rejected == 1)
      let reason = run.outcome?.report.rejections.first?.reason ?? ""
      #expect(reason.contains("the field's path takes no more steps than are allowed"), "\(reason)")
    }
  }

  @Test func `a query of a database stops with its flow, and gives so much at most`() async throws {
    try await TableRig.with(.sqlite, ok("[]")) { tables in
      func run(_ query: String) async throws -> FlowRun {
        await tables.rig.run(
          try tables.rig.flow(
            "each: { store: db, query: \"\(query)\" }\nresource: \"/x/{{ parent.x }}\"", top: tables.top()))
      }
      try await tables.run(
        "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)", "CREATE TABLE u (x)", "PRAGMA busy_timeout = 0")
      // While a query reads a table, the log of the database cannot be emptied.
      func isReading() async throws -> Bool {
        try await tables.run("INSERT INTO u VALUES (1)")
        return try await tables.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "1"
      }
      let endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(c.x) as x from c, t"
      let task = Task { try await run(endless) }
      let latest = ContinuousClock.now + .seconds(30)
      while try await !isReading(), ContinuousClock.now < latest { try await Task.sleep(for: .milliseconds(5)) }
      try #require(try await isReading())
      let start = ContinuousClock.now
      task.cancel()
      #expect(try await task.value.error?.kind == .cancelled)
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(try await !isReading())
      let large = try await run("select replace(hex(zeroblob(200000000)), '0', 'xx') as x from t")
      #expect(large.message.contains("too big"), "\(large.message)")
      let many = try await run(
        "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c")
      #expect(many.message.contains("it returns more than 10000000 rows or 1024 MiB"), "\(many.message)")
    }
  }
}
