import Testing

@testable import RunViews

@Suite struct FlowHealthTests {
  /// One entry for each status, an hour apart; the first one is at 1970-01-01T00:00:00Z.
  private func health(
    _ statuses: RunReport.Flow.Status..., change: (Int, inout HistoryEntry) -> Void = { _, _ in }
  ) -> FlowHealth? {
    FlowHealth(
      of: statuses.enumerated().map { index, status in
        var entry = HistoryEntry(
          run: "\(index)", flow: "shop.orders", status: status,
          started: "1970-01-01T\(index < 10 ? "0" : "")\(index):00:00Z")
        entry.source = status == .passed ? "network" : nil
        entry.freshness = 7200
        change(index, &entry)
        return entry
      })
  }

  @Test func `No entry has no health`() { #expect(FlowHealth(of: []) == nil) }

  @Test func `The state is that of the last run`() {
    #expect(health(.failed, .passed)?.state == .passing)
    #expect(health(.passed, .failed)?.state == .failing)
    #expect(health(.passed, .error)?.state == .failing)
    #expect(health(.passed) { $1.isPartial = true }?.state == .missing)
    #expect(health(.cancelled)?.state == .unknown)
  }

  @Test func `A run that was ended before the flow changes nothing`() {
    let flow = health(.passed, .failed, .failed, .cancelled)
    #expect(flow?.state == .failing)
    #expect(flow?.failures == 2)
    #expect(flow?.firstFailure?.run == "1")
  }

  @Test func `A flow that has never passed fails since its first run`() {
    let flow = health(.error, .failed)
    #expect(flow?.firstFailure?.run == "0")
    #expect(flow?.lastSuccess == nil)
    #expect(flow?.age(at: 100) == nil)
  }

  @Test func `The age of a result counts from its pull, and not from the runs that used it`() {
    let flow = health(.passed, .passed) { if $0 == 1 { $1.source = "persistence" } }
    #expect(flow?.age(at: 7200) == 7200)
    #expect(flow?.isStale(at: 7200) == false)
    #expect(flow?.isStale(at: 7201) == true)
    #expect(flow?.lastSuccess?.run == "1")
  }

  @Test func `A result that the server calls unchanged is as new as its confirmation`() {
    let flow = health(.passed, .passed) { if $0 == 1 { $1.source = "not_modified" } }
    #expect(flow?.age(at: 7200) == 3600)
  }

  @Test func `A flow without any result is stale after the declared time`() {
    let flow = health(.failed, .failed)
    #expect(flow?.isStale(at: 7200) == false)
    #expect(flow?.isStale(at: 7201) == true)
  }

  @Test func `Without a declared age nothing is stale`() {
    #expect(health(.passed) { $1.freshness = nil }?.isStale(at: 1 << 40) == false)
  }

  @Test func `A pull is smaller when it has less than half of the usual records`() {
    func flow(_ last: Int, cursor: String? = nil) -> FlowHealth? {
      health(.passed, .passed, .passed, .failed, .passed) { index, entry in
        entry.records = index == 4 ? last : [100, 90, 110, 0][index]
        entry.cursorAfter = cursor
      }
    }
    #expect(flow(50)?.usualRecords == 100)
    #expect(flow(50)?.isSmaller == false)
    #expect(flow(49)?.isSmaller == true)
    #expect(flow(0, cursor: "2026-01-01")?.isSmaller == false)
    #expect(health(.passed, .passed, .passed) { $1.records = $0 == 2 ? 0 : 100 }?.isSmaller == false)
  }

  @Test func `A pull is slower when it takes twice the usual time and a second more`() {
    func flow(_ usual: Int64, _ last: Int64) -> FlowHealth? {
      health(.passed, .passed, .passed, .passed) { $1.duration = $0 == 3 ? last : usual }
    }
    #expect(flow(2000, 4001)?.isSlower == true)
    #expect(flow(2000, 4000)?.isSlower == false)
    #expect(flow(100, 1100)?.isSlower == false)
  }

  @Test func `A history has the flows in the order of their first runs`() {
    let entries = ["b", "a", "b"].map { HistoryEntry(run: "1", flow: $0, status: .passed, started: "") }
    let flows = FlowHealth.all(in: entries)
    #expect(flows.map(\.flow) == ["b", "a"])
    #expect(flows.map(\.runs.count) == [2, 1])
  }
}
