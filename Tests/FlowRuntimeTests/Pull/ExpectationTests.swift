import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

@Suite struct ExpectationTests {
  /// Three records, of which the second does not fit.
  private static let mixed =
    #"{"total":3,"count":"3","none":null,"data":[{"id":1,"name":"A"},{"id":"x","name":"B"},{"id":3,"name":"C"}]}"#

  private static let cases: [(expect: String, message: String?)] = [
    ("min: 2", nil),
    ("min: 3", "expected at least 3 records, found 2"),
    ("max: 2", nil),
    ("max: 1", "expected at most 1 record, found 2"),
    ("max_rejected: 1", nil),
    ("max_rejected: 0", "expected at most 0 records rejected, found 1 of 3"),
    ("total: $.total", nil),
    ("total: $.count", nil),
    ("total: $.data", "expected an integer as the total at $.data, found array"),
    ("total: $.none", "expected an integer as the total at $.none, found null"),
    ("total: $.sum", "the response has no total at $.sum; $ has the members total, count, none, data"),
    ("min: 1, max: 2, total: $.total, max_rejected: 1", nil),
  ]

  @Test(arguments: cases)
  func `a result that does not satisfy its expectations is an error, and nothing is stored`(
    _ expect: String, _ message: String?
  ) async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let run = await rig.run(try rig.flow("records: $.data[*]\nexpect: { \(expect) }"))
      #expect(run.error?.message == message)
      #expect(run.error?.kind == (message == nil ? nil : .parser))
      #expect(rig.files == (message == nil ? ["users.jsonl"] : []))
      if message != nil { #expect(run.events.contains { if case .failed(.parse, _) = $0 { true } else { false } }) }
    }
  }

  @Test(arguments: ["2", "4", "0", "-3", "9223372036854775807"])
  func `a total that differs from the records is an error`(_ total: String) async throws {
    try await Rig.with(ok(#"{"data":[{"id":1,"name":"A"},{"id":"x"},{"id":3,"name":"C"}],"meta":{"total":\#(total)}}"#))
    {
      rig in
      let run = await rig.run(try rig.flow("records: $.data[*]\nexpect: { total: $.meta.total }"))
      #expect(run.message == "the response says \(total) records at $.meta.total, but contains 3")
      #expect(rig.files == [])
    }
  }

  @Test(arguments: ["1.5", "true", "\"many\"", "[3]", "18446744073709551616"])
  func `a total that is no integer is an error`(_ total: String) async throws {
    try await Rig.with(ok(#"{"data":[],"total":\#(total)}"#)) { rig in
      let run = await rig.run(try rig.flow("records: $.data[*]\nexpect: { total: $.total }"))
      #expect(run.message.hasPrefix("expected an integer as the total at $.total, found "))
    }
  }

  @Test func `expectations hold without persistence too, and with a query for records`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      for records in ["$.data[*]", "$.data[?@.name]", "$..data[*]"] {
        let keys = "persistence: disabled\nrecords: \(records)\nexpect: "
        let satisfied = try rig.flow(keys + "{ total: $.total, min: 2 }")
        #expect(await rig.run(satisfied).kept == 2)
        let failing = try rig.flow(keys + "{ min: 3 }")
        #expect(await rig.run(failing).message == "expected at least 3 records, found 2")
      }
    }
  }

  @Test func `an accepted status is taken, and 200 no longer when it is not among them`() async throws {
    let body = #"[{"id":1,"name":"A"}]"#
    try await Rig.with(answer("404 Not Found", body)) { rig in
      let flow = try rig.flow("expect: { status: [404, 5xx] }")
      #expect(await rig.run(flow, .fresh).kept == 1)
      rig.answer(answer("503 Service Unavailable", body))
      #expect(await rig.run(flow, .fresh).kept == 1)
      rig.answer(ok(body))
      let refused = await rig.run(flow, .fresh)
      #expect(refused.error?.status == 200)
      #expect(refused.message == "the server answered with status 200: \(body)")
      #expect(await rig.run(flow).source == .persistence)
    }
  }
}

@Suite struct PruneTests {
  private static let mixed =
    #"[{"id":1,"name":"A"},{"id":"x","name":"B"},7,{"id":4},{"id":5,"name":"E"},{"id":6,"name":"\ud800"}]"#

  @Test func `bad records are left out and reported with their locations`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow()
      let run = await rig.run(flow)
      #expect(run.kept == 2)
      let report = try #require(run.outcome?.report)
      #expect(report.rejected == 4)
      #expect(report.rejections.map(\.index) == [1, 2, 3, 5])
      #expect(report.rejections.map(\.pointer) == ["/id", "/id", "/name", "/name"])
      #expect(run.events.contains(.pruned(report)))
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n{\"id\":5,\"name\":\"E\"}\n")
      // What was counted when it was stored is not counted again.
      let again = await rig.run(flow)
      #expect(again.outcome?.report == PruneReport(kept: 2))
    }
  }

  @Test func `strict fails on the first bad record and keeps the old result`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"A"}]"#)) { rig in
      let flow = try rig.flow("prune: false")
      #expect(await rig.run(flow).kept == 1)
      rig.answer(ok(Self.mixed))
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.kind == .parser)
      #expect(run.error?.recordIndex == 1)
      #expect(run.error?.pointer == "/id")
      #expect(run.message.contains("expected an integer"), "\(run.message)")
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test(arguments: ["", "wait: false", "persistence: { path: users.jsonl, fail_on_save_error: false }"])
  func `a wholly bad batch is an error and keeps the old result`(_ keys: String) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"A"}]"#)) { rig in
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).kept == 1)
      rig.answer(ok(#"[{"id":true,"name":"A"},{"id":2}]"#))
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.kind == .parser)
      #expect(run.message.hasPrefix("every record was rejected (2 of 2); the first: "))
      #expect(run.error?.recordIndex == 0)
      #expect(run.error?.pointer == "/id")
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test func `an empty response is not a bad one`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let run = await rig.run(try rig.flow("prune: false"))
      #expect(run.kept == 0)
      #expect(run.save == .saved)
      #expect(rig.result == "")
      #expect(await rig.run(try rig.flow("prune: false")).source == .persistence)
    }
  }
}
