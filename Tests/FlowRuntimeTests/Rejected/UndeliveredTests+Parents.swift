import FlowRuntime
import FlowTesting
import JSONSyntax
import Synchronization
import Testing
import TestSupport

/// The same of flows with parents.
extension UndeliveredTests {
  private static let parents = """
    each: { values: [eu, us], as: region, concurrency: 1 }
    resource: "/{{ region }}"

    """

  @Test func `of a flow with parents only those are asked again whose records were rejected`() async throws {
    let keys = Self.keys("", Self.parents)
    try await Rig.with { rig in
      let (eu, us) = (
        NumberedOrders([("1", 10, "a"), ("2", 30, "b")]), NumberedOrders([("5", 20, nil), ("6", 50, "c")])
      )
      rig.answer { request in (request.target.hasPrefix("/eu") ? eu : us).script()(request) }
      _ = await rig.run(try Self.flow(rig, keys))
      _ = await rig.run(try Self.flow(rig, keys))
      let line = try #require(try Self.lines(rig).first)
      #expect(line["parents"] == .object(["region": .string("us")]) && line["each"] == nil)
      us.fix("5")
      let before = rig.server.requests.count
      #expect(await rig.run(try Self.retry(rig, keys)).error == nil)
      #expect(rig.server.requests.dropFirst(before).map(\.target) == ["/us?from=20"])
      #expect(rig.scratch.text("bad.jsonl") == "" && rig.result?.contains("fixed") == true)
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(rig.server.requests.suffix(2).map(\.target) == ["/eu?from=30", "/us?from=50"])
    }
  }

  @Test func `where only changed parents are asked for, those of rejected records are asked again whole`() async throws
  {
    let keys =
      Self.schema
      + "persistence: { path: users.jsonl, mode: merge }\nrejected: bad.jsonl\nresource: \"/{{ region.id }}\"\n"
      + "each: { file: regions.jsonl, as: region, only: changed, schema: { key: id, fields: { id: string } } }"
    try await Rig.with { rig in
      try rig.scratch.write("{\"id\":\"eu\"}\n{\"id\":\"us\"}\n".utf8, to: "regions.jsonl")
      let (eu, us) = (NumberedOrders([("1", 10, "a")]), NumberedOrders([("5", 20, nil), ("6", 50, "c")]))
      rig.answer { request in (request.target.hasPrefix("/eu") ? eu : us).script()(request) }
      for _ in 0..<2 { _ = await rig.run(try Self.flow(rig, keys)) }
      #expect(rig.server.requests.map(\.target).sorted() == ["/eu", "/us"])
      #expect(try Self.lines(rig).map { $0["parents"]?["region"]?["id"]?.string } == ["us"])
      us.fix("5")
      #expect(await rig.run(try Self.retry(rig, keys)).error == nil)
      #expect(rig.server.requests.dropFirst(2).map(\.target) == ["/us"])
      #expect(rig.scratch.text("bad.jsonl") == "" && rig.result?.contains("fixed") == true)
    }
  }

  @Test func `a parent that was never whole is not remembered by a retry`() async throws {
    let keys = Self.keys(
      "",
      Self.parents + "pages: { by: cursor, from: $.next, query: page, missing: end, partial: keep }\nrecords: $.data")
    try await Rig.with { rig in
      let isMended = Atomic(false)
      rig.answer { request in
        if request.target.hasPrefix("/eu") { return ok("{\"data\":[{\"id\":1,\"seq\":10,\"name\":\"a\"}]}") }
        if request.target.contains("page=") { return answer("404 Not Found", "{}") }
        let name = isMended.load(ordering: .acquiring) ? "\"b\"" : "null"
        return ok(
          "{\"data\":[{\"id\":7,\"seq\":8,\"name\":\"x\"},{\"id\":5,\"seq\":20,\"name\":\(name)}],\"next\":\"p\"}")
      }
      _ = await rig.run(try Self.flow(rig, keys))
      isMended.store(true, ordering: .releasing)
      _ = await rig.run(try Self.retry(rig, keys))
      #expect(rig.result?.contains("\"id\":5") == true)
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(rig.server.requests.map(\.target).contains("/us"))
      #expect(rig.server.requests.last { $0.target.hasPrefix("/us") && !$0.target.contains("page=") }?.target == "/us")
    }
  }

  @Test func `items that failed and records that were rejected are asked for together`() async throws {
    let keys = Self.keys("", Self.parents)
    try await Rig.with { rig in
      let us = NumberedOrders([("5", 20, nil), ("6", 50, "c")])
      let isUp = Atomic(false)
      rig.answer { request in
        if request.target.hasPrefix("/us") { return us.script()(request) }
        return isUp.load(ordering: .acquiring)
          ? ok("[{\"id\":1,\"seq\":10,\"name\":\"a\"}]") : answer("404 Not Found", "{}")
      }
      _ = await rig.run(try Self.flow(rig, keys))
      #expect(try Self.lines(rig).count { $0["each"] != nil } == 1)
      #expect(try Self.lines(rig).count { $0["parents"] != nil } == 1)
      isUp.store(true, ordering: .releasing)
      us.fix("5")
      #expect(await rig.run(try Self.retry(rig, keys)).error == nil)
      #expect(rig.scratch.text("bad.jsonl") == "")
      #expect(rig.result?.split(separator: "\n").count == 3)
    }
  }
}
