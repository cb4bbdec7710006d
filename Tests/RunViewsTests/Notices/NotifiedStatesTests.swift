import FlowModel
import JSONSyntax
import Testing

@testable import RunViews

/// What a receiver is told: each state once.
@Suite struct NotifiedStatesTests {
  private static let usual: Set<NoticeEvent> = [.failed, .missing, .stale, .recovered]

  /// A receiver of one flow that runs once in an hour, the first time at 1970-01-01T00:00:00Z.
  private struct Story {
    var told = NotifiedStates()
    var events = NotifiedStatesTests.usual
    /// Whether the receiver takes what it is told.
    var isUp = true
    private var entries: [HistoryEntry] = []

    init(events: Set<NoticeEvent> = NotifiedStatesTests.usual) { self.events = events }

    /// The events that the receiver is told after a run.
    mutating func run(
      _ status: RunReport.Flow.Status, isPartial: Bool = false, source: String = "network", message: String = "busy"
    ) -> [NoticeEvent] {
      let hour = entries.count
      var entry = HistoryEntry(
        run: "\(hour)", flow: "shop.orders", status: status,
        started: "1970-01-01T\(hour < 10 ? "0" : "")\(hour):00:00Z")
      entry.isPartial = isPartial
      entry.freshness = 7200
      entry.source = status == .passed ? source : nil
      if status != .passed { entry.failure = HistoryEntry.Failure(kind: "server", message: message) }
      let run = EndedRun(
        id: entry.run, began: Int64(hour) * 3600, ended: Int64(hour) * 3600, entries: [entry], earlier: entries)
      entries.append(entry)
      let health = run.after
      let news = told.news(
        of: health, ["shop.orders": events],
        firsts: Set(health.filter { $0.isFirstSuccess(in: run.id) }.map(\.flow)), at: run.ended)
      if isUp { for news in news { told.take(news) } }
      return news.flatMap(\.lines).map(\.event)
    }
  }

  @Test func `a flow that fails is told once, and its recovery once`() {
    var story = Story()
    #expect(story.run(.passed) == [])
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.error, message: "another reason") == [])
    #expect(story.run(.passed) == [.recovered])
    #expect(story.run(.passed) == [])
    #expect(story.run(.failed) == [.failed])
  }

  @Test func `a run that was ended before the flow tells nothing and forgets nothing`() {
    var story = Story()
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.cancelled) == [])
    #expect(story.run(.failed) == [])
    #expect(story.run(.passed) == [.recovered])
  }

  @Test func `missing records are a state of their own`() {
    var story = Story()
    #expect(story.run(.passed, isPartial: true) == [.missing])
    #expect(story.run(.passed, isPartial: true) == [])
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.passed, isPartial: true) == [.missing])
    #expect(story.run(.passed) == [.recovered])
  }

  @Test func `a receiver that does not want missing records is told that a failure is over`() {
    var story = Story(events: [.failed, .recovered])
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.passed, isPartial: true) == [.recovered])
    #expect(story.run(.passed) == [])
  }

  @Test func `a result that becomes too old is told once, also when the flow fails`() {
    var story = Story()
    #expect(story.run(.passed) == [])
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.failed) == [])
    // 3 hours old, 2 are declared.
    #expect(story.run(.failed) == [.stale])
    #expect(story.run(.failed) == [])
    #expect(story.run(.passed) == [.recovered])
  }

  @Test func `a flow that passes with a result that is too old has not recovered`() {
    var story = Story()
    _ = story.run(.passed)
    #expect(story.run(.failed) == [.failed])
    _ = story.run(.failed)
    _ = story.run(.failed)
    #expect(story.run(.passed, source: "persistence") == [])
    #expect(story.told.flows["shop.orders"]?.isStale == true)
    #expect(story.run(.passed) == [.recovered])
  }

  @Test func `what could not be delivered is told after the next run`() {
    var story = Story(events: [.failed])
    story.isUp = false
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.failed) == [.failed])
    story.isUp = true
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.failed) == [])
  }

  @Test func `what is over before it could be told is not told`() {
    var story = Story()
    story.isUp = false
    #expect(story.run(.failed) == [.failed])
    #expect(story.run(.passed) == [])
  }

  @Test func `a recovery that could not be delivered is told later`() {
    var story = Story()
    #expect(story.run(.failed) == [.failed])
    story.isUp = false
    #expect(story.run(.passed) == [.recovered])
    story.isUp = true
    #expect(story.run(.passed) == [.recovered])
    #expect(story.run(.passed) == [])
  }

  @Test func `the first success is told once, and later if the receiver is down`() {
    var story = Story(events: [.first])
    #expect(story.run(.failed) == [])
    story.isUp = false
    #expect(story.run(.passed) == [.first])
    story.isUp = true
    #expect(story.run(.passed) == [.first])
    #expect(story.run(.passed) == [])
  }

  @Test func `a flow that this reader's history does not have stays told, and one that is removed is forgotten`() {
    var story = Story()
    _ = story.run(.failed)
    let before = story.told
    #expect(story.told.news(of: [], ["shop.orders": [.failed]], firsts: [], at: 0).isEmpty && story.told == before)
    #expect(story.told.news(of: [], ["shop.items": [.failed]], firsts: [], at: 0).isEmpty)
    #expect(story.told == NotifiedStates())
  }

  @Test func `a document reads as it was written, and forgets what is well`() throws {
    var story = Story(events: [.failed, .stale, .first, .recovered])
    story.isUp = false
    _ = story.run(.passed)
    story.isUp = true
    story.events = [.failed, .stale]
    _ = story.run(.failed)
    _ = story.run(.failed)
    _ = story.run(.failed)
    let flow = try #require(story.told.flows["shop.orders"])
    #expect(flow.problem == .failing && flow.isStale)
    let json = try JSONValue(parsing: story.told.bytes(version: 1))
    #expect(json["version"]?.int64 == 1)
    #expect(NotifiedStates(json) == story.told)
    #expect(NotifiedStates(.object(["flows": .array([])])) == NotifiedStates())
    #expect(
      NotifiedStates(.object(["flows": .object(["a": .object(["problem": .string("odd")])])])) == NotifiedStates())
  }
}
