internal import Synchronization

/// The flows that run now: how each is cancelled and when it must be over.
final class FlowsInFlight: Sendable {
  /// Why a flow was cancelled.
  enum Reason: Sendable, Hashable {
    case asked
    case deadline
  }

  private struct Flow {
    let deadline: Duration
    let cancel: @Sendable () -> Void
    var reason: Reason?
  }

  private struct Content {
    var flows: [Int: Flow] = [:]
    var isCancelled = false
  }

  private let content = Mutex(Content())

  /// Takes a flow; it is cancelled at once where all were.
  func add(_ place: Int, deadline: Duration, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = content.withLock { content in
      content.flows[place] = Flow(deadline: deadline, cancel: cancel, reason: content.isCancelled ? .asked : nil)
      return content.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// Forgets a flow that is over; tells why it was cancelled, if it was.
  func remove(_ place: Int) -> Reason? {
    content.withLock { $0.flows.removeValue(forKey: place)?.reason }
  }

  /// Cancels all flows, those to come included.
  func cancelAll() {
    cancel(.asked) { content in
      content.isCancelled = true
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
