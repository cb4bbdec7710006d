internal import ReactorCore
internal import Records

extension Pull {
  /// Asks for pages that are known beforehand, several at once.
  func run(
    _ steps: [PageStep], after first: PageReading, _ resource: Resource, _ pages: PagePlan,
    by network: Network, into sink: any RecordSink, _ outcome: inout Outcome, _ progress: inout PageProgress
  ) async throws(ReactorError) {
    let order = OrderedSink(sink)
    var seen = SeenPages()
    seen.insert(first)
    var results: [Int: Result<PageReading, ReactorError>] = [:]
    var (begun, ended) = (0, 0)
    var hasFailed = false
    var failure: ReactorError?
    await withTaskGroup(of: (Int, Result<PageReading, ReactorError>).self) { group in
      func begin() {
        let index = begun
        let step = steps[index]
        begun += 1
        group.addTask {
          do throws(ReactorError) {
            let writer = order.writer(index)
            let page = try await self.read(
              try self.resource(step, from: resource), page: step.number, by: network, self.quiet, into: writer)
            // The first page counts this one among those that hold records.
            if let missing = page.outcome.missing { throw missing }
            // Behind the end nothing may be written.
            if page.isEnd { order.breakOff(at: index) } else { try await writer.finish() }
            return (index, .success(page))
          } catch {
            // Its successors would wait for ever.
            order.breakOff(at: index)
            return (index, .failure(error.onPage(step.number)))
          }
        }
      }
      while begun < min(pages.parallel, steps.count) { begin() }
      for await (index, result) in group {
        results[index] = result
        if case .failure = result { hasFailed = true }
        while failure == nil, let result = results.removeValue(forKey: ended) {
          switch result {
          case .success(let page):
            if !seen.insert(page) {
              failure = PageFollower.repetition(steps[ended].number)
              hasFailed = true
              group.cancelAll()
              continue
            }
            outcome.add(page)
            progress.note(outcome)
            ended = outcome.isEnd ? steps.count : ended + 1
            if outcome.isEnd { group.cancelAll() }
          case .failure(let error):
            // What comes before the failure is done; nobody needs what comes after.
            failure = error
            group.cancelAll()
          }
        }
        if !hasFailed, !outcome.isEnd, begun < steps.count { begin() }
      }
    }
    if let failure { throw failure }
    guard ended == steps.count else { throw .cancelled }
  }
}
