internal import Expressions
internal import FlowModel
internal import ReactorCore
internal import Records

extension Pull {
  /// Requests the pages one after the other.
  ///
  /// If the first page has the number of pages, the other pages can be requested in parallel.
  func runPages(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    guard let pages = plan.pages else { return Outcome() }
    let cap = plan.cursor?.cap
    // A descending feed, and a range that is continued, can end at each page.
    // The size of known pages cannot change.
    let canTakeAllAtOnce =
      filter?.isDescending != true && order == nil && !plan.transfer.errors.contains { $0.action == .shrink }
    var resource = resource
    var outcome = Outcome()
    var follower = PageFollower(
      pages, total: plan.records.expectations.total?.value, recordSteps: recordSteps, scope: plan.scope.with(values))
    var step = pages.firstStep
    var asked = try self.resource(step, from: resource)
    var response = try await network.response(for: asked)
    // The host was reached, so later pages are requested without another reachability check.
    let network = network.withoutReachabilityCheck().with(quiet)
    var progress = PageProgress(instruments, before: reported)
    var pull = self
    defer { progress.end(outcome) }
    do throws(ReactorError) {
      while true {
        let number = step.number
        let page: PageReading
        do throws(ReactorError) {
          page = try await pull.read(response, to: asked, page: number, number == 1 ? instruments : quiet, into: sink)
        } catch {
          throw number == 1 ? error : error.onPage(number)
        }
        if page.isTooLarge {
          step = try follower.smaller(step)
          outcome.addTimings(page)
          try checkDeadline()
          try await flow.environment.patience.delay.wait(.seconds(plan.transfer.retry.firstWait))
          asked = try self.resource(step, from: resource)
          response = try await network.response(for: asked)
          continue
        }
        outcome.add(page)
        if pull.seeksFields != outcome.seeksFields { pull = pull.with { $0.seeksFields = outcome.seeksFields } }
        progress.note(outcome)
        outcome.noteCap(cap, after: page)
        if outcome.isEnd || outcome.isCapped { break }
        if let filter, try filter.endsPull(afterPage: number) { break }
        if number == 1, canTakeAllAtOnce, let last = try follower.announcedPages(by: page) {
          if let cap, cap.isExceeded(byPages: last, of: page.outcome.report.total) {
            outcome.isCapped = true
            break
          }
          let rest = try follower.rest(upTo: last, after: page)
          if !rest.isEmpty { try refuseUnfit(page) }
          try await pull.run(rest, after: page, resource, pages, by: network, into: sink, &outcome, &progress)
          break
        }
        guard let next = try follower.next(after: page) else { break }
        if number == 1 { try refuseUnfit(page) }
        try checkDeadline()
        step = next
        // Errors in the flow show on the first page, so no second request is sent before the first page was read.
        if number == 1, flow.mayAskAhead, canTakeAllAtOnce, cap == nil { resource.chain = follower.chain(from: step) }
        asked = try self.resource(step, from: resource)
        do throws(ReactorError) {
          response = try await network.response(for: asked)
        } catch {
          throw error.onPage(step.number)
        }
      }
    } catch {
      // Without a first page there is no partial result to persist.
      guard pages.keepsPart, outcome.pages > 0, error.kind != .cancelled else { throw error }
      outcome.cut = error
      instruments.observer(.cutShort(error))
    }
    return outcome
  }
}

extension ReactorError {
  /// The error with the page number before its message.
  func onPage(_ number: Int) -> ReactorError {
    guard kind != .cancelled else { return self }
    var error = self
    error.message = "page \(number): \(message)"
    return error
  }
}
