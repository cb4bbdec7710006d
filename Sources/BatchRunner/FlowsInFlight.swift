internal import Synchronization

/// The running flows, each with its cancel function and its deadline.
final class FlowsInFlight: Sendable {
  /// The reason why a flow was cancelled.
  enum Reason: Sendable, Hashable {
    case asked
    case deadline
    case runDeadline
  }

  private struct Flow {
    let attempt: Int
    let deadline: Duration
    let cancel: @Sendable () -> Void
    var reason: Reason?
  }

  private struct Content {
    var flows: [Int: Flow] = [:]
    /// Why all flows were cancelled, including flows that start later; nil when they were not.
    var all: Reason?
    /// The attempts that were cancelled after their start but before `add`, by the index of the flow.
    var early: [Int: Int] = [:]
  }

  private let content = Mutex(Content())

  /// Adds a flow.
  ///
  /// The flow is cancelled at once when all flows, or this attempt, were already cancelled.
  func add(_ index: Int, attempt: Int, deadline: Duration, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = content.withLock { content in
      let isEarly = content.early.removeValue(forKey: index) == attempt
      let reason = content.all ?? (isEarly ? .asked : nil)
      content.flows[index] = Flow(attempt: attempt, deadline: deadline, cancel: cancel, reason: reason)
      return reason != nil
    }
    if isCancelled { cancel() }
  }

  /// Removes a flow that has ended; returns why it was cancelled, or nil when it was not.
  func remove(_ index: Int) -> Reason? {
    content.withLock { $0.flows.removeValue(forKey: index)?.reason }
  }

  /// Cancels one flow.
  func cancel(_ index: Int, attempt: Int) {
    cancel(.asked) { content in
      guard let flow = content.flows[index] else {
        content.early[index] = attempt
        return []
      }
      return flow.attempt == attempt ? [index] : []
    }
  }

  /// Cancels all flows, including flows that start later.
  func cancelAll(_ reason: Reason) {
    cancel(reason) { content in
      content.all = content.all ?? reason
      return Array(content.flows.keys)
    }
  }

  /// Cancels the flows whose deadline has passed.
  func cancelOverdue(at time: Duration) {
    cancel(.deadline) { content in content.flows.filter { $0.value.deadline <= time }.map(\.key) }
  }

  private func cancel(_ reason: Reason, _ choose: (inout Content) -> [Int]) {
    let cancels = content.withLock { content in
      var cancels: [@Sendable () -> Void] = []
      for index in choose(&content) where content.flows[index]?.reason == nil {
        content.flows[index]?.reason = reason
        if let cancel = content.flows[index]?.cancel { cancels.append(cancel) }
      }
      return cancels
    }
    // The cancel functions run outside the lock, because they run the cancellation handlers of the tasks.
    for cancel in cancels { cancel() }
  }
}
