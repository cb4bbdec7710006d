internal import ReactorCore
internal import Synchronization

/// The transfers of a chain that were sent before the reader requested them.
///
/// The driving thread adds a transfer as soon as the previous response is complete. The reader takes the transfers in
/// order. At most `maximumWaiting` transfers wait, so a slow reader still slows the server down.
final class TransfersAhead: RequestsAhead {
  /// The maximum number of transfers that wait for the reader. Each of them may fill its buffer.
  static let maximumWaiting = 4

  /// A transfer's position in the chain.
  struct Position: Sendable {
    private let ahead: TransfersAhead
    /// The requested resource, stored without its chain.
    ///
    /// A reference to the chain would keep the chain alive when only transfers hold it.
    private let resource: Resource
    /// The number of the run (see `State.run`) to which the transfer belongs.
    private let run: Int

    fileprivate init(_ ahead: TransfersAhead, _ resource: Resource, run: Int) {
      self.ahead = ahead
      self.resource = resource
      self.run = run
    }

    /// The next transfer after a complete response. Nil at the chain's end, or when enough transfers wait.
    func successor(after head: ResponseHead, of transfer: Transfer) -> Transfer? {
      ahead.successor(after: head, of: transfer, resource, run: run)
    }
  }

  fileprivate struct Waiting {
    let plan: RequestPlan
    let transfer: Transfer
  }

  fileprivate struct State {
    var waiting: [Waiting] = []
    /// A transfer that is created but not yet sent, because enough transfers wait.
    var stalled: Waiting?
    /// The number of requests that the reader sent itself. Each of them begins a run, which is a series of transfers
    /// that are sent ahead; earlier runs send no more requests.
    var run = 0
  }

  /// The result when the reader requests a resource.
  enum Taken {
    /// A transfer that was sent ahead, and a stalled transfer that can be sent now because there is room.
    case ahead(Transfer, stalled: Transfer?)
    /// No transfer was sent ahead: the reader sends its own request, which gets this position.
    case nothing(Position)
  }

  private let next: RequestChain.Next
  private let builder: RequestBuilder
  private let state = Mutex(State())

  init(_ next: @escaping RequestChain.Next, _ builder: RequestBuilder) {
    self.next = next
    self.builder = builder
  }

  /// Takes the transfer that was sent ahead for a resource.
  ///
  /// If the first waiting request differs from the requested one, all waiting transfers are abandoned.
  func take(_ plan: RequestPlan, for resource: Resource) -> Taken {
    let (taken, given) = state.withLock { state -> (Taken, [Waiting]) in
      // A failed transfer is requested again: its time limit may have expired before the reader took it.
      guard let first = state.waiting.first, first.plan.asksLike(plan), !first.transfer.hasFailed else {
        let given = state.newRun()
        var bare = resource
        bare.chain = nil
        return (.nothing(Position(self, bare, run: state.run)), given)
      }
      state.waiting.removeFirst()
      let stalled = state.stalled
      state.stalled = nil
      if let stalled { state.waiting.append(stalled) }
      return (.ahead(first.transfer, stalled: stalled?.transfer), [])
    }
    for waiting in given { waiting.transfer.abandon() }
    return taken
  }

  /// Abandons all waiting transfers.
  func close() {
    let given = state.withLock { $0.newRun() }
    for waiting in given { waiting.transfer.abandon() }
  }

  /// Creates the next transfer of the chain; called on the driving thread.
  private func successor(
    after head: ResponseHead, of transfer: Transfer, _ resource: Resource, run: Int
  ) -> Transfer? {
    guard (200..<300).contains(head.status), state.withLock({ $0.run == run }) else { return nil }
    let previous = RequestChain.Head(status: head.status, headers: head.headers, url: transfer.request.url)
    guard let resource = next(previous, resource), resource.body == nil, let plan = try? builder.plan(for: resource),
      let request = try? builder.request(plan)
    else { return nil }
    let made = Waiting(
      plan: plan, transfer: Transfer(request, mailbox: transfer.mailbox, Position(self, resource, run: run)))
    return state.withLock { state in
      guard state.run == run else { return nil }
      if state.waiting.count < Self.maximumWaiting {
        state.waiting.append(made)
        return made.transfer
      }
      state.stalled = made
      return nil
    }
  }
}

extension TransfersAhead.State {
  /// Begins a run; returns the transfers of the previous run that the reader has not taken.
  fileprivate mutating func newRun() -> [TransfersAhead.Waiting] {
    run += 1
    defer {
      waiting = []
      stalled = nil
    }
    return waiting
  }
}
