internal import FlowModel
internal import ReactorCore

/// The source of a run that requests the ranges of a cursor, or those that remain after a checkpoint.
struct RangeRequests: RequestSource {
  let part: RunPart
  let run: CursorRun

  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested? {
    let (flow, earlier) = (part.flow, part.earlier)
    var ranges = earlier?.ranges
    if flow.plan.isRetrying, let rejected = part.rejected {
      ranges = try await flow.rejectedParts(rejected).first?.ranges
      guard ranges != nil else { return nil }
    }
    let requests = try flow.requests(run, parent: nil, with: [:], ranges: ranges)
    let pull = pull
    let outcome = try await pull.runRanges(requests, into: sink)
    var requested = Requested(outcome: earlier?.outcome ?? outcome)
    if earlier != nil { requested.outcome.go(on: outcome) }
    if !outcome.left.isEmpty {
      requested.checkpoint = Checkpoint(
        run: run, known: part.known, ranges: outcome.left, outcome: requested.outcome,
        count: pull.slicesBefore + requests.count - outcome.left.count, deadline: pull.deadline)
    }
    return requested
  }

  private var pull: Pull {
    let (flow, earlier) = (part.flow, part.earlier)
    return part.pull.with { pull in
      if flow.plan.hasCheckpoints {
        pull.checkpoint = part.instruments.stopwatch.reading() + (earlier?.interval ?? Checkpoint.interval)
      }
      guard let earlier else { return }
      pull.deadline = earlier.deadline
      pull.slicesBefore = earlier.count
      pull.network = part.network.withoutReachabilityCheck()
      pull.reported = (earlier.outcome.pages, earlier.outcome.report.kept)
    }
  }
}
