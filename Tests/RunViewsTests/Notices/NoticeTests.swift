import FlowModel
import JSONSyntax
import Testing

@testable import RunViews

/// The texts of notices.
@Suite struct NoticeTests {
  private func health(_ changes: [(inout HistoryEntry) -> Void], flow: String = "shop.orders") -> FlowHealth? {
    FlowHealth(
      of: changes.enumerated().map { hour, change in
        var entry = HistoryEntry(run: "\(hour)", flow: flow, status: .passed, started: "1970-01-01T0\(hour):00:00Z")
        entry.source = "network"
        change(&entry)
        return entry
      })
  }

  private func fail(_ entry: inout HistoryEntry) {
    entry.status = .failed
    entry.failure = .init(kind: "server", message: "the server answered\u{1B}[31m with 503")
  }

  @Test func `a line says what happened to the flow`() throws {
    let failing = try #require(health([{ _ in }, fail, fail, fail]))
    let line = Notice.Line(.failed, failing, at: 10_800)
    #expect(
      line.text == "shop.orders failed: the server answered<U+001B>[31m with 503 "
        + "(3 runs failed since 1970-01-01T01:00:00Z)")
    #expect(line.error == "the server answered<U+001B>[31m with 503" && line.state == .failing)
    let first = try #require(health([fail]))
    #expect(Notice.Line(.failed, first, at: 0).text == "shop.orders failed: the server answered<U+001B>[31m with 503")
    let partial = try #require(
      health([
        {
          ($0.isPartial, $0.records, $0.rejected) = (true, 40, 3)
          $0.failure = .init(kind: "persistence", message: "the disk is full")
        }
      ]))
    #expect(
      Notice.Line(.missing, partial, at: 0).text
        == "shop.orders lacks records or its result: 40 records, 3 rejected; the disk is full")
    let stale = try #require(health([{ $0.freshness = 3600 }]))
    #expect(
      Notice.Line(.stale, stale, at: 7300).text
        == "shop.orders is stale: its result is 2 hours old, 'expect.freshness' is 1 hour")
    let never = try #require(
      health([
        {
          fail(&$0)
          $0.freshness = 3600
        }
      ]))
    #expect(
      Notice.Line(.stale, never, at: 7300).text
        == "shop.orders is stale: it has no result since its first run, 'expect.freshness' is 1 hour")
    let passing = try #require(health([{ $0.records = 1 }]))
    #expect(Notice.Line(.recovered, passing, at: 0).text == "shop.orders recovered: 1 record")
    #expect(Notice.Line(.first, passing, at: 0).text == "shop.orders passed for the first time: 1 record")
  }

  private func notice(_ lines: [(String, NoticeEvent)]) -> Notice? {
    Notice(
      lines.map { flow, event in
        Notice.Line(flow: flow, event: event, text: "\(flow) \(event)", state: .failing, records: 2, error: nil)
      }, run: "r\n1", host: "db\u{7}1", time: 60)
  }

  @Test func `the title counts flows, the gravest event first`() {
    #expect(notice([]) == nil)
    #expect(notice([("a.b", .stale)])?.title == "a.b is stale")
    #expect(
      notice([("a", .recovered), ("b", .failed), ("c", .failed), ("d", .missing), ("e", .first), ("f", .first)])?.title
        == "2 flows failed, d lacks records, a recovered, 2 flows passed for the first time")
    #expect(notice([("a", .missing), ("b", .missing)])?.title == "2 flows lack records")
    #expect(notice([("a", .stale), ("b", .stale)])?.title == "2 flows are stale")
  }

  @Test func `the text is bounded and says where the run was`() throws {
    let notice = try #require(self.notice((0..<1500).map { ("f\($0)", .failed) }))
    let lines = notice.text.split(separator: "\n")
    #expect(lines.count == 22 && lines[0] == "f0 failed" && lines[20] == "and 1480 more")
    #expect(
      lines[21] == "Run r\\n1 on db<U+0007>1, 1970-01-01T00:01:00Z. 'reactor history f0' shows earlier runs.")
    #expect(notice.json["flows"]?.array?.count == 1000)
    #expect(notice.json["event"]?.string == "failed" && notice.json["flow"]?.string == "f0")
  }
}
