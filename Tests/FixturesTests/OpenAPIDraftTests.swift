import Fixtures
import JSONSyntax
import Testing

@Suite struct OpenAPIDraftTests {
  /// A draft of paths, each with the keys of its GET operation and the properties of its response.
  private static func draft(
    _ paths: [(String, operation: String, schema: String)], more: String = ""
  ) throws -> DraftFile {
    let text = paths.map { path, operation, schema in
      #""\#(path)":{"get":{\#(operation)"responses":{"200":{"content":{"application/json":{"schema":\#(schema)}}}}}}"#
    }.joined(separator: ",")
    let document = #"{"openapi":"3.0.3","servers":[{"url":"https://x.test/v1"}],\#(more)"paths":{\#(text)}}"#
    return try DraftFile(Array(document.utf8), path: "api.json", .init())
  }

  private static func list(_ properties: String) -> String {
    #"{"type":"array","items":{"type":"object","required":["id"],"properties":{\#(properties)}}}"#
  }

  private static let pets = list(#""id":{"type":"integer"},"name":{"type":"string"}"#)
  private static let schemes = """
    "security":[{"bearerAuth":[]}],"components":{"securitySchemes":{
    "bearerAuth":{"type":"http","scheme":"bearer"},"user":{"type":"http","scheme":"basic"},
    "key":{"type":"apiKey","in":"header","name":"X-API-Key"},"query_key":{"type":"apiKey","in":"query","name":"k"},
    "session":{"type":"apiKey","in":"cookie","name":"sid"},"digest":{"type":"http","scheme":"digest"},
    "oidc":{"type":"openIdConnect","openIdConnectUrl":"https://x"},
    "implicit":{"type":"oauth2","flows":{"implicit":{"authorizationUrl":"https://x","scopes":{}}}},
    "client":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"/oauth/token","scopes":{}}}}}},
    """

  @Test func `each GET operation is a flow with the fields of its records`() throws {
    let schema = """
      {"type":"object","properties":{"info":{"type":"object"},"data":{"type":"array","items":{"type":"object",
      "required":["id","name"],"properties":{"id":{"type":"integer"},"name":{"type":"string"},
      "tier":{"type":"string","enum":["free","pro"]},"joined":{"type":"string","format":"date-time"},
      "balance":{"type":"number"},"note":{"type":"string","nullable":true}}}}}}
      """
    let parameters = #""parameters":[{"name":"kind","in":"query","required":true,"schema":{"default":"all"}}],"#
    let text = try Self.draft([("/customers", #""summary":"All of them",\#(parameters)"#, schema)]).text
    for line in [
      "    # All of them", "        kind: all", "    records: \"$.data[*]\"", "      key: id", "        id: integer",
      "        tier: { type: enum, values: [\"free\", \"pro\"], optional: true }",
      "        joined: timestamp?", "        balance: decimal?",
      "        note: string?",
    ] { #expect(text.contains(line), "\(line) in \(text)") }
  }

  @Test(arguments: [
    (#"{"bearerAuth":[]}"#, #"{ bearer: "{{ secrets.BEARER_AUTH }}" }"#),
    (
      #"{"user":[]}"#,
      #"{ basic: { username: "{{ secrets.USER_USERNAME }}", password: "{{ secrets.USER_PASSWORD }}" } }"#
    ),
    (#"{"key":[]}"#, #"{ api_key: { header: "X-API-Key", value: "{{ secrets.KEY }}" } }"#),
    (#"{"query_key":[]}"#, #"{ api_key: { query: "k", value: "{{ secrets.QUERY_KEY }}" } }"#),
    (#"{"session":[]}"#, #"{ api_key: { header: "Cookie", value: "sid={{ secrets.SESSION }}" } }"#),
    (
      #"{"client":["read"]}"#,
      #"{ oauth2: { url: "https://x.test/oauth/token", client_id: "{{ secrets.CLIENT_CLIENT_ID }}", client_secret: "{{ secrets.CLIENT_CLIENT_SECRET }}", scopes: ["read"] } }"#
    ),
    // The first of the alternatives that the language can say.
    (#"{"implicit":[]},{"bearerAuth":[]}"#, #"{ bearer: "{{ secrets.BEARER_AUTH }}" }"#),
  ])
  func `security becomes auth`(_ security: String, _ auth: String) throws {
    let text = try Self.draft([("/a", #""security":[\#(security)],"#, Self.pets)], more: Self.schemes).text
    #expect(text.contains("  auth: \(auth)\n"), "\(text)")
  }

  @Test func `security of an operation replaces that of the document`() throws {
    let text = try Self.draft(
      [
        ("/a", "", Self.pets), ("/b", "", Self.pets), ("/c", #""security":[],"#, Self.pets),
        ("/d", #""security":[{"key":[]}],"#, Self.pets),
        ("/e", #""security":[{"bearerAuth":[],"key":[]}],"#, Self.pets),
      ], more: Self.schemes
    ).text
    #expect(text.contains("https://x.test/v1\n  auth: { bearer: "))
    #expect(text.contains("  a:\n    resource: /a\n    records:"))
    #expect(text.contains("  c:\n    resource: /c\n    auth: none\n"))
    #expect(text.contains("  d:\n    resource: /d\n    auth: { api_key: "))
    #expect(
      text.contains("  e:\n    resource:\n      path: /e\n      headers:\n        X-API-Key: \"{{ secrets.KEY }}\""))
  }

  @Test(arguments: [
    ("oidc", "'oidc' (openIdConnect)"), ("digest", "'digest' (http digest)"),
    ("implicit", "'implicit' (oauth2 implicit)"), ("nowhere", "'nowhere' (not described)"),
  ])
  func `what cannot be said is named`(_ scheme: String, _ words: String) throws {
    let text = try Self.draft([("/a", #""security":[{"\#(scheme)":[]}],"#, Self.pets)], more: Self.schemes).text
    #expect(text.contains("# AUTH MISSING: the document asks for \(words)"), "\(text)")
    #expect(!text.contains("auth:"))
  }

  @Test func `a path below a collection asks for each of its records`() throws {
    let text = try Self.draft([
      ("/pets/{petId}", "", #"{"type":"object","properties":{"id":{"type":"integer"}}}"#),
      ("/pets", "", Self.pets), ("/pets/{petId}/visits", "", Self.list(#""id":{"type":"integer"}"#)),
      ("/pets/{pet_id}/visits/{visitId}/bills", "", Self.list(#""id":{"type":"integer"}"#)),
    ]).text
    for line in [
      "    each: { flow: pets }\n    resource: \"/pets/{{ parent.id }}\"\n",
      "    each: { flow: pets }\n    resource: \"/pets/{{ parent.id }}/visits\"\n",
      "        pet_id: { value: \"{{ parent.id }}\", type: integer }", "      key: [pet_id, id]",
      "    each: { flow: visits }\n    resource: \"/pets/{{ parent.pet_id }}/visits/{{ parent.id }}/bills\"\n",
    ] { #expect(text.contains(line), "\(line) in \(text)") }
    #expect(!text.contains("vars"))
  }

  @Test func `parameters of one name are kept apart`() throws {
    let text = try Self.draft([
      ("/a", "", Self.pets), ("/a/{id}/b", "", Self.list(#""id":{"type":"integer"}"#)), ("/a/{id}/b/{id}", "", "{}"),
    ]).text
    // The records of b have an id of their own, which is not that of a.
    #expect(text.contains("        a_id: { value: \"{{ parent.id }}\", type: integer }"))
    #expect(text.contains("\"/a/{{ parent.a_id }}/b/{{ parent.id }}\""), "\(text)")
  }

  @Test func `a parent's field that flows below need is not optional`() throws {
    let pets = #"{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}"#
    let text = try Self.draft([("/pets", "", pets), ("/pets/{petId}/visits", "", Self.pets)]).text
    #expect(text.contains("        id: integer  # guessed: never absent"), "\(text)")
  }

  @Test(arguments: [
    // No collection, no field, a field that may be null.
    [("/shops/{shopId}/stock", "", pets)],
    [("/shops", "", list(#""no":{"type":"integer"}"#)), ("/shops/{shopId}/stock", "", pets)],
    [("/shops", "", list(#""id":{"type":"integer","nullable":true}"#)), ("/shops/{shopId}/stock", "", pets)],
  ])
  func `a parameter that no flow gives is a variable, and the draft says so`(
    _ paths: [(String, String, String)]
  ) throws {
    let text = try Self.draft(paths.map { ($0.0, operation: $0.1, schema: $0.2) }).text
    #expect(text.contains("  shop_id: { type: string, default: \"1\" }"))
    #expect(text.contains("# No flow of this draft gives '{shopId}' of its path: it is the variable 'shop_id'."))
    #expect(text.contains("\"/shops/{{ vars.shop_id }}/stock\""), "\(text)")
  }

  @Test(arguments: [
    ("page", "", #""total":{"type":"integer"},"page":{"type":"integer"}"#, #"{ by: page, query: "page" }"#),
    (
      "page", "",
      #""meta":{"type":"object","properties":{"total_pages":{"type":"integer"},"page":{"type":"integer"}}}"#,
      #"{ by: page, query: "page", count: "$.meta.total_pages" }"#
    ),
    ("offset", "", #""total":{"type":"integer"}"#, #"{ by: offset, query: "offset" }"#),
    ("cursor", "", #""next_cursor":{"type":"string"}"#, #"{ by: cursor, from: "$.next_cursor", query: "cursor" }"#),
    ("limit", "", #""next":{"type":"string","format":"uri"}"#, #"{ by: next_url, from: "$.next" }"#),
    ("page", #","minimum":0"#, "", #"{ by: page, query: "page", start: 0 }"#),
  ])
  func `pages are drafted from parameters and properties`(
    _ parameter: String, _ bounds: String, _ members: String, _ expected: String
  ) throws {
    let type = parameter == "cursor" ? "string" : "integer"
    let comma = members.isEmpty ? "" : ","
    let text = try Self.draft([
      (
        "/a", #""parameters":[{"name":"\#(parameter)","in":"query","schema":{"type":"\#(type)"\#(bounds)}}],"#,
        #"{"type":"object","properties":{\#(members)\#(comma)"data":\#(Self.pets)}}"#
      )
    ]).text
    #expect(text.contains("    pages: \(expected)"), "\(text)")
  }

  @Test func `the greatest page that is allowed is asked for`() throws {
    let parameters = """
      "parameters":[{"name":"page","in":"query","schema":{"type":"integer"}},
      {"name":"per_page","in":"query","schema":{"type":"integer","maximum":200}}],
      """
    let text = try Self.draft([("/a", parameters, Self.pets)]).text
    #expect(text.contains(#"{ by: page, query: "page", size: 200, size_query: "per_page" }"#), "\(text)")
  }

  @Test func `a page whose successor nothing names is only a part, and so is what is below`() throws {
    let parameters = #""parameters":[{"name":"limit","in":"query","schema":{"type":"integer"}}],"#
    let text = try Self.draft([("/pets", parameters, Self.pets), ("/pets/{petId}/visits", "", Self.pets)]).text
    #expect(text.contains("# PART ONLY: this flow gets the records of one response. It takes 'limit'"))
    #expect(text.contains("# PART ONLY: its parent gets only a part of its records."), "\(text)")
  }

  @Test func `a document that refers to itself ends`() throws {
    let loops = """
      "components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"}],"properties":{"id":{"type":"integer"}}},
      "L":{"type":"array","items":{"$ref":"#/components/schemas/L"}},"R":{"$ref":"#/components/schemas/R"}}},
      """
    for name in ["A", "L", "R"] {
      let schema = ##"{"type":"array","items":{"$ref":"#/components/schemas/\##(name)"}}"##
      #expect(try Self.draft([("/a", "", schema)], more: loops).text.contains("  a:\n"))
    }
  }

  @Test func `a Swagger 2 document is refused`() {
    #expect(throws: FixtureError("'a.json' is a Swagger 2 document", help: "convert it to OpenAPI 3")) {
      try DraftFile(Array(#"{"swagger":"2.0","paths":{}}"#.utf8), path: "a.json", .init())
    }
  }
}
