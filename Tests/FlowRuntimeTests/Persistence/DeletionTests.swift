import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Testing
import TestSupport

/// Records that say that they are gone, taken out of a merged result.
@Suite struct DeletionTests {
  private static func keys(_ format: String = "jsonl", _ condition: String = "has(source.gone)") -> String {
    """
    schema: { key: id, fields: { id: integer, name: string } }
    persistence: { path: users.\(format), mode: merge, delete_when: "\(condition)" }
    """
  }

  private static func ids(_ rig: Rig, _ format: String) -> [Int] {
    let text = rig.scratch.text("users.\(format)") ?? ""
    return text.split { !$0.isASCII || !($0.isNumber) }.compactMap { Int($0) }
  }

  private static let pulls: [(answers: [String], result: [Int])] = [
    ([#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, #"[{"id":1,"gone":true}]"#], [2]),
    // Of one that is gone only the key must fit, and it may never have been there.
    ([#"[{"id":1,"name":"a"}]"#, #"[{"id":9,"gone":true,"name":7}]"#], [1]),
    // What comes later counts, in both directions.
    ([#"[{"id":1,"name":"a"},{"id":1,"gone":true},{"id":2,"name":"b"}]"#], [2]),
    ([#"[{"id":1,"gone":true},{"id":1,"name":"a"},{"id":2,"gone":true}]"#], [1]),
    ([#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, #"[{"id":1,"gone":true},{"id":2,"gone":true}]"#], []),
  ]

  @Test(arguments: pulls, ["jsonl", "json", "csv", "jsonl.gz", "csv.zst"])
  func `they leave the result in every format`(_ pull: (answers: [String], result: [Int]), _ format: String)
    async throws
  {
    try await Rig.with { rig in
      let flow = try rig.flow(Self.keys(format))
      for answer in pull.answers {
        rig.answer(ok(answer))
        let run = await rig.run(flow, .fresh)
        #expect(run.error == nil)
        #expect(run.outcome?.report.filtered == answer.components(separatedBy: "gone").count - 1)
      }
      #expect(Self.ids(rig, format) == pull.result)
      let kept = await rig.run(flow, .offline)
      #expect(kept.kept == pull.result.count)
    }
  }

  @Test func `one whose key does not fit is rejected`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"},{"id":"x","gone":true},{"gone":true}]"#)) { rig in
      let run = await rig.run(try rig.flow(Self.keys() + "\nrejected: bad.jsonl"))
      #expect(run.kept == 1 && run.outcome?.report.rejected == 2 && run.outcome?.report.filtered == 0)
      let text = try #require(rig.scratch.text("bad.jsonl"))
      #expect(text.contains(#""index":1,"pointer":"/id","rule":"integer""#))
    }
  }

  @Test func `many of them, among many records, keep their order`() async throws {
    let first = (0..<5000).map { #"{"id":\#($0),"name":"n"}"# }
    let second = (0..<5000).map { $0 % 3 == 0 ? #"{"id":\#($0),"gone":1}"# : #"{"id":\#($0),"name":"m"}"# }
    try await Rig.with { rig in
      let flow = try rig.flow(Self.keys())
      for records in [first, second] {
        rig.answer(ok("[" + records.joined(separator: ",") + "]"))
        #expect(await rig.run(flow, .fresh).error == nil)
      }
      #expect(Self.ids(rig, "jsonl") == (0..<5000).filter { $0 % 3 != 0 })
      #expect(rig.result?.contains("\"n\"") == false)
    }
  }

  @Test func `a condition that has no response rejects the record`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"},{"id":2,"name":"b","state":5}]"#)) { rig in
      let run = await rig.run(try rig.flow(Self.keys("jsonl", "coalesce(source.state, 'x') + 'y' == 'goney'")))
      #expect(run.outcome?.report.rejected == 1)
      #expect(run.outcome?.report.rejections.first?.reason.hasPrefix("'delete_when' cannot be evaluated") == true)
    }
  }

  @Test func `with a cursor what is gone goes run by run`() async throws {
    try await Rig.with { rig in
      let keys = """
        schema: { key: id, fields: { id: integer, at: integer } }
        persistence: { path: users.jsonl, mode: merge, delete_when: "coalesce(source.gone, false)" }
        cursor: { field: at, query: since, bounds: "()" }
        """
      let flow = try rig.flow(keys)
      rig.answer(ok(#"[{"id":1,"at":1},{"id":2,"at":2}]"#))
      _ = await rig.run(flow)
      rig.answer(ok(#"[{"id":1,"at":3,"gone":true},{"id":3,"at":4}]"#))
      _ = await rig.run(flow)
      #expect(rig.result == "{\"id\":2,\"at\":2}\n{\"id\":3,\"at\":4}\n")
      #expect(rig.server.requests.last?.target == "/users?since=2")
    }
  }
}
