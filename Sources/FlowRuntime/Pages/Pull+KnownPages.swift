internal import FlowModel
internal import ReactorCore
internal import Records

extension Pull {
  /// Requests pages that are known beforehand, several at the same time.
  func run(
    _ steps: [PageStep], after first: PageReading, _ resource: Resource, _ pages: Pages,
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
            // After the first page, these pages must all contain records.
            if let missing = page.outcome.missing { throw missing }
            // No page after the end may write records.
            if page.isEnd || page.isCapped { order.breakOff(at: index) } else { try await writer.finish() }
            return (index, .success(page))
          } catch {
            // Later pages would otherwise wait forever.
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
            outcome.noteCap(plan.cursor?.cap, after: page)
            progress.note(outcome)
            ended = outcome.isEnd || outcome.isCapped ? steps.count : ended + 1
            if ended == steps.count { group.cancelAll() }
          case .failure(let error):
            // The pages before the failure are complete. The pages after it are not needed.
            failure = error
            group.cancelAll()
          }
        }
        if !hasFailed, !outcome.isEnd, !outcome.isCapped, begun < steps.count { begin() }
      }
    }
    if let failure { throw failure }
    guard ended == steps.count else { throw .cancelled }
  }
}
