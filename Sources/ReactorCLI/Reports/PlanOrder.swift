internal import BatchRunner

/// The changes of a run in an order that does not depend on which flow is done first: the run's beginning, then all that
/// became of each flow, in plan order, then what became of the run. Applied in that order they give the same end.
struct PlanOrder: Sendable {
  private var beginning: [RunMutation] = []
  private var flows: [Int: [RunMutation]] = [:]
  private var end: [RunMutation] = []

  /// Takes the next change.
  mutating func take(_ mutation: RunMutation) {
    switch mutation {
    case .started: beginning.append(mutation)
    case .flowStarted(let place, _), .flowProgressed(let place, _), .flowFinished(let place, _, _),
      .flowFailed(let place, _, _), .flowCancelled(let place), .flowQueued(let place), .saveEnded(let place, _):
      flows[place, default: []].append(mutation)
    case .cancelled, .stopped, .draining, .finished: end.append(mutation)
    }
  }

  /// All that were taken.
  var mutations: [RunMutation] { beginning + flows.sorted { $0.key < $1.key }.flatMap(\.value) + end }
}
