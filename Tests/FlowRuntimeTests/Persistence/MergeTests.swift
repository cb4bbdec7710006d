import FieldTypes
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Records
import SourceDiagnostics
import Testing
import TestSupport

/// Results that keep what is there: by key, or one behind the other.
@Suite struct MergeTests {
  private static func keys(_ mode: String, _ format: String = "jsonl", _ rest: String = "") -> String {
    """
    schema: { key: id, fields: { id: integer, name: string? } }
    persistence: { path: users.\(format), mode: \(mode), expires_after: never\(rest) }
    """
  }

  /// The records of a file in any format, as `1=A`.
  private func records(_ rig: Rig, _ format: String = "jsonl") throws -> [String] {
    let text = try #require(rig.scratch.text("users.\(format)"))
    switch format.prefix(while: { $0 != "." }) {
    case "csv":
      var lines = text.components(separatedBy: "\r\n")
      #expect(lines.removeFirst() == "id,name")
      #expect(lines.removeLast() == "")
      return lines.map { $0.replacingOccurrences(of: ",", with: "=") }
    case "json":
      return try #require(try JSONValue(parsing: Array(text.utf8)).array).map(Self.word)
    default:
      return try text.split(separator: "\n").map { Self.word(try JSONValue(parsing: Array($0.utf8))) }
    }
  }

  private static func word(_ value: JSONValue) -> String {
    "\(value["id"]?.int64 ?? -1)=\(value["name"]?.string ?? "")"
  }

  private static func body(_ records: [String]) -> String {
    "["
      + records.map { word in
        let parts = word.split(separator: "=")
        return #"{"id":\#(parts[0]),"name":\#(parts.count > 1 ? "\"\(parts[1])\"" : "null")}"#
      }.joined(separator: ",") + "]"
  }

  private static let pulls: [(mode: String, pulls: [[String]], result: [String])] = [
    ("merge", [["1=A", "2=B", "3=C"], ["4=D", "2=X"]], ["1=A", "2=X", "3=C", "4=D"]),
    ("merge", [["1=A"], []], ["1=A"]),
    ("merge", [[], ["1=A"]], ["1=A"]),
    ("merge", [[], []], []),
    ("merge", [["1=A", "2=B", "1=C", "2=D", "3=E"]], ["1=C", "2=D", "3=E"]),
    ("merge", [["1=A", "2=B"], ["2=X", "3=Y", "2=Z", "1="]], ["1=", "2=Z", "3=Y"]),
    ("merge", [["2=B", "1=A"], ["3=C", "1=A2", "2=B2"], ["0=Z"]], ["2=B2", "1=A2", "3=C", "0=Z"]),
    ("append", [["1=A", "2=B"], ["2=X"], [], ["3=C"]], ["1=A", "2=B", "2=X", "3=C"]),
    ("append", [[], ["1=A", "1=A"]], ["1=A", "1=A"]),
    ("append", [[], []], []),
    ("replace", [["1=A", "2=B"], ["2=X"]], ["2=X"]),
  ]

  @Test(arguments: pulls, ["jsonl", "json", "csv", "jsonl.gz", "json.gz", "csv.gz", "jsonl.zst", "csv.zst"])
  func `pulls give this result in every format`(
    _ pulls: (mode: String, pulls: [[String]], result: [String]), _ format: String
  ) async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(Self.keys(pulls.mode, format))
      for pull in pulls.pulls {
        rig.answer(ok(Self.body(pull)))
        let run = await rig.run(flow, .fresh)
        #expect(run.message == "")
        #expect(run.kept == pull.count)
      }
      #expect(try records(rig, format) == pulls.result)
      // The whole result is used, and nothing lies beside it.
      let kept = await rig.run(flow)
      #expect(kept.source == .persistence)
      #expect(kept.kept == pulls.result.count)
      #expect(rig.files == ["users.\(format)"])
    }
  }

  @Test func `a key is equal whatever its spelling in the responses`() async throws {
    let keys = """
      schema: { key: [a, t], fields: { a: string, t: timestamp, n: integer } }
      persistence: { path: users.csv, mode: merge }
      """
    try await Rig.with { rig in
      let flow = try rig.flow(keys)
      rig.answer(
        ok(#"[{"a":"x\u002fy,\"z\"","t":"2024-01-01T00:00:00Z","n":1},{"a":"b","t":"2024-01-01T00:00:00Z","n":2}]"#))
      #expect(await rig.run(flow, .fresh).save == .saved)
      rig.answer(
        ok(
          #"[{"a":"x/y,\u0022z\u0022","t":"2024-01-01T01:00:00+01:00","n":3},{"a":"b","t":"2024-01-01T00:00:01Z","n":4}]"#
        ))
      #expect(await rig.run(flow, .fresh).save == .saved)
      #expect(
        rig.scratch.text("users.csv")
          == "a,t,n\r\n\"x/y,\"\"z\"\"\",2024-01-01T00:00:00Z,3\r\nb,2024-01-01T00:00:00Z,2\r\nb,2024-01-01T00:00:01Z,4\r\n"
      )
    }
  }

  @Test func `a failed pull leaves everything as it was`() async throws {
    try await Rig.with(ok(Self.body(["1=A"]))) { rig in
      let flow = try rig.flow(Self.keys("merge") + "\nexpect: { max: 1 }")
      #expect(await rig.run(flow).save == .saved)
      for body in [Self.body(["2=B", "3=C"]), #"[{"id":2},{"id"#, #"[{"id":"x"}]"#] {
        rig.answer(ok(body))
        #expect(await rig.run(flow, .fresh).error != nil)
        #expect(try records(rig) == ["1=A"])
        #expect(rig.files == ["users.jsonl"])
      }
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test(arguments: [
    ("jsonl", "{\"id\":1}\nnot json\n"), ("jsonl", "{\"id\":\"x\"}\n"), ("json", ""), ("json", "[{\"name\":\"A\"}]"),
    ("csv", "id,title\r\n1,A\r\n"), ("csv", "id,name\r\n1\r\n"), ("csv", ""),
  ])
  func `what does not fit is not lost but refused`(_ format: String, _ text: String) async throws {
    try await Rig.with(ok(Self.body(["1=A"]))) { rig in
      try text.write(toFile: rig.scratch.path("users.\(format)"), atomically: false, encoding: .utf8)
      for mode in ["merge", "append"] {
        let run = await rig.run(try rig.flow(Self.keys(mode, format)))
        #expect(run.error?.kind == .persistence)
        #expect(run.message.contains("because it does not fit the schema"), "\(run.message)")
        #expect(run.error?.help?.contains("move that file away") == true)
        #expect(rig.scratch.text("users.\(format)") == text)
        // Where failures are tolerated, the records are still counted.
        let tolerant = await rig.run(try rig.flow(Self.keys(mode, format, ", fail_on_save_error: false")))
        #expect(tolerant.kept == 1)
        if case .failedTolerated = tolerant.save {} else { Issue.record("\(String(describing: tolerant.save))") }
      }
    }
  }

  @Test func `records of which nobody knows where they come from are merged when they fit`() async throws {
    try await Rig.with(ok(Self.body(["2=X", "3=C"]))) { rig in
      try "{\"name\":\"A\", \"id\": 1}\n{\"id\":2,\"name\":null}".write(
        toFile: rig.scratch.path("users.jsonl"), atomically: false, encoding: .utf8)
      let flow = try rig.flow(Self.keys("merge"))
      #expect(await rig.run(flow).save == .saved)
      #expect(try records(rig) == ["1=A", "2=X", "3=C"])
    }
  }

  @Test func `records are appended without a schema too`() async throws {
    try await Rig.with(ok(#"[{"a":[1,2]}, 7]"#)) { rig in
      let text = rig.text("schema:").replacingOccurrences(of: "    schema:\n", with: "")
        .replacingOccurrences(of: "persistence: {", with: "persistence: { mode: append,")
      let flow = try #require(rig.compile(text).flows.first)
      _ = await rig.run(flow, .fresh)
      _ = await rig.run(flow, .fresh)
      #expect(rig.result == "{\"a\":[1,2]}\n7\n{\"a\":[1,2]}\n7\n")
    }
  }

  @Test(arguments: ["jsonl", "json", "csv"])
  func `many records are merged at their locations, over the limits of every buffer`(_ format: String) async throws {
    let count = 60_000
    func word(_ id: Int, _ version: Int) -> String { "\(id)=\(version)-\(String(repeating: "n", count: id % 40))" }
    try await Rig.with(ok(Self.body((0..<count).map { word($0, 1) }))) { rig in
      let flow = try rig.flow(Self.keys("merge", format))
      #expect(await rig.run(flow, .fresh).kept == count)
      // Every third, from the last to the first, and some that are new.
      let changed = stride(from: count - 1, through: 0, by: -3).map { word($0, 2) }
      rig.answer(ok(Self.body(changed + (count..<count + 5000).map { word($0, 2) })))
      #expect(await rig.run(flow, .fresh).message == "")
      let records = try records(rig, format)
      #expect(records.count == count + 5000)
      #expect(records == (0..<count + 5000).map { word($0, $0 >= count || $0 % 3 == (count - 1) % 3 ? 2 : 1) })
    }
  }

  private static let mistakes: [(keys: String, codes: [String])] = [
    ("persistence: { path: users.jsonl, mode: merge }", []),
    (
      "schema: { fields: { id: integer } }\npersistence: { path: users.jsonl, mode: merge }", ["flow.merge-without-key"]
    ),
    (
      "schema: { key: id, fields: { id: integer? } }\npersistence: { path: users.jsonl, mode: merge }",
      ["flow.merge-without-key"]
    ),
    (
      "schema: { key: id, fields: { id: { type: integer, default: 0 } } }\npersistence: { path: users.jsonl, mode: merge }",
      ["flow.merge-without-key"]
    ),
    ("persistence: { path: users.jsonl, mode: upsert }", ["flow.unknown-value"]),
  ]

  @Test(arguments: mistakes)
  func `merging needs a key that every record has`(_ keys: String, _ codes: [String]) async throws {
    try await Rig.with { rig in
      #expect(rig.compile(rig.text(keys)).diagnostics.diagnostics.map(\.code.rawValue) == codes)
    }
  }

  @Test func `a merge needs a key of its schema`() {
    let schema = RecordSchema(
      name: "a", fields: [FieldMapping(name: "id", from: JSONPath(singular: [.name("id")]), type: .integer)])
    #expect(RecordMerge(MappingPlan(schema), format: .json, key: ["id"], index: RecordIndex()) != nil)
    #expect(RecordMerge(MappingPlan(schema), format: .json, key: ["no"], index: RecordIndex()) == nil)
    #expect(RecordMerge(MappingPlan(schema), format: .json, key: [], index: RecordIndex()) == nil)
  }
}
