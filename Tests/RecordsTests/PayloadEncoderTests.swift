import FieldTypes
import Expressions
import JSONSyntax
import ReactorCore
import Records
import Testing

/// Records written back to where a schema finds them.
@Suite struct PayloadEncoderTests {
  private static func field(_ name: String, _ path: String, _ type: FieldType, optional: Bool = false) throws
    -> FieldMapping
  {
    FieldMapping(name: name, from: try JSONPath(parsing: path), type: type, missing: optional ? .optional : .required)
  }

  private static func schema() throws -> RecordSchema {
    RecordSchema(
      name: "s",
      fields: [
        try field("id", "$.ids.outer", .integer), try field("big", "$.ids.big", .decimal),
        try field("at", "$.at", .timestamp(.epochMilliseconds)),
        try field("day", "$['the day']", .timestamp(.pattern("%d/%m/%Y %H:%M"))),
        try field(
          "lines", "$.lines",
          .list(.object([try field("sku", "$.product.sku", .string), try field("n", "$.n", .number, optional: true)]))),
        try field("note", "$.deep.er.note", .string, optional: true),
      ])
  }

  private static let payload =
    #"{"ids":{"outer":7,"big":"12.500"},"at":1700000000250,"the day":"02/01/2024 03:04","#
    + #""lines":[{"product":{"sku":"a"},"n":1.50},{"product":{"sku":"b"}}],"deep":{"er":{"note":"é\n"}}}"#

  private static func encoder(nulls: Bool = false) throws -> PayloadEncoder {
    PayloadEncoder(try schema(), sendsNulls: nulls, recordType: .dynamic, now: .epoch)
  }

  /// What a schema makes of a payload.
  private static func decoded(_ payload: String) async throws -> JSONValue {
    let reader = RecordReader(plan: MappingPlan(try schema()), selection: .at([]), isStrict: true)
    var values: [JSONValue] = []
    _ = try await reader.read(ResponseBody(bytes: Array(payload.utf8))) { (batch) throws(ReactorError) in
      for row in 0..<batch.count { values.append(batch.record(row)) }
    }
    return try #require(values.first)
  }

  @Test func `what is decoded is encoded to what it was`() async throws {
    let record = try await Self.decoded(Self.payload)
    let encoded = try await Self.encoder().encode([record])
    #expect(encoded.misfits.isEmpty)
    let text = try #require(encoded.payloads.first).value
    #expect(text == (try JSONValue(parsing: Array(Self.payload.utf8))))
    #expect(try await Self.decoded(String(decoding: JSONWriter.bytes(text), as: UTF8.self)) == record)
  }

  @Test func `null is left out unless it is wanted`() async throws {
    let short = Self.payload.replacing(#","deep":{"er":{"note":"é\n"}}"#, with: "")
    let record = try await Self.decoded(short)
    #expect(record["note"] == .null)
    let without = try await Self.encoder().encode([record])
    #expect(without.payloads.first?.value["deep"] == nil)
    let with = try await Self.encoder(nulls: true).encode([record])
    #expect(with.payloads.first?.value["deep"]?["er"]?["note"] == .null)
    #expect(with.payloads.first?.value["lines"]?.array?.last?["n"] == .null)
  }

  @Test func `records that do not fit are told by their positions, and the others keep theirs`() async throws {
    let record = try await Self.decoded(Self.payload)
    guard case .object(var object) = record else {
      Issue.record("no record")
      return
    }
    object["id"] = .string("x")
    let encoded = try await Self.encoder().encode([.object(object), record, .string("no"), record])
    #expect(encoded.payloads.map(\.index) == [1, 3])
    #expect(encoded.misfits.map(\.index) == [0, 2])
    // A text has no members: the first field that must be there is missing.
    #expect(encoded.misfits.map(\.pointer) == ["/id", "/id"])
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "0"), ("1969-12-31T23:59:59.75Z", "-250"), ("1969-12-31T23:59:59Z", "-1000"),
    ("1969-12-31T23:59:58.9999Z", "-1000.1"), ("2024-02-29T12:00:00.000001Z", "1709208000000.001"),
    ("9999-12-31T23:59:59Z", "253402300799000"),
  ])
  func `milliseconds since 1970 are exact`(_ kept: String, _ written: String) async throws {
    let schema = RecordSchema(name: "t", fields: [try Self.field("at", "$.at", .timestamp(.epochMilliseconds))])
    let encoder = PayloadEncoder(schema, sendsNulls: false, recordType: .dynamic, now: .epoch)
    let encoded = try await encoder.encode([.object(["at": .string(kept)])])
    let text = try #require(encoded.payloads.first).value
    #expect(String(decoding: JSONWriter.bytes(text), as: UTF8.self) == "{\"at\":\(written)}")
  }
}
