internal import FlowModel
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
        // A retry requests ranges before what is remembered, and their ends say nothing about it.
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

  /// Requests the pages of one range as far as the server gives them.
  func runRange(_ request: RangeRequest, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    let pull = with { pull in
      pull.remake = request.remake
      pull.requested.range = request.range
      if let cursor = plan.cursor, let range = request.range {
        pull.values["cursor"] = cursor.recordValue(range, position: request.position)
        pull.filter = RangeFilter(cursor, range)
      }
    }
    let outcome = try await pull.run(request.resource, into: sink)
    // The total of a range counts the records that its cap leaves out.
    if !outcome.isCapped { try plan.records.expectations.checkTotal(outcome) }
    return outcome
  }

  /// The pull for a range after others.
  ///
  /// The first range has reached the host. Later ranges skip the check and report their pages as further pages.
  func following(_ outcome: Outcome) -> Pull {
    with { pull in
      pull.instruments = quiet
      pull.network = network.withoutReachabilityCheck().with(quiet)
      pull.reported = (reported.pages + outcome.pages, reported.records + outcome.report.kept)
    }
  }
}
