import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import Testing

/// A field that may be absent is in no record, and a name like its own is.
@Suite struct MissingFieldsTests {
  /// Records, and what is to be said of the field `city`, which may be absent.
  struct Answer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path: String
    var records: String
    /// The path that is meant; nil when nothing is to be said.
    var near: String?
    /// Further fields, by their paths.
    var others: [String: String] = [:]

    init(_ name: String, _ path: String, _ records: String, near: String?, others: [String: String] = [:]) {
      (testDescription, self.path, self.records, self.near, self.others) = (name, path, records, near, others)
    }
  }

  static let answers = [
    Answer("a letter is left out", "$.addrss", #"[{"id":1,"address":"x"},{"id":2,"address":"y"}]"#, near: "$.address"),
    Answer("a letter of four is left out", "$.cty", #"[{"id":1,"city":"x"}]"#, near: "$.city"),
    Answer("another style", "$.created_at", #"[{"id":1,"createdAt":"x"}]"#, near: "$.createdAt"),
    Answer("another style of three letters", "$.zip", #"[{"id":1,"ZIP":"x"}]"#, near: "$.ZIP"),
    Answer(
      "below another member", "$.home.ctiy", #"[{"id":1,"home":{"city":"x"}}]"#, near: "$.home.city"),
    Answer("a member on the way", "$.hoem.city", #"[{"id":1,"home":{"city":"x"}}]"#, near: "$.home.city"),
    Answer("a name that a path must quote", "$['e-mial']", #"[{"id":1,"e-mail":"x"}]"#, near: "$['e-mail']"),
    Answer(
      "only the last record lacks the other", "$.addrss", #"[{"id":1,"address":"x"},{"id":2}]"#, near: "$.address"),
    Answer("null is there", "$.addrss", #"[{"id":1,"address":"x","addrss":null}]"#, near: nil),
    Answer("the last record has it", "$.addrss", #"[{"id":1,"address":"x"},{"id":2,"addrss":"y"}]"#, near: nil),
    Answer(
      "a record that is rejected has it", "$.addrss",
      #"[{"id":1,"address":"x"},{"id":"none","addrss":"y"},{"id":3}]"#, near: nil),
    Answer("nothing near", "$.deleted_at", #"[{"id":1,"created_at":"x","city":"y"}]"#, near: nil),
    Answer("two edits in a long name", "$.max_price", #"[{"id":1,"min_price":2}]"#, near: nil),
    Answer("a number of another line", "$.line2", #"[{"id":1,"line1":"x"}]"#, near: nil),
    Answer("three letters", "$.cty", #"[{"id":1,"cities":"x","ct":"y"}]"#, near: nil),
    Answer(
      "the other one has a field of its own", "$.prices", #"[{"id":1,"price":2}]"#, near: nil,
      others: ["price": "$.price"]),
    Answer(
      "the other one is on the way to a field", "$.prices", #"[{"id":1,"price":{"net":2}}]"#, near: nil,
      others: ["net": "$.price.net"]),
    Answer(
      "a field of the same name elsewhere", "$.home.addrss", #"[{"id":1,"address":1,"home":{"address":2}}]"#,
      near: "$.home.address", others: ["other": "$.address"]),
    Answer("an element of a list", "$.labels[0]", #"[{"id":1,"label":["x"]}]"#, near: "$.label[0]"),
    Answer("a list that is too short", "$.tags[3]", #"[{"id":1,"tags":["x"]}]"#, near: nil),
    Answer("a value that is no object", "$.home.city", #"[{"id":1,"home":"x"}]"#, near: nil),
    Answer(
      "a record that is looked at", "$.addrss",
      "[{\"id\":1,\"address\":\"\(String(repeating: "x", count: 60_000))\"}]", near: "$.address"),
    Answer(
      "a record that is too long to look at", "$.addrss",
      "[{\"id\":1,\"address\":\"\(String(repeating: "x", count: 70_000))\"}]", near: nil),
    Answer(
      "the last of many records", "$.addrss",
      "[\(String(repeating: #"{"id":1,"address":"x"},"#, count: 40)){\"id\":2,\"addrss\":\"y\"}]", near: nil),
    Answer(
      "the last before the names are compared", "$.addrss",
      "[\(String(repeating: #"{"id":1,"address":"x"},"#, count: 14)){\"id\":2,\"addrss\":\"y\"}]", near: nil),
    Answer(
      "none of many records", "$.addrss",
      "[\(String(repeating: #"{"id":1,"address":"x"},"#, count: 40)){\"id\":2}]", near: "$.address"),
    Answer("no records", "$.addrss", "[]", near: nil),
    Answer("a record that is no object", "$.addrss", "[7]", near: nil),
  ]

  private func read(
    _ answer: Answer, at path: String? = nil, missing: FieldMapping.MissingPolicy = .optional, pieces: Int = .max
  ) async throws -> [[String]] {
    var fields = [FieldMapping(name: "id", from: try JSONPath(parsing: "$.id"), type: .integer)]
    for (name, path) in answer.others.sorted(by: { $0.key < $1.key }) {
      fields.append(FieldMapping(name: name, from: try JSONPath(parsing: path), type: .json, missing: .optional))
    }
    fields.append(FieldMapping(name: "city", from: try JSONPath(parsing: answer.path), type: .json, missing: missing))
    let bytes = Array(answer.records.utf8)
    let parts = stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)).map {
      Array(bytes[$0..<min($0 + min(pieces, bytes.count), bytes.count)])
    }
    var limits = RecordLimits()
    limits.windowBytes = min(pieces, limits.windowBytes)
    let reader = RecordReader(
      plan: MappingPlan(RecordSchema(name: "test", fields: fields)),
      selection: RecordSelection(try path.map { try JSONPath(parsing: $0) }), isStrict: false, limits: limits)
    let outcome = try await reader.read(ResponseBody(Pieces(parts)), emit: { _ in })
    return outcome.missingFields.map { [$0.name, $0.path, $0.near] }
  }

  @Test(arguments: answers) func `what is meant is told, and nothing of what may be right`(_ answer: Answer)
    async throws
  {
    let expected = answer.near.map { [["city", answer.path, $0]] } ?? []
    #expect(try await read(answer) == expected)
    #expect(try await read(answer, missing: .default(.string("-"))) == expected)
    #expect(try await read(answer, pieces: 7) == expected, "in pieces of 7 bytes")
    guard answer.records != "[]" else { return }
    #expect(try await read(answer, at: "$[?@.id != 0]") == expected, "held")
  }

  @Test func `a field that must be there is told by the record that lacks it, with what is meant`() async throws {
    let answer = Answer("", "$.addrss", #"[{"id":1,"address":"x"}]"#, near: nil)
    #expect(try await read(answer, missing: .required).isEmpty)
    let optional = try schema([("id", .integer), ("addrss", .string), ("address?", .string)])
    for (required, text, help) in [
      (try schema([("id", .integer), ("addrss", .string)]), #"[{"id":1,"address":"x"}]"#, "did you mean '$.address'?"),
      (
        try schema([("id", .integer), ("adr", .string)], from: ["adr": "$.home.cty"]),
        #"[{"id":1,"home":{"city":"x"}}]"#, "did you mean '$.home.city'?"
      ),
      (optional, #"[{"id":1,"address":"x"}]"#, nil),
      (try schema([("id", .integer), ("addrss", .string)]), #"[{"id":1,"addrss":null,"address":"x"}]"#, nil),
      (try schema([("id", .integer), ("addrss", .string)]), #"[{"id":1,"city":"x"}]"#, nil),
      (try schema([("id", .integer), ("addrss", .string)]), "[7]", nil),
    ] as [(RecordSchema, String, String?)] {
      let pruned = try await Reading(text, required).report
      #expect(pruned.rejections.map(\.help) == [help], "\(text)")
      let error = await #expect(throws: ReactorError.self) { try await Reading(text, required, isStrict: true) }
      #expect(error?.help == help, "\(text)")
      #expect(error?.key == "schema" && error?.recordIndex == 0)
    }
    // Later rejections are many, and mostly of the same kind.
    let required = try schema([("id", .integer), ("addrss", .string)])
    let many = try await Reading(#"[{"id":1,"address":"x"},{"id":2,"address":"x"}]"#, required).report
    #expect(many.rejections.map { $0.help != nil } == [true, false])
  }

  @Test func `in lines every record counts`() async throws {
    let schema = try schema([("id", .integer), ("addrss?", .string)])
    for (lines, count) in [
      ("{\"id\":1,\"address\":\"x\"}\n{\"id\":2}\n", 1),
      ("{\"id\":1,\"address\":\"x\"}\n{\"id\":2,\"addrss\":\"\"}\n", 0),
    ] {
      let reader = RecordReader(plan: MappingPlan(schema), selection: .lines, isStrict: true)
      let outcome = try await reader.read(ResponseBody(Pieces([Array(lines.utf8)])), emit: { _ in })
      #expect(outcome.missingFields.count == count, "\(lines)")
    }
  }
}
