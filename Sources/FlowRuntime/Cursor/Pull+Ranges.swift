internal import ReactorCore
internal import Records

extension Pull {
  /// Requests several ranges one after the other. Each range has its own pages and its own total.
  func runRanges(_ requests: [RangeRequest], into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    for (index, request) in requests.enumerated() {
      let pull = with { pull in
        pull.remake = request.remake
        pull.requested.range = request.range
        if let cursor = plan.cursor, let range = request.range {
          pull.values["cursor"] = cursor.recordValue(range)
          pull.filter = RangeFilter(cursor, range)
        }
        guard index > 0 else { return }
        // The first range has reached the host. Later ranges skip the check and report their pages as further pages.
        pull.instruments = quiet
        pull.network = network.withoutReachabilityCheck().with(quiet)
        pull.reported = (outcome.pages, outcome.report.kept)
      }
      let part: Outcome
      do throws(ReactorError) {
        try pull.checkDeadline()
        part = try await pull.run(request.resource, into: sink)
        try plan.records.expectations.checkTotal(part)
      } catch {
        guard requests.count > 1, error.kind != .cancelled else { throw error }
        var error = error
        error.message = "slice \(index + 1) of \(requests.count): \(error.message)"
        // A retry requests ranges before what is remembered, and their ends say nothing about it.
        guard index > 0, plan.cursor?.keepsPart ?? false, !plan.isRetrying else { throw error }
        outcome.cut = error
        instruments.observer(.cutShort(error))
        break
      }
      if requests.count == 1 { return part }
      outcome.add(part)
      if part.cut == nil { outcome.settled = request.range?.end }
      report(outcome)
      if part.cut != nil { break }
    }
    return outcome
  }
}
