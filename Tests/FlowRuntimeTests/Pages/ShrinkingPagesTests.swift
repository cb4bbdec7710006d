import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Pages that a server refuses because they are too large.
@Suite struct ShrinkingPagesTests {
  /// A server that gives at most some records of a page that begins at a record.
  private static func answer(
    _ request: ScriptedServer.Request, _ count: Int, most: (Int) -> Int
  ) -> [ScriptedServer.Step] {
    let query = PagesTests.query(request)
    let (start, size) = (Int(query["skip"] ?? query["after"] ?? "0") ?? 0, Int(query["limit"] ?? "") ?? 0)
    guard size <= most(start) else { return FlowTesting.answer("500 Too Large", #"{"error":"too large"}"#) }
    let ids = start..<max(start, min(start + size, count))
    let next = ids.upperBound < count ? #","next":"\#(ids.upperBound)""# : ""
    return ok(#"{"data":[\#(ids.map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ","))]\#(next)}"#)
  }

  private static func keys(_ pages: String, _ more: String = "") -> String {
    """
    records: $.data
    pages: { \(pages), size: 8, size_query: limit, max: 50 }
    errors: [{ when: response.error == 'too large', do: shrink }]
    reachability: false
    \(more)
    """
  }

  private static let ways = [
    "by: offset, query: skip", "by: offset, query: skip, short: end",
    "by: cursor, query: after, from: $.next, missing: end",
  ]

  @Test(arguments: ways)
  func `a page that is too large is requested again with half its size`(_ pages: String) async throws {
    try await Rig.with { rig in
      // From the sixth record on, two records are too many for one page.
      rig.answer { Self.answer($0, 11) { $0 < 6 ? 4 : 1 } }
      let run = await rig.run(try rig.flow(Self.keys(pages)))
      #expect(run.message == "")
      #expect(run.kept == 11)
      #expect(rig.result?.split(separator: "\n").count == 11)
      let sizes = rig.server.requests.map { PagesTests.query($0)["limit"] }
      #expect(sizes.prefix(3) == ["8", "4", "4"])
      #expect(sizes.last == "1")
      #expect(rig.waits.all.count == 3)
    }
  }

  @Test func `a page is not made smaller than the least size`() async throws {
    try await Rig.with { rig in
      rig.answer { Self.answer($0, 11) { _ in 1 } }
      let run = await rig.run(
        try rig.flow(Self.keys(Self.ways[0]).replacing("size: 8,", with: "size: { max: 8, min: 3 },")))
      #expect(run.message == "page 1 is still too large with 3 records")
      #expect(run.error?.key == "pages.size")
      #expect(rig.server.requests.map { PagesTests.query($0)["limit"] } == ["8", "4", "3"])
      #expect(rig.files == [])
    }
  }

  @Test(arguments: [
    ("pages: none", "the flow has no pages"),
    (
      "pages: { by: page, query: p, size: 5, size_query: n }",
      "with a smaller page, the numbers of all further pages refer to other records"
    ),
    ("pages: link", "the server writes the size into the URL of the next page"),
    ("pages: { by: offset, query: p }", "the request has no page size"),
    (
      "pages: { by: offset, query: p, size: 5, size_query: n, stop: page.records < 5 }",
      "'stop' would mistake a smaller page for the last one"
    ),
  ])
  func `pages of one size are refused`(_ pages: String, _ reason: String) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text(pages + "\nerrors: [{ when: status == 500, do: shrink }]"))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == ["'do: shrink' has no effect: \(reason)"])
    }
  }

  @Test(arguments: ["", "pages: link", "resource: { path: /users, method: POST }"])
  func `a rule of the defaults fails a flow whose pages have one size`(_ keys: String) async throws {
    try await Rig.with(FlowTesting.answer("500 Too Large", "{}")) { rig in
      let top = "defaults: { errors: [{ when: status == 500, do: shrink }] }"
      let run = await rig.run(try rig.flow(keys, top: top))
      #expect(run.message.hasSuffix("a rule with 'do: shrink' applies, and the flow cannot request smaller pages"))
      #expect(rig.server.requests.count == 1)
    }
  }
}
