import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import TestSupport
import Testing

/// What was written reads back through the schema as it was, in every format.
@Suite struct RoundTripTests {
  private func everyType() throws -> RecordSchema {
    var fields = try schema([
      ("s", .string), ("i", .integer), ("n", .number), ("d", .decimal), ("b", .boolean),
      ("t", .timestamp(.epochSeconds)), ("e", .enumeration(["", "a,b", "q\"q"])), ("l", .list(.string)),
      ("j", .json), ("u", .uuid),
      ("o?", .object([FieldMapping(name: "x", from: .init(singular: [.name("x")]), type: .string)])),
      ("day?", .date), ("p?", .duration), ("raw?", .bytes),
    ])
    fields.fields.append(
      FieldMapping(name: "f", from: try .init(parsing: "$.f"), type: .string, missing: .default(.string("de,f\n"))))
    return fields
  }

  private func payload(_ random: inout SeededGenerator) -> String {
    let texts = [
      "", "plain", "a,b", "q\\\"q", "line\\nbreak\\r", "é🚀", "\\u0000\\u001b", "  ", "null", "123", "\\\\", "'", "{}",
    ]
    func text() -> String { "\"\(texts.randomElement(using: &random) ?? "")\"" }
    func optional(_ value: String) -> String { Bool.random(using: &random) ? value : "null" }
    let enumeration = ["\"\"", "\"a,b\"", "\"q\\\"q\""].randomElement(using: &random) ?? ""
    let number = ["0", "-0.0", "1.50", "1e5", "12345678901234567890", "0.1"].randomElement(using: &random) ?? ""
    return """
      {"s":\(text()),"i":\(Int64.random(in: .min ... .max, using: &random)),"n":\(number),"d":"\(number)",\
      "b":\(Bool.random(using: &random)),"t":\(Int.random(in: -10_000_000_000...10_000_000_000, using: &random)).25,\
      "e":\(enumeration),"l":[\(text()),\(text())],"j":[\(text()),{"k":\(number)},null],\
      "u":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","o":\(optional("{\"x\":\(text())}")),\
      "day":\(optional("\"2024-02-29\"")),"p":\(optional("\"PT5M\"")),"raw":\(optional("\"aGVsbG8=\"")),\
      "f":\(optional(text()))}
      """
  }

  @Test(arguments: RecordFormat.allCases)
  func `records read back equal and write the same bytes again`(_ format: RecordFormat) async throws {
    let schema = try everyType()
    for seed in 0..<40 {
      var random = SeededGenerator(UInt64(seed))
      let count = Int.random(in: 0...5, using: &random)
      let text = "[" + (0..<count).map { _ in payload(&random) }.joined(separator: ",") + "]"
      let lines = try await Reading(text, schema, isStrict: true)
      let written = try await Reading(text, schema, isStrict: true, format: format)
      let set = RecordSet(
        schema: schema, count: count, format: format, content: .memory(Array(written.text.utf8)))
      let values = try await set.values()
      #expect(values == (try lines.lines.map { try JSONValue(parsing: $0) }), "seed \(seed)")
      let again = RecordOutput(MappingPlan(schema.persisted), format: format)
      try await set.read { (batch) throws(ReactorError) in
        again.append(batch)
      }
      #expect(String(decoding: again.finish(), as: UTF8.self) == written.text, "seed \(seed)")
    }
  }

  @Test func `the formats look as documented`() async throws {
    let fields = try schema([("id", .integer), ("name?", .string), ("tags", .list(.string))])
    let text = #"[{"id":1,"name":"a, \"b\"","tags":["x","y"]},{"id":2,"name":"","tags":[]},{"id":3,"tags":[]}]"#
    let lines = try await Reading(text, fields)
    #expect(
      lines.text == """
        {"id":1,"name":"a, \\"b\\"","tags":["x","y"]}
        {"id":2,"name":"","tags":[]}
        {"id":3,"name":null,"tags":[]}

        """)
    let array = try await Reading(text, fields, format: .json)
    #expect(
      array.text == """
        [
        {"id":1,"name":"a, \\"b\\"","tags":["x","y"]},
        {"id":2,"name":"","tags":[]},
        {"id":3,"name":null,"tags":[]}
        ]

        """)
    let table = try await Reading(text, fields, format: .csv)
    #expect(
      table.text
        == "id,name,tags\r\n1,\"a, \"\"b\"\"\",\"[\"\"x\"\",\"\"y\"\"]\"\r\n2,\"\",[]\r\n3,,[]\r\n")
    #expect(try await Reading("[]", fields, format: .json).text == "[]\n")
  }
}
