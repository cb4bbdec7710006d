internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// Requests the pages one after the other.
  ///
  /// If the first page says how many pages there are, the other pages can be requested in parallel.
  func runPages(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    guard let pages = plan.pages else { return Outcome() }
    let cap = plan.cursor?.cap
    // A descending feed, and a range that is continued, can end at any page. If all pages are requested at once, their
    // size cannot change.
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
        var verdict = Result<Bool, ReactorError>.success(true)
        do throws(ReactorError) {
          page = try await pull.read(
            response, to: asked, page: number, by: network, number == 1 ? instruments : quiet, into: sink
          ) { page in
            if !page.isTooLarge { verdict = follower.isNew(page) }
            return (try? verdict.get()) ?? false
          }
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
        guard try verdict.get() else { break }
        outcome.add(page)
        if pull.seeksFields != outcome.seeksFields { pull = pull.with { $0.seeksFields = outcome.seeksFields } }
        progress.note(outcome)
        outcome.noteCap(cap, after: page)
        if outcome.isEnd || outcome.isCapped { break }
        if let filter, try filter.endsPull(afterPage: number) { break }
        var last = page
        try follower.take(page)
        if number == 1, canTakeAllAtOnce, let announced = try follower.announcedPages(by: page) {
          if let cap, cap.isExceeded(byPages: announced, of: page.outcome.report.total) {
            outcome.isCapped = true
            break
          }
          let rest = try follower.rest(upTo: announced, after: page)
          if !rest.isEmpty {
            try refuseUnfit(page)
            last = try await pull.run(
              rest, after: page, resource, pages, by: network, into: sink, &follower, &outcome, &progress)
            if outcome.isEnd || outcome.isCapped { break }
          }
        }
        guard let next = try follower.following(last) else { break }
        if number == 1 { try refuseUnfit(page) }
        try checkDeadline()
        step = next
        // Pages are requested ahead only after the first page was read, because errors of the flow usually appear on
        // that page.
        if number == 1, flow.mayAskAhead, canTakeAllAtOnce, cap == nil { resource.chain = follower.chain(from: step) }
        asked = try self.resource(step, from: resource)
        do throws(ReactorError) {
          response = try await network.response(for: asked)
        } catch {
          throw error.onPage(step.number)
        }
      }
      (outcome.movement, outcome.repeated) = (follower.movement, follower.repeatedRecords)
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

extension Pull {
  /// Requests pages that are known beforehand, several at the same time; returns the last one that was read.
  func run(
    _ steps: [PageStep], after first: PageReading, _ resource: Resource, _ pages: Pages,
    by network: Network, into sink: any RecordSink, _ follower: inout PageFollower, _ outcome: inout Outcome,
    _ progress: inout PageProgress
  ) async throws(ReactorError) -> PageReading {
    var last = first
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
            // The first page announces these pages, so each of them must contain the list of records.
            if let missing = page.outcome.missing { throw missing }
            // The pull ends at this page, so no later page may write records.
            if page.isEnd || page.isCapped { order.breakOff(at: index) } else { try await writer.finish() }
            return (index, .success(page))
          } catch {
            // Otherwise the later pages would wait for ever for their turn.
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
            last = page
            do throws(ReactorError) {
              try follower.pass(page)
            } catch {
              failure = error
              hasFailed = true
              group.cancelAll()
              continue
            }
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
    return last
  }
}

extension Pull {
  /// Whether a response that announces another page is an error.
  ///
  /// It is an error when the flow takes one page and does not declare that one page is enough. A declared total
  /// replaces this check, because it is more precise. A flow that sends records has no such check, because the response
  /// only confirms the sent records.
  var judgesPages: Bool {
    plan.pages == nil && !plan.records.takesOnePage && plan.records.expectations.total == nil
      && plan.request.program?.sentRecords == nil
  }

  /// Refuses a response that announces another page. Otherwise an incomplete result would be persisted as a success.
  func refuseFurtherPages(_ page: PageReading) throws(ReactorError) {
    guard !page.isEnd, page.outcome.bytes > 0 else { return }
    let (outline, records) = (page.outcome.outline, recordSteps)
    // A response that is a single record is not a page of a list.
    if outline != nil, records?.isEmpty == true { return }
    if Self.hasNextLink(page) {
      throw Self.furtherPages("says in its Link header that there is another page", "write 'pages: link'")
    }
    let count = page.outcome.report.total
    let hint =
      outline.flatMap { NextPageHint(in: $0, records: records, count: count) }
      ?? NextPageHint(in: page.headers, count: count)
    if let hint { throw Self.furtherPages(hint.words, hint.remedy) }
  }

  /// The path of the records in the received response. Empty when the response is itself a record or a list of records.
  var recordSteps: [JSONPath.Step]? {
    if plan.records.transform?.responseProgram != nil { return nil }
    guard let path = plan.records.path else { return [] }
    return path.singularSteps ?? path.elementSteps
  }

  private static func hasNextLink(_ page: PageReading) -> Bool {
    do throws(ReactorError) {
      return try NextLink.target(of: "next", in: page.headers, from: page.url) != nil
    } catch {
      // A link that is refused announces a page, too.
      return true
    }
  }

  private static func furtherPages(_ words: String, _ remedy: String) -> ReactorError {
    var error = ReactorError.parser("the response \(words), but the flow requests only one page")
    error.key = "pages"
    error.help = "\(remedy); or 'pages: none' if one page is enough"
    return error
  }
}

extension Pull {
  /// Refuses a first page of which every record is rejected.
  ///
  /// The flow is wrong, so further pages would give the same error. A flow with parents or a cursor sends several
  /// requests. There, such a page is accepted, because other requests perhaps return valid records.
  func refuseUnfit(_ first: PageReading) throws(ReactorError) {
    guard plan.each == nil, plan.cursor == nil, first.outcome.report.isWhollyRejected else { return }
    throw Expectations.allRejected(first.outcome.report, of: " of the first page")
  }
}
