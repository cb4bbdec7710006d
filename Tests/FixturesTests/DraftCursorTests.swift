import Fixtures
import JSONSyntax
import Records
import Testing

/// What a draft has from a second page, from a parameter for times, and from the credentials of a request.
@Suite struct DraftCursorTests {
  private static func flow(_ url: String, _ body: String) throws -> (flow: DraftFlow, cursor: DraftCursor?) {
    let url = try #require(RequestURL(url))
    let sample = InferredFlow(try JSONValue(parsing: body))
    var flow = DraftFlow(name: nil, method: "GET", url, headers: [], body: nil)
    flow.take(sample, query: url.query)
    return (flow, DraftCursor(url.query, sample))
  }

  @Test(arguments: [
    (
      "updated_since=2024-01-01", #"{ field: "updated_at", query: "updated_since", format: date, start: "2024-01-01" }"#
    ),
    ("since=2024-01-01T00:00:00Z", #"{ field: "updated_at", query: "since", start: "2024-01-01T00:00:00Z" }"#),
    ("since=1704067200", #"{ field: "updated_at", query: "since", format: epoch_s, start: "2024-01-01T00:00:00Z" }"#),
    (
      "since=1704067200000",
      #"{ field: "updated_at", query: "since", format: epoch_ms, start: "2024-01-01T00:00:00Z" }"#
    ),
    ("updated%5Bgte%5D=", #"{ field: "updated_at", query: "updated[gte]" }"#),
    (
      "createdAfter=2024-01-01",
      #"{ field: "created", query: "createdAfter" , start: "2024-01-01" }"#.replacing(" ,", with: ",")
    ),
  ])
  func `a parameter for times and a field that fits give a cursor`(_ query: String, _ text: String) throws {
    let body = #"[{"id":1,"updated_at":"2024-01-01T10:00:00Z","created":"2023-01-01"}]"#
    var (flow, cursor) = try Self.flow("https://x.test/a?limit=2&\(query)", body)
    flow.take(try #require(cursor))
    let file = DraftFile([flow], base: "https://x.test").text
    #expect(file.contains("    cursor: \(text)  # "), "\(file)")
    #expect(file.contains("persistence: { path: out/a.jsonl, mode: merge }"), "\(file)")
    #expect(file.contains("query:\n        limit: \"2\"\n    records"), "\(file)")
  }

  @Test(arguments: [
    ("limit=2", #"[{"id":1,"updated_at":"2024-01-01T10:00:00Z"}]"#),
    ("since=2024-01-01", #"[{"id":1,"updated_at":"2024-01-01T10:00:00Z"},{"id":2}]"#),
    ("since=2024-01-01", #"[{"a":1,"updated_at":"2024-01-01T10:00:00Z"}]"#),
    ("since=2024-01-01", #"[{"id":1,"born":"2024-01-01T10:00:00Z"}]"#),
    ("since=2024-01-01", #"{"id":1,"updated_at":"2024-01-01T10:00:00Z"}"#),
  ])
  func `without a parameter, a required field or a key there is no cursor`(_ query: String, _ body: String) throws {
    #expect(try Self.flow("https://x.test/a?\(query)", body).cursor == nil)
  }

  @Test func `fields and the key are those of all pages`() throws {
    let first = try JSONValue(parsing: #"{"d":[{"id":1,"code":"a","x":1}],"next":"https://x.test/2"}"#)
    let second = try JSONValue(
      parsing: #"{"d":[{"id":1,"code":"b","x":null},{"id":2,"code":"c","z":true}],"next":null}"#)
    #expect(InferredFlow(first).key == "id")
    let both = InferredFlow(first, further: [second])
    #expect(both.key == "code" && both.count == 3 && both.signs.count == 1 && both.signs.hint?.kind == .url)
    #expect(both.fields.map(\.line) == ["id: integer", "code: string", "x: integer?", "z: boolean?"])
  }

  @Test func `a parameter that a person names leads to the next page`() throws {
    let url = try #require(RequestURL("https://x.test/a"))
    func pages(_ body: String, _ parameter: PageParameter) throws -> String {
      var flow = DraftFlow(name: nil, method: "GET", url, headers: [], body: nil)
      flow.take(InferredFlow(try JSONValue(parsing: body)), query: [], further: [parameter])
      return DraftFile([flow], base: url.origin).text
    }
    let counted = #"{"d":[{"a":1}],"page":1,"pages":3}"#
    #expect(
      try pages(counted, .init(named: "seite", takesToken: false)).contains(
        #"{ by: page, query: "seite", count: "$.pages" }"#))
    #expect(try pages(counted, .init(named: "skip", takesToken: false)).contains(#"{ by: offset, query: "skip" }"#))
    let token = #"{"d":[{"a":1}],"next":"abc"}"#
    #expect(
      try pages(token, .init(named: "von", takesToken: true)).contains(#"{ by: cursor, from: "$.next", query: "von" }"#)
    )
  }

  @Test func `the values of credentials are known, and those of variables are not`() throws {
    func values(_ command: String) throws -> [String: String] {
      let curl = try CurlCommand(command)
      let url = try #require(RequestURL(curl.url))
      return DraftFlow(name: nil, method: "GET", url, headers: curl.headers, body: nil).secretValues
    }
    #expect(try values("curl https://x.test -H 'Authorization: Bearer abc'") == ["API_TOKEN": "abc"])
    #expect(try values("curl https://x.test -u me:pass") == ["API_USERNAME": "me", "API_PASSWORD": "pass"])
    #expect(try values("curl https://x.test -u sk_1:") == ["API_KEY": "sk_1"])
    #expect(
      try values("curl 'https://x.test?api_key=abc' -H 'X-Api-Key: def'") == ["API_KEY": "abc", "X_API_KEY": "def"])
    #expect(try values(#"curl https://x.test -H "Authorization: Bearer $TOKEN""#) == [:])
  }
}
