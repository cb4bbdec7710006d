import Fixtures
import JSONSyntax
import ReactorCore
import Testing

@Suite struct DraftPagesTests {
  /// The pages of a draft from a sample and the query that it came for.
  private static func flow(_ body: String, _ query: String, link: String? = nil) throws -> String {
    let url = try #require(RequestURL("https://x.test/a?\(query)"))
    var flow = DraftFlow(name: nil, method: "GET", url, headers: [], body: nil)
    let headers = Headers(link.map { [Headers.Field("Link", $0)] } ?? [])
    flow.take(InferredFlow(try JSONValue(parsing: body), headers: headers), query: url.query)
    return DraftFile([flow], base: url.origin).text
  }

  @Test(arguments: [
    ("[{\"a\":1}]", "page=1", #"pages: { by: page, query: "page" }"#),
    ("[{\"a\":1}]", "page=0", #"pages: { by: page, query: "page", start: 0 }"#),
    ("{\"d\":[{\"a\":1}],\"total\":3,\"page\":1}", "page=1", #"expect: { total: "$.total" }"#),
    (
      "{\"d\":[{\"a\":1}],\"meta\":{\"total_pages\":3,\"page\":1}}", "page=1&per_page=1",
      #"pages: { by: page, query: "page", count: "$.meta.total_pages" }"#
    ),
    ("{\"d\":[{\"a\":1}],\"total\":3,\"limit\":1}", "limit=1&offset=0", #"pages: { by: offset, query: "offset" }"#),
    ("{\"d\":[{\"a\":1}],\"next\":\"https://x.test/a?p=2\"}", "", #"pages: { by: next_url, from: "$.next" }"#),
    ("{\"d\":[{\"a\":1}],\"next_page\":2}", "page=1", #"pages: { by: cursor, from: "$.next_page", query: "page" }"#),
    (
      "{\"d\":[{\"a\":1}],\"meta\":{\"next_cursor\":\"abc\"}}", "cursor=&limit=1",
      #"pages: { by: cursor, from: "$.meta.next_cursor", query: "cursor" }"#
    ),
  ])
  func `pages are drafted from a sample and its query`(_ body: String, _ query: String, _ expected: String) throws {
    let text = try Self.flow(body, query)
    #expect(text.contains("    \(expected)"), "\(text)")
    #expect(!text.contains("PART ONLY"))
    #expect(!text.contains("        page:") && !text.contains("        offset:") && !text.contains("        cursor:"))
  }

  @Test func `a link header is followed`() throws {
    #expect(try Self.flow("[{\"a\":1}]", "page=1", link: "<x>; rel=\"next\"").contains("    pages: link\n"))
  }

  @Test(arguments: [
    (
      "{\"d\":[{\"a\":1}],\"next_cursor\":\"abc\"}", "",
      "The response says at $.next_cursor that there is another page.", true
    ),
    (
      "{\"d\":[{\"a\":1}],\"total\":3,\"limit\":1}", "limit=1",
      "The response says 3 records at $.total and contains 1.",
      true
    ),
    ("[{\"a\":1},{\"a\":2}]", "limit=2", "The sample is as long as 'limit' allows: there may be more.", false),
    ("[{\"a\":1},{\"a\":2}]", "cursor=abc", "It takes 'cursor', but it is not known where a response gives", false),
    ("{\"a\":1}", "page=1", "The request has the parameter 'page', but the response has no list of records", false),
  ])
  func `a draft that takes only a part says so`(
    _ body: String, _ query: String, _ reason: String, _ isSilenced: Bool
  ) throws {
    let text = try Self.flow(body, query)
    #expect(text.contains("    # PART ONLY: this flow gets the records of one response. \(reason)"), "\(text)")
    // Where the response does not say that there is more, a run goes on looking for signs of it.
    #expect(text.contains("    pages: none  # for all of them ") == isSilenced)
  }

  @Test(arguments: [
    ("[{\"a\":1}]", "limit=2"), ("[{\"a\":1}]", ""), ("{\"d\":[{\"a\":1}],\"total\":1,\"limit\":5}", ""),
  ])
  func `nothing is said where the sample is all there is`(_ body: String, _ query: String) throws {
    let text = try Self.flow(body, query)
    #expect(!text.contains("pages") && !text.contains("PART ONLY"), "\(text)")
  }
}
