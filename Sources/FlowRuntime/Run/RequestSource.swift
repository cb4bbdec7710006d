internal import FlowModel
internal import ReactorCore

/// Where the requests of a run come from: one request, the ranges of a cursor, or the parents.
///
/// The kinds compose in one direction. A parent has one request or the ranges of a cursor; each range has one request. Each
/// request of any kind gives its records by its pages, or by the job that it creates (`Pull.run`). What the keys of a flow
/// allow beyond that is in their requirements; `CombinationTests` runs every combination.
protocol RequestSource: Sendable {
  /// Sends all requests, and writes their records to a sink.
  ///
  /// - Returns: what the requests gave; nil if there is nothing to request
  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested?
}

/// What the requests of a run gave, besides their records.
struct Requested: Sendable {
  var outcome = Pull.Outcome()
  /// What the run learned of its parents; nil without parents.
  var ledger: EachLedger?
  /// Where the run goes on after its result is published; nil at the end.
  var checkpoint: Checkpoint?
}

extension RunPart {
  /// The source of the requests.
  ///
  /// - Parameter cursorRun: the run of the cursor; nil without a cursor
  func source(_ cursorRun: CursorRun?) -> any RequestSource {
    if let each = flow.plan.each { return ParentRequests(each: each, flow: flow, part: self, run: cursorRun) }
    if let cursorRun { return RangeRequests(part: self, run: cursorRun) }
    return OneRequest(part: self)
  }
}

/// The flow's own request.
struct OneRequest: RequestSource {
  let part: RunPart

  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested? {
    let (plan, flow) = (part.flow.plan, part.flow)
    let pull = part.pull.with { $0.remake = flow.remake(with: [:]) }
    // Its templates may use `page`.
    let resource =
      plan.request.program == nil ? part.condition ?? plan.request.resource : try flow.resource(with: [:])
    return Requested(outcome: try await pull.run(resource, into: sink))
  }
}

/// The ranges of a cursor, or what is left of them after a checkpoint.
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
