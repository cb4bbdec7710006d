internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// Requests several ranges one after the other. Each range has its own pages and its own total.
  func runRanges(_ requests: [RangeRequest], into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    var longest = Duration.zero
    for (index, request) in requests.enumerated() {
      let pull = index == 0 ? self : following(outcome)
      let part: Outcome
      do throws(ReactorError) {
        try pull.checkDeadline(forSliceOf: index == 0 ? nil : longest)
        let start = instruments.stopwatch.reading()
        part = try await pull.runWhole(request, into: sink)
        longest = max(longest, instruments.stopwatch.reading() - start)
      } catch {
        let (number, count) = (slicesBefore + index + 1, slicesBefore + requests.count)
        guard count > 1, error.kind != .cancelled else { throw error }
        var error = error
        error.message = "slice \(number) of \(count): \(error.message)"
        // A retry requests ranges before the remembered position, so their ends do not change that position.
        guard number > 1, plan.cursor?.keepsPart ?? false, !plan.isRetrying else { throw error }
        outcome.cut = error
        instruments.observer(.cutShort(error))
        break
      }
      if requests.count == 1 { return part }
      outcome.add(part)
      if part.cut == nil { outcome.settled = request.range?.end }
      report(outcome)
      if part.cut != nil { break }
      if let checkpoint, instruments.stopwatch.reading() >= checkpoint {
        outcome.left = requests[(index + 1)...].compactMap(\.range)
        break
      }
    }
    return outcome
  }

  /// Requests the pages of one range, up to the last page that the server gives.
  func runRange(_ request: RangeRequest, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    let pull = with { pull in
      pull.remake = request.remake
      pull.requested.range = request.range
      if let cursor = plan.cursor, let range = request.range {
        pull.values["cursor"] = cursor.recordValue(range, position: request.position)
        pull.filter = RangeFilter(cursor, range)
      }
    }
    let outcome: Outcome
    do throws(ReactorError) {
      outcome = try pull.resolvingToken(try await pull.run(request.resource, into: sink))
      try pull.checkToken(outcome)
    } catch {
      // Here only the range of one parent is requested from the start. A flow without parents starts over as a whole
      // (`startingAnew`).
      guard plan.each != nil, plan.cursor?.refusesToken(error) ?? false, request.range?.start != nil,
        let other = request.other
      else {
        throw error
      }
      return try await runRange(try other(CursorRange()), into: sink)
    }
    // The total of a capped range also counts the records that the server left out, so it is not checked.
    if !outcome.isCapped { try plan.records.expectations.checkTotal(outcome) }
    return outcome
  }

  /// The pull for a range after the first one.
  ///
  /// The request for the first range has shown that the host is reachable. So later ranges skip the reachability check.
  /// They report their pages as further pages of the flow.
  func following(_ outcome: Outcome) -> Pull {
    with { pull in
      pull.instruments = quiet
      pull.network = network.withoutReachabilityCheck().with(quiet)
      pull.reported = (reported.pages + outcome.pages, reported.records + outcome.report.kept)
    }
  }
}

/// Requests for ranges of which the server gives only a part at a time.
extension Pull {
  /// Requests all records of a range, also if the server gives only a part of them at a time.
  func runWhole(_ request: RangeRequest, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    guard let cursor = plan.cursor, let cap = cursor.cap, let range = request.range, let other = request.other else {
      return try await runRange(request, into: sink)
    }
    let whole = CappedRange(
      cursor: cursor, cap: cap, range: range, request: request,
      leavesOutUnread: plan.records.transform?.judgesSource ?? false, other: other)
    switch cap.then {
    case .restart: return try await runRestarting(whole, into: sink)
    case .halve: return try await runHalving(whole, into: sink)
    }
  }

  /// Requests a range whose records are in ascending order. After each cap it continues from the greatest value.
  ///
  /// Records that come again are written again. The result stores them once, because it is merged by key.
  private func runRestarting(_ whole: CappedRange, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    var (range, request) = (whole.range, whole.request)
    for index in 0..<Cursor.maximumRanges {
      let order = AscendingOrder(whole.cursor)
      let pull = (index == 0 ? self : following(outcome)).with { $0.order = order }
      try pull.checkDeadline()
      let part = try await pull.runRange(request, into: sink)
      outcome.add(part)
      guard part.isCapped else { return outcome }
      report(outcome)
      let continuation = try order?.continuation(of: range)
      switch continuation?.next {
      case .nothing?: return outcome
      case .rest(let rest)?:
        range = rest
        request = try whole.other(rest)
      case .stuck?, nil: throw whole.stuck(at: continuation?.greatest, leavingOut: part.report)
      }
    }
    throw CappedRange.tooMany
  }

  /// Requests a range; if the cap is reached, requests its two halves instead. Only the records of a range that was
  /// read to its end are written.
  private func runHalving(_ whole: CappedRange, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    // The next range is the last element, so the ranges are read in ascending order.
    var pending = [whole.range]
    var count = 0
    while let range = pending.popLast() {
      guard count < Cursor.maximumRanges else { throw CappedRange.tooMany }
      let buffer = PartitionBuffer(in: flow.environment)
      let held = rejected?.holding(in: flow.environment)
      let pull = (count == 0 ? self : following(outcome)).with { $0.rejected = held }
      count += 1
      try pull.checkDeadline()
      let part: Outcome
      do throws(ReactorError) {
        part = try await pull.runRange(count == 1 ? whole.request : try whole.other(range), into: buffer)
      } catch {
        // A strict flow fails at its first rejected record, and publishes that record.
        if let held { try await rejected?.take(held) }
        throw error
      }
      if part.isCapped {
        outcome.addDiscarded(part)
        guard let halves = whole.cursor.halves(of: range) else { throw whole.uncuttable(range) }
        pending += [halves.second, halves.first]
      } else {
        try await buffer.pour(into: sink)
        if let held { try await rejected?.take(held) }
        outcome.add(part)
        if part.cut != nil { break }
      }
      report(outcome)
    }
    return outcome
  }

  /// The error when an error rule has `do: cap`, but the flow declares no `cap` and cannot request the rest of the
  /// range.
  static var uncut: ReactorError {
    CappedRange.error(
      "a rule with 'do: cap' applies, and the flow cannot request the rest of the range",
      help: "add 'cap' to 'cursor', or give the flow its own 'errors'")
  }
}

/// Tokens for changes: the final page contains one, and the next run sends it to get what is new since then.
extension Pull {
  /// Throws when a complete pull contains no token for the next run, which then would not know where to continue.
  func checkToken(_ outcome: Outcome) throws(ReactorError) {
    guard let path = plan.cursor?.token, outcome.token == nil, outcome.cut == nil, let envelope = outcome.envelope
    else { return }
    var error = ReactorError.parser(
      "no page has a token at \(path.text), so the next run would not know where to continue")
    error.key = "cursor.token"
    if let steps = path.singularSteps, let root = try? JSONValue(parsing: envelope) {
      let missing = MissingPath(steps, in: root)
      error.message += "; \(missing.words)"
      error.help = missing.suggestion.map { "did you mean '\($0)'?" }
    }
    throw error
  }

  /// The outcome with an absolute URL as its token. The link in the response may be relative, and must not lead to
  /// another origin.
  func resolvingToken(_ outcome: Outcome) throws(ReactorError) -> Outcome {
    guard plan.cursor?.isTokenURL ?? false, let token = outcome.token else { return outcome }
    var outcome = outcome
    outcome.token = try NextLink.resolving(token, from: plan.request.baseURL.origin + "/", as: "the token")
    return outcome
  }
}
