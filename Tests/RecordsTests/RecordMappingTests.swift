import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import TestSupport
import Testing

/// A declared schema is a mapping: what the runner reads by its plan, and what the core's parser reads by the schema's
/// mapping, are the same records and the same rejections, whether the mapping decodes from tokens or from JSON values.
@Suite struct RecordMappingTests {
  private static let values = [
    "null", "true", "false", "0", "-7", "1.0", "2.5", "1e2", "9223372036854775807", "9223372036854775808", #""""#,
    #""a \"quoted\" text""#, #""42""#, #""2026-11-24""#, #""2026-02-30""#, #""2026-11-24T10:00:00Z""#, #""é""#,
    "[]", "[1, 2]", #"[1, "x"]"#, "[null]", "{}", #"{"id": 3}"#, #"{"id": "x"}"#,
  ]

  private func testSchema() throws -> RecordSchema {
    try schema([
      ("id", .integer), ("name", .string), ("price?", .number), ("paid?", .boolean), ("day?", .date),
      ("at?", .timestamp(.iso8601)), ("numbers?", .list(.integer)),
      ("part?", .object([FieldMapping(name: "id", from: try JSONPath(parsing: "$.id"), type: .integer)])),
      ("rest?", .json),
    ])
  }

  private func payload(_ generator: inout SeededGenerator) -> String {
    let names = ["id", "name", "price", "paid", "day", "at", "numbers", "part", "rest", "unknown"]
    let records = (0..<Int.random(in: 0...5, using: &generator)).map { number -> String in
      if Int.random(in: 0..<12, using: &generator) == 0 { return Self.values.randomElement(using: &generator) ?? "1" }
      let members = names.compactMap { name -> String? in
        // Most records are near to right, so that all fields are reached.
        if name == "id", Int.random(in: 0..<6, using: &generator) > 0 { return "\"id\": \(number)" }
        if name == "name", Int.random(in: 0..<6, using: &generator) > 0 { return "\"name\": \"n\(number)\"" }
        guard Int.random(in: 0..<9, using: &generator) == 0 else { return nil }
        return "\"\(name)\": \(Self.values.randomElement(using: &generator) ?? "1")"
      }
      return "{\(members.joined(separator: ", "))}"
    }
    return "[\(records.joined(separator: ", "))]"
  }

  @Test(arguments: [false, true], [false, true])
  func `generated payloads give the same records and rejections`(isStrict: Bool, byTokens: Bool) async throws {
    let schema = try testSchema()
    let mapping = schema.mapping
    let parser = Parser.array(
      of: byTokens ? mapping : ModelMapping(decode: mapping.decode, encode: mapping.encode), prune: !isStrict)
    var generator = SeededGenerator(27)
    var counts = (kept: 0, rejected: 0, failed: 0)
    for _ in 0..<600 {
      let text = payload(&generator)
      let read: Result<Reading, ReactorError>
      do throws(ReactorError) {
        read = .success(try await Reading(text, schema, isStrict: isStrict))
      } catch {
        read = .failure(error)
      }
      let parsed: Result<(model: [Record], report: PruneReport), ReactorError>
      do throws(ReactorError) {
        parsed = .success(try parser.parse(Array(text.utf8)))
      } catch {
        parsed = .failure(error)
      }
      switch (read, parsed) {
      case (.success(let reading), .success(let parsed)):
        let lines = parsed.model.map { String(decoding: JSONWriter.bytes($0.json), as: UTF8.self) }
        #expect(reading.lines == lines, "\(text)")
        #expect(reading.report.kept == parsed.report.kept, "\(text)")
        #expect(
          reading.report.rejections.map { "\($0.index) \($0.pointer) \($0.reason)" }
            == parsed.report.rejections.map { "\($0.index) \($0.pointer) \($0.reason)" }, "\(text)")
        counts.kept += parsed.report.kept
        counts.rejected += parsed.report.rejected
      case (.failure(let one), .failure(let other)):
        #expect(one.message == other.message && one.recordIndex == other.recordIndex, "\(text)")
        counts.failed += 1
      default: Issue.record("one door accepts what the other refuses: \(text)")
      }
    }
    #expect(counts.kept > 50)
    #expect(isStrict ? counts.failed > 100 : counts.rejected > 100)
  }

  @Test func `a record has typed fields, becomes a compiled type, and goes back to JSON`() throws {
    struct User: Mappable, Equatable {
      var id: Int64
      var name: String

      static func mapToModel(_ json: JSONValue) throws(MappedError) -> User {
        User(id: try json.integerField("id"), name: try json.stringField("name"))
      }

      func mapToJSON() -> JSONValue? { .object(["id": .integer(id), "name": .string(name)]) }
    }
    let mapping = try schema([("id", .integer), ("name", .string)], from: ["id": "$.key.id"]).mapping
    let record = try mapping.decode(try JSONValue(parsing: #"{"key": {"id": "7"}, "name": "Ada", "more": 1}"#))
    #expect(try record.integer("id") == 7)
    #expect(try record.string("name") == "Ada")
    #expect(record["more"] == nil)
    #expect(try record.model(as: User.self) == User(id: 7, name: "Ada"))
    #expect(mapping.encode(record) == record.json)
    #expect(throws: MappedError("expected an integer, found true", pointer: "/key/id")) {
      _ = try mapping.decode(try JSONValue(parsing: #"{"key": {"id": true}, "name": "Ada"}"#))
    }
  }

  @Test(arguments: [RecordFormat.jsonLines, .json, .csv])
  func `the records of a set are read one by one, as often as they are asked for`(_ format: RecordFormat) async throws {
    let schema = try schema([("id", .integer), ("name?", .string)])
    let reading = try await Reading(
      #"[{"id": 1, "name": "A"}, {"id": 2}, {"id": 3, "name": "C, \"D\""}]"#, schema, format: format)
    let set = RecordSet(schema: schema, count: 3, format: format, content: .memory(Array(reading.text.utf8)))
    for _ in 0..<2 {
      var ids: [Int64] = []
      for try await record in set.records { ids.append(try record.integer("id")) }
      #expect(ids == [1, 2, 3])
    }
  }
}
