import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

@Suite struct PagesTests {
  /// A feed of records with ids from 0, in pages of a size.
  struct Feed: Sendable {
    var records: Int
    var size: Int

    func ids(from start: Int) -> [Int] { Array(start..<max(start, min(start + size, records))) }

    func page(from start: Int, _ rest: String = "") -> String {
      let list = ids(from: start).map { "{\"id\":\($0),\"name\":\"n\($0)\"}" }.joined(separator: ",")
      return "{\"data\":[\(list)]\(rest.isEmpty ? "" : ",\(rest)")}"
    }

    var last: Int { max(1, (records + size - 1) / size) }
  }

  static func query(_ request: ScriptedServer.Request) -> [String: String] {
    var query: [String: String] = [:]
    for item in URLComponents(string: request.target)?.queryItems ?? [] { query[item.name] = item.value ?? "" }
    return query
  }

  private static let usual = "records: $.data[*]\n"

  private func expectAll(_ rig: Rig, _ flow: DeclaredFlow, _ feed: Feed, pages: Int, requests: Int) async throws {
    let run = await rig.run(flow)
    #expect(run.message == "")
    #expect(run.kept == feed.records)
    #expect(run.outcome?.pages == pages)
    #expect(rig.server.requests.count == requests)
    let lines = try #require(rig.result).split(separator: "\n")
    #expect(lines == (0..<feed.records).map { "{\"id\":\($0),\"name\":\"n\($0)\"}" })
  }

  // MARK: - Ways

  @Test(arguments: [(0, 10), (1, 10), (25, 10), (30, 10), (7, 1)])
  func `numbered pages end at a page without records`(_ records: Int, _ size: Int) async throws {
    let feed = Feed(records: records, size: size)
    try await Rig.with { rig in
      rig.answer { ok(feed.page(from: (Int(Self.query($0)["page"] ?? "") ?? -9) * size)) }
      let flow = try rig.flow(Self.usual + "pages: { by: page, query: page, start: 0 }")
      let full = (records + size - 1) / size
      try await expectAll(rig, flow, feed, pages: full + 1, requests: full + 1)
    }
  }

  /// Records, pages without `more` that are requested, and pages of a server that leaves out some records.
  @Test(arguments: [(0, 1), (1, 1), (9, 1), (10, 2), (25, 3)])
  func `a short page ends the pull where that is declared`(_ records: Int, _ pages: Int) async throws {
    let feed = Feed(records: records, size: 10)
    for by in ["page", "offset"] {
      try await Rig.with { rig in
        rig.answer { request in
          let page = Int(Self.query(request)["p"] ?? "") ?? -9
          return ok(feed.page(from: by == "page" ? (page - 1) * 10 : page))
        }
        let flow = try rig.flow(Self.usual + "pages: { by: \(by), query: p, size: 10, size_query: n, short: end }")
        try await expectAll(rig, flow, feed, pages: pages, requests: pages)
      }
    }
  }

  @Test(arguments: [
    (#""total":3"#, #"says 3 records at $.total and contains 1"#),
    (#""has_more":true"#, "says at $.has_more that there is another page"), (#""total":1,"has_more":false"#, ""),
  ])
  func `a short first page that announces another one is an error`(_ around: String, _ words: String) async throws {
    try await Rig.with(ok(#"{"data":[{"id":1,"name":"a"}],\#(around)}"#)) { rig in
      let run = await rig.run(
        try rig.flow("records: $.data[*]\npages: { by: page, query: p, size: 10, size_query: n, short: end }"))
      #expect(
        run.message
          == (words.isEmpty
            ? "" : "the first page has 1 of 10 records, which would end the pull, but the response \(words)"))
      #expect(
        run.error?.help
          == (words.isEmpty ? nil : "the server gives smaller pages: write 'size: 1', or leave out 'short'"))
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test(arguments: ["", "records: $.user\n", "records: $.users[*]\n"])
  func `pages of one record each are told apart by it`(_ keys: String) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let record = "{\"id\":\(Self.query(request)["page"] ?? ""),\"name\":\"n\"}"
        if keys.isEmpty { return ok(record) }
        return ok(keys.contains("users") ? "{\"users\":{\"a\":\(record)}}" : "{\"user\":\(record)}")
      }
      let run = await rig.run(
        try rig.flow(keys + "pages: { by: page, query: page, stop: \"last.id >= 3\" }"))
      #expect(run.message == "")
      #expect(rig.result == (1...3).map { "{\"id\":\($0),\"name\":\"n\"}\n" }.joined())
    }
  }

  @Test func `offsets count the records that came, whatever was asked for`() async throws {
    // The server gives 10 where 25 are asked for.
    let feed = Feed(records: 33, size: 10)
    try await Rig.with { rig in
      rig.answer { ok(feed.page(from: Int(Self.query($0)["skip"] ?? "") ?? -9)) }
      let flow = try rig.flow(Self.usual + "pages: { by: offset, query: skip, size: 25, size_query: limit }")
      try await expectAll(rig, flow, feed, pages: 5, requests: 5)
      #expect(rig.server.requests.allSatisfy { Self.query($0)["limit"] == "25" })
      #expect(rig.server.requests.map { Self.query($0)["skip"] } == ["0", "10", "20", "30", "33"])
    }
  }

  @Test(arguments: ["query: cursor", "header: X-Cursor", "body: $.page.after"])
  func `a token of the response is sent where it is wanted`(_ location: String) async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let json = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: [String: Any]]
        let token = Self.query(request)["cursor"] ?? request["X-Cursor"] ?? json?["page"]?["after"] as? String
        let start = token.flatMap { Int($0.dropFirst(2)) } ?? 0
        return ok(feed.page(from: start, "\"next\":\(start + 10 < 25 ? "\"c/\(start + 10)\"" : "null")"))
      }
      let flow = try rig.flow(
        Self.usual + "resource: { method: POST, path: /users, body: { json: { page: { size: 10 } } } }\n"
          + "pages: { by: cursor, from: $.next, \(location) }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  @Test func `the last record may hold the token`() async throws {
    let feed = Feed(records: 20, size: 10)
    try await Rig.with { rig in
      rig.answer { ok(feed.page(from: (Self.query($0)["after"].flatMap { Int($0) } ?? -1) + 1)) }
      let flow = try rig.flow(Self.usual + "pages: { by: cursor, from_last: $.id, query: after }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  @Test(arguments: [
    "/users?from={n}&sig=%2Fa%2B", "?from={n}&sig=%2Fa%2B", "{base}/users?from={n}&sig=%2Fa%2B",
    "users?from={n}&sig=%2Fa%2B",
  ])
  func `a URL of the response is asked as it is, relative or absolute`(_ form: String) async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      let base = rig.server.url
      rig.answer { request in
        let start = Self.query(request)["from"].flatMap { Int($0) } ?? 0
        let link = form.replacing("{n}", with: "\(start + 10)").replacing("{base}", with: base)
        return ok(feed.page(from: start, "\"next\":\(start + 10 < 25 ? "\"\(link)\"" : "null")"))
      }
      let flow = try rig.flow(
        Self.usual + "resource: { path: /users, query: { first: yes } }\npages: { by: next_url, from: $.next }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
      #expect(
        rig.server.requests.map(\.target) == [
          "/users?first=yes", "/users?from=10&sig=%2Fa%2B", "/users?from=20&sig=%2Fa%2B",
        ])
    }
  }

  @Test func `a header may give the URL`() async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let start = Self.query(request)["from"].flatMap { Int($0) } ?? 0
        return start + 10 < 25
          ? ok(feed.page(from: start), "Next-Page: /users?from=\(start + 10)") : ok(feed.page(from: start))
      }
      let flow = try rig.flow(Self.usual + "pages: { by: next_url, from: headers.Next-Page }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  @Test(arguments: ["by: next_url, from: headers.Next-Page", "by: cursor, from: headers.Next-Start, query: from"])
  func `pages of CSV are led on by a header`(_ pages: String) async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let start = Self.query(request)["from"].flatMap { Int($0) } ?? 0
        let text = "id,name\n" + feed.ids(from: start).map { "\($0),n\($0)\n" }.joined()
        let next = "Next-Page: /users?from=\(start + 10)\r\nNext-Start: \(start + 10)"
        return start + 10 < 25 ? ok(text, next) : ok(text)
      }
      let flow = try rig.flow("decode: csv\npages: { \(pages) }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  @Test func `the Link header leads on, among others and relative`() async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let start = Self.query(request)["from"].flatMap { Int($0) } ?? 0
        let link = "Link: </users?from=0>; rel=\"first\"; title=\"a, b; c\", <?from=\(start + 10)>; rel=\"next\""
        return start + 10 < 25 ? ok(feed.page(from: start), link) : ok(feed.page(from: start), "Link: </>; rel=first")
      }
      let flow = try rig.flow(Self.usual + "pages: { by: link }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  @Test func `more says when to stop, and a page size goes along`() async throws {
    let feed = Feed(records: 30, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(Self.query(request)["p"] ?? "") ?? -9
        return ok(feed.page(from: (page - 1) * 10, "\"has_more\":\(page < 3)"))
      }
      let flow = try rig.flow(
        Self.usual + "pages: { by: page, query: p, size: 10, size_query: n, more: $.has_more }")
      try await expectAll(rig, flow, feed, pages: 3, requests: 3)
    }
  }

  // MARK: - Several at once

  @Test(arguments: ["count: $.pages }", "parallel: 3 }\nexpect: { total: $.total }"], [1, 2, 9])
  func `pages whose number is known keep their order`(_ keys: String, _ last: Int) async throws {
    let feed = Feed(records: last * 10 - 3, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let page = Int(Self.query(request)["page"] ?? "") ?? -9
        // Earlier pages answer later.
        return [.pause(milliseconds: page == 1 ? 0 : (10 - page) * 15)]
          + ok(feed.page(from: (page - 1) * 10, "\"pages\":\(last),\"total\":\(feed.records)"))
      }
      let flow = try rig.flow(Self.usual + "pages: { by: page, query: page, " + keys)
      try await expectAll(rig, flow, feed, pages: last, requests: last)
      if last == 9 { #expect(rig.server.acceptedConnections > 1) }
    }
  }

  @Test(arguments: ["count: $.pages }", "parallel: 3 }\nexpect: { total: $.total }"])
  func `offsets that are known keep their order`(_ keys: String) async throws {
    let feed = Feed(records: 87, size: 10)
    try await Rig.with { rig in
      rig.answer { request in
        let start = Int(Self.query(request)["o"] ?? "") ?? -9
        // Earlier pages answer later.
        return [.pause(milliseconds: start == 0 ? 0 : 150 - start)]
          + ok(feed.page(from: start, "\"pages\":9,\"total\":\(feed.records)"))
      }
      let flow = try rig.flow(Self.usual + "pages: { by: offset, query: o, size: 10, size_query: n, " + keys)
      try await expectAll(rig, flow, feed, pages: 9, requests: 9)
      #expect(rig.server.acceptedConnections > 1)
    }
  }

  @Test func `a failure among pages that are asked at once fails the flow and keeps the old result`() async throws {
    let feed = Feed(records: 90, size: 10)
    try await Rig.with { rig in
      let flow = try rig.flow(Self.usual + "pages: { by: page, query: page, count: $.pages }")
      rig.answer { ok(feed.page(from: (Int(Self.query($0)["page"] ?? "") ?? -9) * 10 - 10, "\"pages\":9")) }
      _ = await rig.run(flow)
      let old = rig.result
      rig.answer { request in
        let page = Int(Self.query(request)["page"] ?? "") ?? -9
        return page == 5 ? answer("500 Broken", "{}") : ok(feed.page(from: page * 10 - 10, "\"pages\":9"))
      }
      let run = await rig.run(flow, .fresh)
      #expect(run.message.hasPrefix("page 5: "))
      #expect(rig.result == old)
      #expect(rig.files == ["users.jsonl"])
    }
  }

  // MARK: - What must not pass for an end

  struct Trap: Sendable, CustomTestStringConvertible {
    var name: String
    var pages: String
    var answer: @Sendable (Int) -> [ScriptedServer.Step]
    var says: String
    /// Requests until it is found.
    var requests: Int
    var testDescription: String { name }
  }

  static let page = Feed(records: 10, size: 10).page(from: 0)
  static func page(_ start: Int, _ rest: String = "") -> String {
    Feed(records: 9999, size: 10).page(from: start, rest)
  }
  static let traps: [Trap] = [
    Trap(
      name: "misspelt token", pages: "{ by: cursor, from: $.nxet, query: c }",
      answer: { ok(page($0 * 10, "\"next\":\"a\($0)\"")) }, says: "the first page contains nothing at $.nxet",
      requests: 1),
    Trap(
      name: "a token by another name", pages: "{ by: cursor, from: $.after, query: c }",
      answer: { ok(page($0 * 10, "\"next_page_token\":\"a\($0)\"")) }, says: "the response says at $.next_page_token",
      requests: 1),
    Trap(
      name: "misspelt URL", pages: "{ by: next_url, from: $.links.nxet }",
      answer: { ok(page($0 * 10, "\"links\":{\"next\":\"/a\"}")) }, says: "the first page contains nothing", requests: 1
    ),
    Trap(
      name: "misspelt 'more'", pages: "{ by: page, query: p, more: $.has_mor }",
      answer: { ok(page($0 * 10, "\"has_more\":true")) }, says: "the first page contains nothing at $.has_mor",
      requests: 1
    ),
    Trap(
      name: "misspelt 'more' of URLs", pages: "{ by: next_url, from: $.next, more: $.has_mor }",
      answer: { ok(page($0 * 10, "\"has_more\":true,\"next\":\"/a\"")) },
      says: "the first page contains nothing at $.has_mor",
      requests: 1),
    Trap(
      name: "misspelt member of an expression", pages: "{ by: cursor, query: c, next: response.nxet }",
      answer: { ok(page($0 * 10, "\"next\":\"a\"")) }, says: "page 1: 'response.nxet'", requests: 1),
    Trap(
      name: "a link in the body", pages: "{ by: link }",
      answer: { ok(page($0 * 10, "\"links\":{\"self\":\"/a\",\"next\":\"/users?page=2\"}")) },
      says: "has no Link header with the relation 'next', but says at $.links.next that there is another page",
      requests: 1),
    Trap(
      name: "a Link header that leads elsewhere", pages: "{ by: link }",
      answer: { ok(page($0 * 10, "\"paging\":{\"has_next_page\":true}"), "Link: </style.css>; rel=preload") },
      says: "says at $.paging.has_next_page that there is another page", requests: 1),
    Trap(
      name: "a Link header that cannot be read", pages: "{ by: link }",
      answer: { ok(page($0 * 10), $0 < 1 ? "Link: </users?page=2>; rel=next" : "Link: /users?page=3; rel=next") },
      says: "the Link header names 'next', but is malformed, starting at '/users?page=3; rel=next'", requests: 2),
    Trap(
      name: "no pages at all", pages: "{ by: page, query: p, count: $.n }",
      answer: { ok(page($0 * 10, "\"n\":0")) }, says: "says 0 pages at $.n, but its first page contains records",
      requests: 1),
    Trap(
      name: "fewer than no pages, one after the other", pages: "{ by: page, query: p, count: $.n, parallel: 1 }",
      answer: { ok(page($0 * 10, "\"n\":-1")) }, says: "says -1 pages at $.n", requests: 1),
    Trap(
      name: "a misspelt header", pages: "{ by: cursor, from: headers.X-Nxet, query: c }",
      answer: { ok(page($0 * 10, "\"next_cursor\":\"a\""), "X-Next: a") },
      says: "the first page has no header 'X-Nxet', but says at $.next_cursor that there is another page", requests: 1),
    Trap(
      name: "first page of which nothing fits", pages: "{ by: page, query: p }",
      answer: { ok("{\"data\":[{\"id\":\"x\($0)\",\"name\":\"b\"}]}") },
      says: "every record of the first page was rejected (1 of 1)", requests: 1),
    Trap(
      name: "first of known pages of which nothing fits", pages: "{ by: page, query: p, count: $.n }",
      answer: { ok("{\"n\":9,\"data\":[{\"id\":\"x\($0)\",\"name\":\"b\"}]}") },
      says: "every record of the first page was rejected (1 of 1)", requests: 1),
    Trap(
      name: "same token again", pages: "{ by: cursor, from: $.next, query: c }",
      answer: { ok(page($0 * 10, "\"next\":\"same\"")) }, says: "for the next page as an earlier page", requests: 2),
    Trap(
      name: "tokens in a circle", pages: "{ by: cursor, from: $.next, query: c }",
      answer: { ok(page($0 * 10, "\"next\":\"\($0 % 3)\"")) }, says: "the next page as an earlier page", requests: 4),
    Trap(
      name: "page that is not taken", pages: "{ by: page, query: p }", answer: { _ in ok(page) },
      says: "the same records as an earlier page", requests: 2),
    Trap(
      name: "pages that begin anew behind the last one", pages: "{ by: page, query: p, max: 9 }",
      answer: { ok(page($0 % 3 * 10)) }, says: "page 4 has the same records as an earlier page", requests: 4),
    Trap(
      name: "offset that is not taken", pages: "{ by: offset, query: o }", answer: { _ in ok(page) },
      says: "the same records as an earlier page", requests: 2),
    Trap(
      name: "cursor that is not taken", pages: "{ by: cursor, from: $.next, query: c }",
      answer: { ok(Feed(records: 10, size: 10).page(from: 0, "\"next\":\"t\($0)\"")) },
      says: "the same records as an earlier page", requests: 2),
    Trap(
      name: "link to another origin", pages: "{ by: next_url, from: $.next }",
      answer: { ok(page($0 * 10, "\"next\":\"http://127.0.0.2:1/a\"")) }, says: "leads to another origin", requests: 1),
    Trap(
      name: "link with a scheme of its own", pages: "{ by: next_url, from: $.next }",
      answer: { ok(page($0 * 10, "\"next\":\"file:///etc/passwd\"")) }, says: "the scheme 'file'", requests: 1),
    Trap(
      name: "link with user information", pages: "{ by: next_url, from: $.next }",
      answer: { ok(page($0 * 10, "\"next\":\"http://u:p@127.0.0.1/\"")) }, says: "user information", requests: 1),
    Trap(
      name: "endless", pages: "{ by: page, query: p, max: 5 }", answer: { ok(page($0 * 10)) },
      says: "more than 5 pages", requests: 5),
    Trap(
      name: "too many pages told", pages: "{ by: page, query: p, count: $.n, max: 5 }",
      answer: { ok(page($0 * 10, "\"n\":6")) }, says: "announces 6 pages", requests: 1),
    Trap(
      name: "token that is an object", pages: "{ by: cursor, from: $.next, query: c }",
      answer: { ok(page($0 * 10, "\"next\":{\"a\":1}")) }, says: "expected a text or a number", requests: 1),
    Trap(
      name: "fewer than the total", pages: "{ by: cursor, from: $.next, query: c }\nexpect: { total: $.total }",
      answer: { ok(page($0 * 10, "\"next\":\($0 < 2 ? "\"\($0)\"" : "null"),\"total\":35")) },
      says: "contain 30", requests: 3),
    Trap(
      name: "broken page", pages: "{ by: page, query: p }",
      answer: { $0 < 2 ? ok(page($0 * 10)) : ok("{\"data\":[{\"id\":1") }, says: "page 3: ", requests: 5),
    Trap(
      name: "an error in place of a page", pages: "{ by: page, query: p }",
      answer: { $0 < 2 ? ok(page($0 * 10)) : ok("{\"error\":\"limit exceeded\"}") }, says: "page 3: ", requests: 3),
    Trap(
      name: "an error in place of a known page", pages: "{ by: page, query: p, count: $.n, parallel: 2 }",
      answer: { $0 < 1 ? ok(page($0 * 10, "\"n\":2")) : ok("{\"error\":\"limit exceeded\"}") }, says: "page 2: ",
      requests: 2),
    Trap(
      name: "last record without the token", pages: "{ by: cursor, from_last: $.key, query: c }",
      answer: { ok(page($0 * 10)) }, says: "contains nothing at $.key", requests: 1),
  ]

  @Test(arguments: traps)
  func `what looks like an end and is a mistake fails the flow`(_ trap: Trap) async throws {
    try await Rig.with { rig in
      let count = Mutex(0)
      rig.answer { _ in
        trap.answer(
          count.withLock {
            $0 += 1
            return $0 - 1
          })
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: " + trap.pages))
      #expect(run.message.contains(trap.says), "\(run.message)")
      #expect(rig.server.requests.count == trap.requests)
      #expect(rig.files == [])
    }
  }

  @Test(arguments: ["{}", "{\"data\":null}", "{\"total\":10,\"data\":[]}", "{\"total\":10}"])
  func `a page past the last one may leave its list out`(_ last: String) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        Self.query(request)["p"] == "1" ? ok(Self.page(0, "\"total\":10")) : ok(last)
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p }"))
      #expect(run.message == "" && run.kept == 10)
    }
  }

  @Test func `an empty page before the last counted one does not end the pull`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let number = Int(Self.query(request)["p"] ?? "") ?? 0
        return ok(number == 2 ? "{\"n\":3,\"data\":[]}" : Self.page(number * 10, "\"n\":3"))
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p, count: $.n, parallel: 1 }"))
      #expect(run.message == "" && run.kept == 20)
    }
  }

  @Test func `known pages that are not taken are found too`() async throws {
    try await Rig.with(ok(Feed(records: 10, size: 10).page(from: 0, "\"n\":9"))) { rig in
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p, count: $.n }"))
      #expect(run.message.contains("page 2 has the same records as an earlier page"), "\(run.message)")
      #expect(rig.server.requests.count < 9)
      #expect(rig.files == [])
    }
  }

  @Test func `an absent 'more' is the end where that is said, and on later pages`() async throws {
    for (answers, missing, pages) in [
      (["{\"data\":[{\"id\":1,\"name\":\"a\"}]}"], ", missing: end", 1),
      (["{\"data\":[{\"id\":1,\"name\":\"a\"}],\"more\":true}", "{\"data\":[{\"id\":2,\"name\":\"b\"}]}"], "", 2),
      (["{\"data\":[]}"], "", 1),
    ] {
      try await Rig.with { rig in
        rig.answer { ok(answers[min((Int(Self.query($0)["p"] ?? "") ?? 9) - 1, answers.count - 1)]) }
        let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p, more: $.more\(missing) }"))
        #expect(run.error == nil, "\(run.message)")
        #expect(rig.server.requests.count == pages)
      }
    }
  }

  @Test(arguments: [
    ("$", #"{"id":ID,"name":"a",REST}"#), ("$.user", #"{"user":{"id":ID,"name":"a"},REST}"#),
    ("$.by_id[*]", #"{"by_id":{"u":{"id":ID,"name":"a"}},REST}"#),
  ]) func `pages of single records and of members are told apart`(_ records: String, _ page: String) async throws {
    // A record that is the whole response holds the token, too.
    for isRepeated in records == "$" ? [false] : [false, true] {
      try await Rig.with { rig in
        rig.answer { request in
          let location = Int(Self.query(request)["c"] ?? "") ?? 0
          let next = location < 3 ? "\(location + 1)" : "null"
          return ok(
            page.replacing("ID", with: "\(isRepeated ? 7 : location)").replacing("REST", with: "\"next\":\(next)"))
        }
        let flow = try rig.flow(
          "records: \(records)\nschema: { key: id, fields: { id: integer, name: string } }\npersistence: users.jsonl\n"
            + "pages: { by: cursor, from: $.next, query: c }")
        let run = await rig.run(flow)
        if isRepeated {
          #expect(run.message.contains("the same records as an earlier page"), "\(run.message)")
        } else {
          #expect(run.kept == 4, "\(run.message)")
        }
      }
    }
  }

  @Test func `a first page without the value of from is the only page where the flow says so`() async throws {
    try await Rig.with(ok(Self.page)) { rig in
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: cursor, from: $.next, query: c, missing: end }"))
      #expect(run.kept == 10)
      #expect(run.outcome?.pages == 1)
    }
  }

  @Test(arguments: [
    ("by: link", #""next":null,"has_more":false"#), ("by: link", #""next":"","links":{"prev":"/a","next":null}"#),
    ("by: link", #""nexus":"a","context":{"text":"next"},"page":1"#), ("by: link, missing: end", #""next":"/a""#),
    ("by: cursor, from: headers.X-Next, query: c", #""next_page":0,"next_cursor":null"#),
    ("by: cursor, from: headers.X-Next, query: c, missing: end", #""next_page":2"#),
  ])
  func `a first page without the header is the only one where its body tells of no other`(
    _ pages: String, _ rest: String
  ) async throws {
    try await Rig.with(ok(Self.page(0, rest))) { rig in
      let run = await rig.run(try rig.flow(Self.usual + "pages: { \(pages) }"))
      #expect(run.message == "")
      #expect(run.kept == 10)
      #expect(run.outcome?.pages == 1)
    }
  }

  @Test func `what came before a failed page is kept where that is said, and told`() async throws {
    try await Rig.with { rig in
      let count = Mutex(0)
      rig.answer { _ in
        let page = count.withLock {
          $0 += 1
          return $0 - 1
        }
        return page < 3 ? ok(Self.page(page * 10)) : answer("404 Gone", "{}")
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p, partial: keep }"))
      #expect(run.kept == 30)
      let cut = run.events.compactMap { if case .cutShort(let error) = $0 { error.message } else { nil } }
      #expect(cut.count == 1)
      #expect(cut.first?.hasPrefix("page 4: ") == true)
      #expect(rig.result?.split(separator: "\n").count == 30)
    }
  }

  @Test(arguments: ["users.json", "users.csv", "users.jsonl"])
  func `pages make one whole file of each format`(_ name: String) async throws {
    let feed = Feed(records: 25, size: 10)
    try await Rig.with { rig in
      rig.answer { ok(feed.page(from: (Int(Self.query($0)["page"] ?? "") ?? -9) * 10 - 10)) }
      let flow = try rig.flow(
        Self.usual + "pages: { by: page, query: page }\npersistence: { path: \(name), expires_after: never }")
      let run = await rig.run(flow)
      #expect(run.kept == 25)
      let text = try #require(rig.scratch.text(name))
      switch name {
      case "users.json":
        #expect((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])?.count == 25)
      case "users.csv": #expect(text.split(whereSeparator: \.isNewline).count == 26)
      default: #expect(text.split(separator: "\n").count == 25)
      }
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `bad records are counted through all pages with their own index`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        switch Self.query(request)["p"] {
        case "1": ok("{\"data\":[{\"id\":1,\"name\":\"a\"},{\"id\":\"x\",\"name\":\"b\"}]}")
        case "2": ok("{\"data\":[{\"id\":3,\"name\":\"c\"},{\"id\":4}]}")
        default: ok("{\"data\":[]}")
        }
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: page, query: p }"))
      #expect(run.kept == 2)
      #expect(run.outcome?.report.rejections.map(\.index) == [1, 3])
    }
  }
}
