internal import FlowModel
internal import ReactorCore
internal import Records

/// The part of a run from the lock of its target to the next checkpoint, or to its end.
struct RunPart: Sendable {
  /// The flow whose requests are sent: the declared flow, or its variant for the first run.
  var flow: DeclaredFlow
  let network: Network
  let instruments: FlowInstruments
  let receiver: any ResultReceiver
  /// Where the run continues after its last published slices; nil at its start.
  let earlier: Checkpoint?
  /// Receives rejected records; nil when they are not persisted.
  var rejected: RejectedRecords?
  /// The persisted result for which the request asks whether it has changed; nil for an unconditional request.
  var persisted: UnmodifiedResult?
  /// The remembered state from which an incremental flow continues.
  var known: CursorState?

  init(
    flow: DeclaredFlow, network: Network, instruments: FlowInstruments, receiver: any ResultReceiver,
    earlier: Checkpoint?
  ) {
    self.flow = flow
    self.network = network
    self.instruments = instruments
    self.receiver = receiver
    self.earlier = earlier
  }

  /// The request that asks whether the persisted result has changed; nil without one.
  var condition: Resource? {
    persisted.flatMap { Validators($0.provenance).condition(flow.plan.request.resource) }
  }

  /// Returns the cursor with its state and start for this run, new or from the checkpoint; nil without a cursor.
  func cursorRun() -> CursorRun? {
    if let earlier { return earlier.run }
    guard let known, let cursor = flow.plan.cursor else { return nil }
    return CursorRun(cursor: cursor, now: flow.environment.wallClock.now, since: flow.plan.since, state: known)
  }

  /// The pull that requests the records of this part.
  var pull: Pull {
    var pull = Pull(
      flow: flow, receiver: receiver, rejected: rejected, network: network, instruments: instruments)
    if flow.plan.cursor?.keepsPart ?? false {
      pull.deadline = instruments.stopwatch.reading() + .seconds(flow.plan.timeout)
    }
    if condition != nil {
      let judge = network.responseModifier
      pull.network = network.with(
        ResponseModifier { (response) async throws(ReactorError) -> Response in
          response.status == 304 ? response : try await judge.modify(response)
        })
    }
    return pull
  }
}
