internal import ReactorCore
internal import Records

extension Pull {
  /// Asks for several ranges one after the other, each with its own pages and its own total.
  func runRanges(_ requests: [RangeRequest], into sink: any PartSink) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    for (place, request) in requests.enumerated() {
      let pull = with { own in
        own.remake = request.remake
        own.asked.range = request.range
        guard place > 0 else { return }
        // The host was reached: later ranges are asked for without looking again, and told as more pages.
        own.instruments = quiet
        own.network = network.withoutReachabilityCheck().with(quiet)
        own.told = (outcome.pages, outcome.report.kept)
      }
      let part: Outcome
      do throws(ReactorError) {
        part = try await pull.run(request.resource, into: sink)
        try plan.records.expectations.checkTotal(part)
      } catch {
        guard requests.count > 1, error.kind != .cancelled else { throw error }
        var error = error
        error.message = "slice \(place + 1) of \(requests.count): \(error.message)"
        throw error
      }
      if requests.count == 1 { return part }
      outcome.add(part)
      if requests.count > 1 { tell(outcome) }
      if part.cut != nil { break }
    }
    return outcome
  }
}
