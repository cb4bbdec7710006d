import JSONSyntax
import Records
import Testing

@Suite struct ToldNextPageTests {
  @Test(arguments: [
    (#"{"next":"https://a.example/x?page=2"}"#, "$.next", ToldNextPage.Kind.url),
    (#"{"next":"?page=2"}"#, "$.next", .url), (#"{"next":"b64=="}"#, "$.next", .token),
    (#"{"next_page":2}"#, "$.next_page", .token), (#"{"nextPageToken":"t"}"#, "$.nextPageToken", .token),
    (#"{"@odata.nextLink":"https://a.example/x"}"#, "$['@odata.nextLink']", .url),
    (#"{"_links":{"self":{"href":"/a"},"next":{"href":"/b"}}}"#, "$._links.next.href", .url),
    (#"{"links":{"next":{"href":"","meta":{}}},"more":{"NextToken":"x"}}"#, "$.more.NextToken", .token),
    (#"{"meta":{"page":{"next-cursor":"c"}}}"#, "$.meta.page['next-cursor']", .token),
    (#"{"has_more":true,"meta":{"next":"c"}}"#, "$.meta.next", .token),
    (#"{"data":[],"pageInfo":{"hasNextPage":true,"endCursor":"e"}}"#, "$.pageInfo.hasNextPage", .more),
  ])
  func `the usual places are known`(_ text: String, _ path: String, _ kind: ToldNextPage.Kind) throws {
    let told = ToldNextPage(in: try JSONValue(parsing: Array(text.utf8)))
    #expect(told?.path == path)
    #expect(told?.kind == kind)
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"next":null}"#, #"{"next":""}"#, #"{"next":false,"has_more":false}"#, #"{"next_page":0}"#,
    #"{"hasMore":"yes"}"#, #"{"prev":"/a","first":"/b","last":"/c"}"#, #"{"next":{"id":4}}"#, #"{"next":["/a"]}"#,
    #"{"text":"next","nextdoor":"a"}"#, #"{"a":{"b":{"c":{"next":"too deep"}}}}"#,
  ])
  func `nothing else is taken for one`(_ text: String) throws {
    #expect(ToldNextPage(in: try JSONValue(parsing: Array(text.utf8))) == nil)
  }

  /// The path is part of a message: the server must not be able to make it long.
  @Test func `names without end are passed over`() throws {
    let long = String(repeating: "-", count: 1_000)
    for text in [#"{"next\#(long)":"/a"}"#, #"{"\#(long)":{"next":"/a"}}"#] {
      #expect(ToldNextPage(in: try JSONValue(parsing: Array(text.utf8))) == nil)
    }
  }
}
