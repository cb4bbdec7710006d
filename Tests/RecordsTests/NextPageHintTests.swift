import JSONSyntax
import ReactorCore
import Records
import Testing

@Suite struct NextPageHintTests {
  private static func hint(_ text: String, count: Int? = nil) throws -> NextPageHint? {
    NextPageHint(in: try JSONValue(parsing: Array(text.utf8)), count: count)
  }

  @Test(arguments: [
    (#"{"next":"https://a.example/x?page=2"}"#, "$.next", NextPageHint.Kind.url),
    (#"{"next":"?page=2"}"#, "$.next", .url), (#"{"next":"b64=="}"#, "$.next", .token),
    (#"{"next_page":2}"#, "$.next_page", .token), (#"{"nextPageToken":"t"}"#, "$.nextPageToken", .token),
    (#"{"@odata.nextLink":"https://a.example/x"}"#, "$['@odata.nextLink']", .url),
    (#"{"_links":{"self":{"href":"/a"},"next":{"href":"/b"}}}"#, "$._links.next.href", .url),
    (#"{"links":{"next":{"href":"","meta":{}}},"more":{"NextToken":"x"}}"#, "$.more.NextToken", .token),
    (#"{"meta":{"page":{"next-cursor":"c"}}}"#, "$.meta.page['next-cursor']", .token),
    (#"{"has_more":true,"meta":{"next":"c"}}"#, "$.meta.next", .token),
    (#"{"data":[],"pageInfo":{"hasNextPage":true,"endCursor":"e"}}"#, "$.pageInfo.hasNextPage", .more),
  ])
  func `the usual positions are known`(_ text: String, _ path: String, _ kind: NextPageHint.Kind) throws {
    let hint = try Self.hint(text)
    #expect(hint?.location == path)
    #expect(hint?.kind == kind)
  }

  /// One style of paging: a first page of two records with more behind it, and one that is the last.
  struct Style: Sendable, CustomTestStringConvertible {
    var name: String
    var more: String
    var location: String
    var last: String
    var testDescription: String { name }
  }

  static let styles: [Style] = [
    Style(name: "more", more: #"{"more":true}"#, location: "$.more", last: #"{"more":false}"#),
    Style(
      name: "Pipedrive",
      more: #"{"additional_data":{"pagination":{"start":0,"limit":2,"more_items_in_collection":true}}}"#,
      location: "$.additional_data.pagination.more_items_in_collection",
      last: #"{"additional_data":{"pagination":{"start":0,"limit":2,"more_items_in_collection":false}}}"#),
    Style(
      name: "Jira agile", more: #"{"maxResults":2,"startAt":0,"isLast":false}"#, location: "$.isLast",
      last: #"{"maxResults":2,"startAt":0,"isLast":true}"#),
    Style(
      name: "Jira", more: #"{"startAt":0,"maxResults":2,"total":9}"#, location: "$.total",
      last: #"{"startAt":0,"maxResults":2,"total":2}"#),
    Style(
      name: "Spring", more: #"{"content":[],"last":false,"totalPages":3,"number":0,"size":2}"#, location: "$.last",
      last: #"{"content":[],"last":true,"totalPages":1,"number":0,"size":2}"#),
    Style(
      name: "Spring HATEOAS", more: #"{"page":{"size":2,"totalElements":5,"totalPages":3,"number":0}}"#,
      location: "$.page.totalPages", last: #"{"page":{"size":2,"totalElements":2,"totalPages":1,"number":0}}"#),
    Style(
      name: "completeness", more: #"{"complete":false}"#, location: "$.complete", last: #"{"complete":true}"#),
    Style(name: "a part", more: #"{"partial":true}"#, location: "$.partial", last: #"{"partial":false}"#),
    Style(name: "the final page", more: #"{"isFinal":false}"#, location: "$.isFinal", last: #"{"isFinal":true}"#),
    Style(
      name: "a flag as text", more: #"{"hasMore":"true"}"#, location: "$.hasMore", last: #"{"hasMore":"false"}"#),
    Style(
      name: "offset and total", more: #"{"offset":0,"total":3}"#, location: "$.total", last: #"{"offset":0,"total":2}"#),
    Style(
      name: "offset and total, later", more: #"{"offset":4,"total":7}"#, location: "$.total",
      last: #"{"offset":5,"total":7}"#),
    Style(
      name: "SCIM counts from 1", more: #"{"totalResults":3,"startIndex":1,"itemsPerPage":2}"#,
      location: "$.totalResults", last: #"{"totalResults":2,"startIndex":1,"itemsPerPage":2}"#),
    Style(name: "pageCursor", more: #"{"pageCursor":"abc"}"#, location: "$.pageCursor", last: #"{"pageCursor":""}"#),
    Style(name: "Square", more: #"{"cursor":"abc"}"#, location: "$.cursor", last: "{}"),
    Style(
      name: "Dropbox", more: #"{"cursor":"abc","has_more":true}"#, location: "$.has_more",
      last: #"{"cursor":"abc","has_more":false}"#),
    Style(
      name: "Facebook", more: #"{"paging":{"cursors":{"before":"a","after":"b"},"next":"https://g.example/?after=b"}}"#,
      location: "$.paging.next", last: #"{"paging":{"cursors":{"before":"a"}}}"#),
    Style(
      name: "cursors alone", more: #"{"paging":{"cursors":{"before":"a","after":"b"}}}"#,
      location: "$.paging.cursors.after", last: #"{"paging":{"cursors":{"before":"a","after":""}}}"#),
    Style(
      name: "page and total_pages", more: #"{"page":1,"per_page":2,"total_pages":4}"#, location: "$.total_pages",
      last: #"{"page":1,"per_page":2,"total_pages":1}"#),
    Style(
      name: "Laravel", more: #"{"meta":{"current_page":1,"last_page":5,"per_page":2}}"#, location: "$.meta.last_page",
      last: #"{"meta":{"current_page":5,"last_page":5,"per_page":2}}"#),
    Style(
      name: "Algolia", more: #"{"nbHits":9,"page":0,"nbPages":5,"hitsPerPage":2}"#, location: "$.nbPages",
      last: #"{"nbHits":2,"page":0,"nbPages":1,"hitsPerPage":2}"#),
    Style(
      name: "links with relations",
      more: #"{"links":[{"rel":"self","href":"/a"},{"rel":"next","href":"/b"}]}"#,
      location: "$.links[?@.rel == 'next'].href", last: #"{"links":[{"rel":"self","href":"/a"}]}"#),
    Style(
      name: "FHIR", more: #"{"link":[{"relation":"next","url":"https://f.example/?p=2"}]}"#,
      location: "$.link[?@.relation == 'next'].url", last: #"{"link":[{"relation":"self","url":"https://f.example/"}]}"#
    ),
    Style(
      name: "Zendesk", more: #"{"meta":{"has_more":true,"after_cursor":"x"},"links":{"next":"https://z.example/a"}}"#,
      location: "$.links.next", last: #"{"meta":{"has_more":false,"after_cursor":"x"},"links":{"next":null}}"#),
    Style(
      name: "Zendesk incremental", more: #"{"end_of_stream":false,"after_cursor":"x"}"#, location: "$.end_of_stream",
      last: #"{"end_of_stream":true,"after_cursor":"x"}"#),
    Style(
      name: "Slack", more: #"{"ok":true,"response_metadata":{"next_cursor":"x"}}"#,
      location: "$.response_metadata.next_cursor", last: #"{"ok":true,"response_metadata":{"next_cursor":""}}"#),
    Style(
      name: "HubSpot", more: #"{"paging":{"next":{"after":"NTI","link":""}}}"#, location: "$.paging.next.after",
      last: "{}"),
    Style(
      name: "Intercom", more: #"{"pages":{"type":"pages","page":1,"next":{"page":2,"starting_after":"x"}}}"#,
      location: "$.pages.next.starting_after", last: #"{"pages":{"type":"pages","page":1,"total_pages":1}}"#),
    Style(
      name: "Asana", more: #"{"next_page":{"offset":"x","path":"/t","uri":"https://a.example/t"}}"#,
      location: "$.next_page.uri", last: #"{"next_page":null}"#),
    Style(name: "Airtable", more: #"{"offset":"itrX/recY"}"#, location: "$.offset", last: "{}"),
    Style(
      name: "Salesforce", more: #"{"totalSize":9,"done":false,"nextRecordsUrl":"/q/1"}"#, location: "$.nextRecordsUrl",
      last: #"{"totalSize":2,"done":true}"#),
    Style(
      name: "Zoho", more: #"{"info":{"per_page":2,"count":2,"page":1,"more_records":true}}"#,
      location: "$.info.more_records", last: #"{"info":{"per_page":2,"count":2,"page":1,"more_records":false}}"#),
    Style(
      name: "Django", more: #"{"count":9,"next":"https://d.example/?page=2","previous":null}"#, location: "$.next",
      last: #"{"count":9,"next":null,"previous":"https://d.example/?page=1"}"#),
    Style(
      name: "Elasticsearch", more: #"{"hits":{"total":{"value":9,"relation":"eq"},"from":0}}"#,
      location: "$.hits.total",
      last: #"{"hits":{"total":{"value":2,"relation":"eq"},"from":0}}"#),
    Style(
      name: "Solr", more: #"{"response":{"numFound":9,"start":0}}"#, location: "$.response.numFound",
      last: #"{"response":{"numFound":2,"start":0}}"#),
    Style(
      name: "CouchDB", more: #"{"total_rows":9,"offset":0}"#, location: "$.total_rows",
      last: #"{"total_rows":2,"offset":0}"#
    ),
    Style(
      name: "DynamoDB", more: #"{"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"id":{"S":"x"}}}"#,
      location: "$.LastEvaluatedKey", last: #"{"Count":2,"ScannedCount":2}"#),
    Style(
      name: "AWS", more: #"{"IsTruncated":true,"Marker":"x"}"#, location: "$.IsTruncated",
      last: #"{"IsTruncated":false}"#),
    Style(
      name: "OData", more: ##"{"@odata.count":9,"value":[]}"##, location: "$['@odata.count']",
      last: ##"{"@odata.count":2,"value":[]}"##),
    Style(
      name: "Kubernetes", more: #"{"metadata":{"continue":"x","remainingItemCount":3}}"#,
      location: "$.metadata.continue",
      last: #"{"metadata":{"continue":"","resourceVersion":"9"}}"#),
    Style(
      name: "Contentful", more: #"{"total":9,"skip":0,"limit":2}"#, location: "$.total",
      last: #"{"total":2,"skip":0,"limit":100}"#),
    Style(
      name: "Marvel", more: #"{"data":{"offset":0,"limit":2,"total":9,"count":2}}"#, location: "$.data.total",
      last: #"{"data":{"offset":0,"limit":2,"total":2,"count":2}}"#),
    Style(
      name: "a count beside a limit", more: #"{"count":9,"offset":0,"limit":2}"#, location: "$.count",
      last: #"{"count":2,"offset":0,"limit":2}"#),
    Style(
      name: "Twilio", more: #"{"page":0,"page_size":2,"next_page_uri":"/2010/x?Page=1"}"#, location: "$.next_page_uri",
      last: #"{"page":0,"page_size":2,"next_page_uri":null}"#),
    Style(
      name: "SonarQube", more: #"{"paging":{"pageIndex":1,"pageSize":2,"total":9}}"#, location: "$.paging.total",
      last: #"{"paging":{"pageIndex":1,"pageSize":2,"total":2}}"#),
    Style(
      name: "API Platform", more: #"{"hydra:totalItems":9,"hydra:view":{"@id":"/a","hydra:next":"/a?page=2"}}"#,
      location: "$['hydra:view']['hydra:next']", last: #"{"hydra:totalItems":2,"hydra:view":{"@id":"/a"}}"#),
    Style(
      name: "MediaWiki", more: #"{"continue":{"cmcontinue":"x","continue":"-||"},"query":{}}"#, location: "$.continue",
      last: #"{"batchcomplete":true,"query":{}}"#),
    Style(
      name: "GBIF", more: #"{"offset":0,"limit":2,"endOfRecords":false}"#, location: "$.endOfRecords",
      last: #"{"offset":0,"limit":2,"endOfRecords":true}"#),
    Style(
      name: "ServiceDesk", more: #"{"list_info":{"has_more_rows":true,"row_count":2}}"#,
      location: "$.list_info.has_more_rows", last: #"{"list_info":{"has_more_rows":false,"row_count":2}}"#),
    Style(name: "Pinterest", more: #"{"bookmark":"x"}"#, location: "$.bookmark", last: #"{"bookmark":null}"#),
    Style(
      name: "search_metadata", more: #"{"search_metadata":{"next_results":"?max_id=1","count":2}}"#,
      location: "$.search_metadata.next_results", last: #"{"search_metadata":{"count":2}}"#),
    Style(
      name: "DataTables", more: #"{"draw":1,"recordsTotal":30,"recordsFiltered":9}"#, location: "$.recordsFiltered",
      last: #"{"draw":1,"recordsTotal":30,"recordsFiltered":2}"#),
    Style(name: "Matrix", more: #"{"next_batch":"x"}"#, location: "$.next_batch", last: "{}"),
    Style(
      name: "Elasticsearch without a position",
      more: #"{"took":3,"hits":{"total":{"value":9,"relation":"eq"},"max_score":1.5}}"#, location: "$.hits.total",
      last: #"{"took":3,"hits":{"total":{"value":2,"relation":"eq"},"max_score":1.5}}"#),
    Style(
      name: "a total about the page", more: #"{"meta":{"total":9}}"#, location: "$.meta.total",
      last: #"{"meta":{"total":2}}"#),
  ]

  @Test(arguments: [
    (#"{"total":9}"#, true), (#"{"total":9,"success":true,"facets":{}}"#, true), (#"{"total":2}"#, false),
    (#"{"total":1200,"currency":"EUR"}"#, false), (#"{"total":1200,"tax":40}"#, false),
    (#"{"summary":{"total":1200}}"#, false),
  ])
  func `a total beside the records alone counts them`(_ text: String, _ isSeen: Bool) throws {
    let hint = NextPageHint(in: try JSONValue(parsing: Array(text.utf8)), records: [.name("data")], count: 2)
    #expect((hint?.location == "$.total") == isSeen)
  }

  @Test(arguments: styles) func `a further page is seen, and the last page is the last`(_ style: Style) throws {
    #expect(try Self.hint(style.more, count: 2)?.location == style.location)
    #expect(try Self.hint(style.last, count: 2) == nil)
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"next":null}"#, #"{"next":""}"#, #"{"next":false,"has_more":false}"#, #"{"next_page":0}"#,
    #"{"hasMore":"yes"}"#, #"{"prev":"/a","first":"/b","last":"/c"}"#, #"{"next":{"id":4}}"#, #"{"next":["/a"]}"#,
    #"{"text":"next","nextdoor":"a"}"#, #"{"a":{"b":{"c":{"next":"too deep"}}}}"#, #"{"total":120.5}"#,
    #"{"total":1200,"currency":"EUR"}"#, #"{"count":7}"#, #"{"pages":320,"title":"a book"}"#,
    #"{"start":0,"count":25}"#,
    #"{"status":"done","last":"Lovelace"}"#, #"{"offset":0,"total":-1}"#,
    #"{"offset":9223372036854775807,"total":9223372036854775807}"#,
  ])
  func `nothing else is taken for one`(_ text: String) throws {
    #expect(try Self.hint(text, count: 2) == nil)
  }

  @Test(
    arguments: [
      (["X-Next-Page": "2"], "header 'X-Next-Page'"), (["X-Next-Page": ""], nil),
      (["X-Total-Pages": "3", "X-Page": "1"], "header 'X-Total-Pages'"), (["X-Total-Pages": "3", "X-Page": "3"], nil),
      (["X-WP-TotalPages": "2", "X-WP-Total": "11"], "header 'X-WP-TotalPages'"), (["X-WP-TotalPages": "1"], nil),
      (["X-Total-Count": "3"], "header 'X-Total-Count'"), (["X-Total-Count": "2"], nil),
      (["Content-Range": "items 0-1/3"], "header 'Content-Range'"), (["Content-Range": "0-1/2"], nil),
      (["Content-Range": "0-1/*"], nil), (["X-Has-More": "true"], "header 'X-Has-More'"),
      (["X-Has-More": "false"], nil),
      (["X-Pagination": "{\"TotalPages\":3,\"CurrentPage\":1}"], "header 'X-Pagination'"),
      (["Next-Range": "id ]2..; max=2"], "header 'Next-Range'"), (["Next-Page": "/a"], "header 'Next-Page'"),
      (["Total": "9", "Per-Page": "2"], "header 'Total'"), (["Total": "2"], nil), (["X-Next": "/a"], "header 'X-Next'"),
      (["X-Pagination": "{\"TotalPages\":1,\"CurrentPage\":1}"], nil), (["X-Pagination": "none"], nil),
    ] as [([String: String], String?)])
  func `headers say it too`(_ fields: [String: String], _ location: String?) {
    let headers = Headers(fields.sorted { $0.key < $1.key }.map { Headers.Field($0.key, $0.value) })
    #expect(NextPageHint(in: headers, count: 2)?.location == location)
  }

  @Test func `a total says how many records are missing`() throws {
    let hint = try #require(try Self.hint(#"{"offset":0,"total":9}"#, count: 2))
    #expect(hint.words == "says 9 records at $.total and contains 2")
    #expect(hint.remedy.contains("pages: { by: offset, query: … }"))
  }

  /// The path is part of a message: the server must not be able to make it long.
  @Test func `names without end are passed over`() throws {
    let long = String(repeating: "-", count: 1_000)
    for text in [#"{"next\#(long)":"/a"}"#, #"{"\#(long)":{"next":"/a"}}"#] {
      #expect(try Self.hint(text) == nil)
    }
  }
}
