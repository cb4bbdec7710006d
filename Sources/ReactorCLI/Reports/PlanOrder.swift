internal import BatchRunner

/// Collects the changes of a run in an order that does not depend on which flow ends first.
///
/// The start of the run comes first, then the changes of each flow in plan order, then the end of the run. Applied in
/// this order, the changes give the same state as in the order in which they happened.
struct PlanOrder: Sendable {
  private var beginning: [RunMutation] = []
  private var flows: [Int: [RunMutation]] = [:]
  private var end: [RunMutation] = []

  /// Adds the next change.
  mutating func take(_ mutation: RunMutation) {
    switch mutation {
    case .started: beginning.append(mutation)
    case .flowStarted(let index, _), .flowProgressed(let index, _), .flowFinished(let index, _, _),
      .flowFailed(let index, _, _), .flowCancelled(let index), .flowQueued(let index), .saveEnded(let index, _):
      flows[index, default: []].append(mutation)
    case .cancelled, .stopped, .leftToOthers, .draining, .finished: end.append(mutation)
    }
  }

  /// All changes in plan order.
  var mutations: [RunMutation] { beginning + flows.sorted { $0.key < $1.key }.flatMap(\.value) + end }
}
