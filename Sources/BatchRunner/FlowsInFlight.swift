internal import Synchronization

/// The flows that run now: how each is cancelled and when it must be over.
final class FlowsInFlight: Sendable {
  /// Why a flow was cancelled.
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
    /// Why all flows were cancelled, those to come included.
    var all: Reason?
    /// Flows that were cancelled between their start and their coming here, by place, with the attempt meant.
    var early: [Int: Int] = [:]
  }

  private let content = Mutex(Content())

  /// Takes a flow; it is cancelled at once where all were, or this attempt of it.
  func add(_ place: Int, attempt: Int, deadline: Duration, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = content.withLock { content in
      let isEarly = content.early.removeValue(forKey: place) == attempt
      let reason = content.all ?? (isEarly ? .asked : nil)
      content.flows[place] = Flow(attempt: attempt, deadline: deadline, cancel: cancel, reason: reason)
      return reason != nil
    }
    if isCancelled { cancel() }
  }

  /// Forgets a flow that is over; tells why it was cancelled, if it was.
  func remove(_ place: Int) -> Reason? {
    content.withLock { $0.flows.removeValue(forKey: place)?.reason }
  }

  /// Cancels one flow.
  func cancel(_ place: Int, attempt: Int) {
    cancel(.asked) { content in
      guard let flow = content.flows[place] else {
        content.early[place] = attempt
        return []
      }
      return flow.attempt == attempt ? [place] : []
    }
  }

  /// Cancels all flows, those to come included.
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
      for place in choose(&content) where content.flows[place]?.reason == nil {
        content.flows[place]?.reason = reason
        if let cancel = content.flows[place]?.cancel { cancels.append(cancel) }
      }
      return cancels
    }
    // Outside of the lock: cancelling runs the handlers of whoever waits.
    for cancel in cancels { cancel() }
  }
}
