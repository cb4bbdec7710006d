import Fixtures
import JSONSyntax
import Testing

@Suite struct InferenceTests {
  private static func inferred(_ text: String, parameters: [String] = [], link: String? = nil) throws -> InferredFlow {
    InferredFlow(try JSONValue(parsing: text), parameters: parameters, link: link)
  }

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
    ("{\"x\":1}", "json"), ("[1,2]", "{ type: list, of: integer }"), ("[]", "json"), ("9223372036854775808", "decimal"),
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

  @Test(arguments: [
    (
      "{\"data\":[{\"a\":1}],\"next\":\"https://x/?p=2\"}", [String](), nil,
      "the response says at $.next that there is another page"
    ),
    (
      "{\"data\":[{\"a\":1}],\"meta\":{\"next_cursor\":\"abc\"}}", [], nil,
      "the response says at $.meta.next_cursor that there is another page"
    ),
    ("[{\"a\":1}]", ["page"], nil, "the query has 'page', as where pages are counted"),
    ("[{\"a\":1}]", [], "<x>; rel=\"next\"", "the response's Link header names a next page"),
    ("[{\"a\":1}]", [], nil, nil),
  ])
  func `pages are guessed`(_ text: String, _ parameters: [String], _ link: String?, _ pages: String?) throws {
    #expect(try Self.inferred(text, parameters: parameters, link: link).pages == pages)
  }

  @Test func `an OpenAPI document gives a flow for each GET operation`() throws {
    let text = """
      openapi: 3.0.3
      info: { title: Shop }
      servers: [{ url: https://api.shop.test/v2 }]
      paths:
        /customers:
          get:
            summary: All customers
            parameters:
              - { name: limit, in: query, required: true, schema: { type: integer, default: 50 } }
              - { name: page, in: query, schema: { type: integer } }
            responses:
              "200":
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        total: { type: integer }
                        data: { type: array, items: { $ref: "#/components/schemas/Customer" } }
          post: { responses: {} }
        /customers/{customerId}/orders:
          get:
            parameters: [{ name: customerId, in: path, required: true, schema: { type: string } }]
            responses: { "200": { content: { application/json: { schema: { type: array, items: { type: object, properties: { no: { type: string } } } } } } } }
      components:
        schemas:
          Customer:
            type: object
            required: [id, name]
            properties:
              id: { type: integer }
              name: { type: string }
              tier: { type: string, enum: [free, pro] }
              joined: { type: string, format: date-time }
              balance: { type: number }
              loop: { $ref: "#/components/schemas/Customer" }
      """
    let document = OpenAPIDocument(try OpenAPIDocument.value(Array(text.utf8), path: "x"))
    #expect(document.server == "https://api.shop.test/v2")
    #expect(document.flows.map(\.name) == ["customers", "orders"])
    #expect(document.flows.map(\.path) == ["/customers", "/customers/{{ vars.customerid }}/orders"])
    #expect(document.variables == ["customerid"])
    let sample = document.flows.first?.sample
    #expect(sample?.records == "$.data[*]")
    #expect(sample?.key == "id")
    #expect(
      sample?.fields.map(\.type) == [
        "integer", "string", "{ type: enum, values: [\"free\", \"pro\"] }", "timestamp", "decimal", "json",
      ])
    #expect(sample?.fields.map(\.isOptional) == [false, false, true, true, true, true])
  }
}
