internal import ReactorCore
internal import Synchronization

/// The transfers of a chain that were sent before the reader asked for them.
///
/// The driving thread puts one in as soon as the response before it is whole; the reader takes them out in order. At most
/// `maximumWaiting` wait, so a slow reader still slows the server down.
final class TransfersAhead: RequestsAhead {
  /// Transfers that may wait for the reader, each with what a transfer buffers at most.
  static let maximumWaiting = 4

  /// A transfer's position in the chain.
  struct Position: Sendable {
    private let ahead: TransfersAhead
    /// What it asks for; without the chain, which ends when only transfers are left to hold it.
    private let resource: Resource
    /// The run that it belongs to.
    private let run: Int

    fileprivate init(_ ahead: TransfersAhead, _ resource: Resource, run: Int) {
      self.ahead = ahead
      self.resource = resource
      self.run = run
    }

    /// The transfer that is to follow on one whose response is whole; nil at the chain's end, or when enough wait.
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
    /// Made, but not yet sent: enough are waiting.
    var stalled: Waiting?
    /// Counts the requests that the reader sent itself. Each begins a run; an earlier run sends nothing more.
    var run = 0
  }

  /// What there is for a reader.
  enum Taken {
    /// A transfer that was sent ahead, and one that may be sent now that there is room.
    case ahead(Transfer, stalled: Transfer?)
    /// Nothing: the reader sends its request, which has this position.
    case nothing(Position)
  }

  private let next: RequestChain.Next
  private let builder: RequestBuilder
  private let state = Mutex(State())

  init(_ next: @escaping RequestChain.Next, _ builder: RequestBuilder) {
    self.next = next
    self.builder = builder
  }

  /// The transfer that was sent ahead for a resource. Where another request was sent ahead than is asked for, all of
  /// them are given up.
  func take(_ plan: RequestPlan, for resource: Resource) -> Taken {
    let (taken, given) = state.withLock { state -> (Taken, [Waiting]) in
      // One that has failed is asked for again: its time may have run out before it was read.
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

  /// Gives all of them up.
  func close() {
    let given = state.withLock { $0.newRun() }
    for waiting in given { waiting.transfer.abandon() }
  }

  /// On the driving thread.
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
  /// Begins a run; returns what the one before it has sent and the reader has not taken.
  fileprivate mutating func newRun() -> [TransfersAhead.Waiting] {
    run += 1
    defer {
      waiting = []
      stalled = nil
    }
    return waiting
  }
}
