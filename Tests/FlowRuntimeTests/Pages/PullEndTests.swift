import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// When a pull ends: at a page of which no sign, declared or recognised, says that there is more.
@Suite struct PullEndTests {
  /// The responses of a server by page, a flow's pages, and what comes of them.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var pages: String
    /// The members around the records of each page; the records of page n are n0 and n1, none where `empty` has it.
    var around: [String]
    var empty: Set<Int> = []
    var more = ""
    /// What the message contains; empty where the pull is whole.
    var says = ""
    /// What a warning contains; empty for none.
    var warns = ""
    var testDescription: String { name }
  }

  private static let cases: [Case] = [
    // An empty page in the middle.
    Case(
      name: "empty page, more declared", pages: "{ by: page, query: p, more: $.more }",
      around: [#""more":true"#, #""more":true"#, #""more":false"#], empty: [2]),
    Case(
      name: "empty page, stop over the response", pages: "{ by: page, query: p, stop: \"!response.go\" }",
      around: [#""go":true"#, #""go":true"#, #""go":false"#], empty: [2]),
    Case(
      name: "empty page, more recognised", pages: "{ by: page, query: p }",
      around: [#""has_more":true"#, #""has_more":true"#, #""has_more":false"#, #""has_more":false"#], empty: [2, 4]),
    Case(
      name: "empty page, number of pages recognised", pages: "{ by: page, query: p }",
      around: (1...4).map { #""page":\#($0),"total_pages":3"# }, empty: [2, 4]),
    Case(
      name: "empty pages for ever", pages: "{ by: page, query: p }",
      around: Array(repeating: #""has_more":true"#, count: 20), empty: Set(2...20),
      says: "10 pages in a row up to page 11 have no records, but the response says at $.has_more"),
    Case(
      name: "an empty page ends it where the author says so", pages: "{ by: page, query: p, stop: page.records == 0 }",
      around: Array(repeating: #""has_more":true"#, count: 3), empty: [3]),
    // The token or the link is missing.
    Case(
      name: "no token, more declared", pages: "{ by: cursor, from: $.next, query: p, more: $.more }",
      around: [#""next":"2","more":true"#, #""next":null,"more":true"#],
      says: "page 2 gives no token, but says at $.more that there is another page"),
    Case(
      name: "no token, more recognised", pages: "{ by: cursor, from: $.next, query: p }",
      around: [#""next":"2","has_more":true"#, #""next":null,"has_more":true"#],
      says: "page 2 gives no token, but says at $.has_more"),
    Case(
      name: "no token before the total", pages: "{ by: cursor, from: $.next, query: p }",
      around: [#""next":"2","total":7"#, #""next":null,"total":7"#],
      says: "the pages say 7 records at $.total, but contain 4"),
    Case(
      name: "no URL before the total", pages: "{ by: next_url, from: $.next }",
      around: [#""next":"/r?p=2","total":7"#, #""next":null,"total":7"#],
      says: "the pages say 7 records at $.total, but contain 4"),
    Case(
      name: "no token at the total", pages: "{ by: cursor, from: $.next, query: p }",
      around: [#""next":"2","total":4"#, #""next":null,"total":4"#]),
    Case(
      name: "a total of something else, with stop",
      pages: "{ by: cursor, from: $.next, query: p, stop: response.next == null }",
      around: [#""next":"2","total":7"#, #""next":null,"total":7"#]),
    Case(
      name: "a token on the last page, more is false", pages: "{ by: cursor, from: $.next, query: p, more: $.more }",
      around: [#""next":"2","more":true"#, #""next":"3","more":false"#]),
    Case(
      name: "a short page that says more", pages: "{ by: page, query: p, size: 2, size_query: n, short: end }",
      around: [#""has_more":true"#, #""has_more":true"#], empty: [2]),
    // Repetition.
    Case(
      name: "one token for all pages, with stop",
      pages: "{ by: cursor, from: $.id, header: P, stop: page.records == 0 }",
      around: Array(repeating: #""id":"x""#, count: 3), empty: [3]),
    Case(
      name: "one token for all pages", pages: "{ by: cursor, from: $.id, header: P }",
      around: Array(repeating: #""id":"x""#, count: 3), empty: [3], says: "for the next page as an earlier page"),
    Case(
      name: "one token for all pages, allowed", pages: "{ by: cursor, from: $.id, header: P, max: 9, repeat: allow }",
      around: [#""id":"x""#, #""id":"x""#, #""id":null"#]),
    Case(
      name: "the last page again, as the end", pages: "{ by: page, query: p, repeat: end }", around: ["", ""]),
    Case(
      name: "the last page again", pages: "{ by: page, query: p }", around: ["", ""],
      says: "page 3 has the same records as an earlier page"),
    // Totals.
    Case(
      name: "a declared total on the first page only", pages: "{ by: page, query: p }",
      around: [#""total":4"#, #""total":null"#, ""], empty: [3], more: "\nexpect: { total: $.total }"),
    Case(
      name: "a total that changes", pages: "{ by: page, query: p }",
      around: [#""total":3"#, #""total":4"#, #""total":4"#], empty: [3],
      warns: "the total at $.total changed from 3 to 4 while the pages were read"),
    Case(
      name: "a declared total that changes", pages: "{ by: page, query: p, parallel: 1 }",
      around: [#""total":3"#, #""total":4"#, #""total":4"#], empty: [3], more: "\nexpect: { total: $.total }",
      warns: "the total at $.total changed from 3 to 4"),
    Case(
      name: "more pages than were announced", pages: "{ by: page, query: p, count: $.n }",
      around: [#""n":2"#, #""n":3"#, #""n":3"#]),
  ]

  @Test(arguments: cases) func `a pull ends where no sign contradicts`(_ example: Case) async throws {
    let turn = Mutex(0)
    try await Rig.with { rig in
      rig.answer { request in
        let asked = PagesTests.query(request)["p"].flatMap { Int($0) }
        // Without a number in the request, pages come in their order.
        let number = min(
          asked
            ?? turn.withLock {
              $0 += 1; return $0
            }, example.around.count)
        let list = example.empty.contains(number) ? [] : [number * 10, number * 10 + 1]
        let records = list.map { "{\"id\":\($0),\"name\":\"\"}" }.joined(separator: ",")
        let around = example.around[number - 1]
        return ok("{\"data\":[\(records)]\(around.isEmpty ? "" : ",")\(around)}")
      }
      let run = await rig.run(try rig.flow("records: $.data[*]\npages: \(example.pages)\(example.more)"))
      let warning = run.warnings(.movedList).map(\.message).first
      #expect(example.warns.isEmpty ? warning == nil : warning?.contains(example.warns) ?? false, "\(warning ?? "")")
      guard example.says.isEmpty else {
        #expect(run.message.contains(example.says), "\(run.message)")
        #expect(rig.files == [])
        return
      }
      #expect(run.message == "")
      let wanted = Set(1...example.around.count).subtracting(example.empty).sorted()
      let ids = try #require(rig.result).matches(of: /"id":(\d+)/).map { Int($0.output.1) ?? 0 }
      #expect(ids == wanted.flatMap { [$0 * 10, $0 * 10 + 1] })
    }
  }

  // MARK: - Errors in place of records

  @Test(arguments: [
    (#"{"items":[],"next":null,"error":"rate"}"#, "reports an error at $.error: rate"),
    (#"{"items":null,"error":{"code":7,"message":"slow down"}}"#, "reports an error at $.error: slow down"),
    (#"{"items":[],"errors":[{"message":"too complex"}]}"#, "reports an error at $.errors: too complex"),
    (#"{"items":[],"status":"error","message":"rate"}"#, "reports an error at $.status: rate"),
    (#"{"items":[],"success":false}"#, "reports an error at $.success"),
    (#"{"items":[],"meta":{"status":"failed"}}"#, "reports an error at $.meta.status"),
    (#"{"items":[],"error":null}"#, ""), (#"{"items":[],"errors":[]}"#, ""), (#"{"items":[],"error":{"code":0}}"#, ""),
    (#"{"items":[],"status":"ok"}"#, ""), (#"{"items":[],"success":true,"errcode":0}"#, ""),
    (#"{"items":[{"id":1,"name":""}],"errors":["one of them"]}"#, ""),
    (#"{"items":[],"filter":{"status":"failed"}}"#, ""),
  ])
  func `an empty list beside an error is no result`(_ body: String, _ says: String) async throws {
    for pages in ["", "\npages: none", "\npages: { by: page, query: p }"] {
      try await Rig.with { rig in
        rig.answer { request in
          PagesTests.query(request)["p"] ?? "1" == "1" ? ok(body) : ok(#"{"items":[]}"#)
        }
        let run = await rig.run(try rig.flow("records: $.items[*]\(pages)"))
        #expect(says.isEmpty ? run.message == "" : run.message.contains(says), "\(run.message)")
        #expect((rig.result != nil) == says.isEmpty)
      }
    }
  }

  @Test func `a rule may declare an error without records as no records`() async throws {
    try await Rig.with(ok(#"{"items":[],"error":"nothing found"}"#)) { rig in
      let run = await rig.run(
        try rig.flow("records: $.items[*]\nerrors: [{ when: \"response.error == 'nothing found'\", do: skip }]"))
      #expect(run.message == "" && run.kept == 0)
    }
  }

  // MARK: - Nothing at all

  @Test(arguments: ["jsonl", "json_seq", "lines"], ["", "\r\n"])
  func `an empty body is not a result without records`(_ format: String, _ body: String) async throws {
    guard format != "lines" || body.isEmpty else { return }
    for (expect, isFine) in [("", false), ("\nexpect: { min: 0 }", true)] {
      try await Rig.with(ok(body)) { rig in
        let schema = format == "lines" ? "schema: { fields: { line: { from: $, type: string } } }\n" : ""
        let run = await rig.run(try rig.flow("\(schema)decode: \(format)\(expect)"))
        #expect(
          run.message.contains("the response is empty, which can mean that there are no records") == !isFine,
          "\(run.message)")
        #expect((rig.result != nil) == isFine)
      }
    }
  }

  @Test(arguments: [
    ("$.items[*].user", #"{"items":[]}"#, true), ("$.items[*].user", #"{"items":null}"#, true),
    ("$.items[?@.a == 1].user", #"{"items":[{"a":2}]}"#, true), ("$.items[*].user", #"{"items":[{"a":1}]}"#, false),
    ("$.items[*].user", #"{"other":[]}"#, false), ("$.groups[*].items[*]", #"{"groups":[{"items":[]}]}"#, true),
    ("$.groups[*].items[*]", #"{"groups":[{"other":[]}]}"#, false),
  ])
  func `an empty list under a wildcard has no records`(_ path: String, _ body: String, _ isEmpty: Bool) async throws {
    try await Rig.with(ok(body)) { rig in
      let run = await rig.run(try rig.flow("records: \"\(path)\""))
      #expect((run.message == "") == isEmpty, "\(run.message)")
      #expect((rig.result != nil) == isEmpty)
    }
  }
}
