import Fixtures
import JSONSyntax
import Testing

@Suite struct InferenceTests {
  private static func inferred(_ text: String) throws -> InferredFlow { InferredFlow(try JSONValue(parsing: text)) }

  @Test(arguments: [
    ("[{\"a\":1}]", "$[*]"), ("{\"data\":[{\"a\":1}]}", "$.data[*]"),
    ("{\"meta\":{\"x\":[1]},\"result\":{\"items\":[{\"a\":1}]}}", "$.result.items[*]"), ("{\"a\":1}", "$"),
    ("{\"errors\":[{\"m\":1}],\"rows\":[{\"a\":1},{\"a\":2}]}", "$.rows[*]"), ("{\"a b\":[{\"a\":1}]}", "$['a b'][*]"),
    (#"{"included":[{"a":1},{"a":2}],"orders":[{"id":1}]}"#, "$.orders[*]"),
    (#"{"included":[{"a":1},{"a":2}],"next":null}"#, "$.included[*]"),
  ])
  func `the records are found`(_ text: String, _ path: String) throws {
    #expect(try Self.inferred(text).records == path)
  }

  @Test(arguments: [
    ("1", "integer"), ("1.5", "decimal"), ("\"x\"", "string"), ("true", "boolean"),
    ("\"2026-11-21\"", "date"), ("\"2026-11-21T08:00:00Z\"", "timestamp"), ("\"2026-11-21T08:00:00\"", "string"),
    ("\"0b6e2f0e-7c1d-4f6a-9d1b-1234567890ab\"", "uuid"), ("\"https://x.test\"", "url"), ("null", "json"),
    ("{\"x\":1}", "json"), ("[1,2]", "[integer]"), ("[]", "json"), ("9223372036854775808", "decimal"),
  ])
  func `types are what the sample says`(_ value: String, _ type: String) throws {
    #expect(try Self.inferred("[{\"f\":\(value)}]").fields.first?.type == type)
  }

  @Test func `fields that are missing in some are optional, and the key tells records apart`() throws {
    let flow = try Self.inferred(#"[{"name":"x","id":1,"a":1},{"name":"x","id":2,"a":null},{"name":"y","id":3}]"#)
    #expect(flow.key == "id")
    #expect(flow.fields.map(\.isOptional) == [false, false, true])
    #expect(try Self.inferred(#"[{"id":1},{"id":1}]"#).key == nil)
    #expect(
      try Self.inferred(#"[{"created_at":1732176000}]"#).fields.first?.type == "{ type: timestamp, format: epoch_s }")
  }
}
