internal import ReactorCore
internal import Synchronization

/// The transfers of a chain that were sent before anybody asked for them.
///
/// The driving thread puts one in as soon as the answer before it is whole; the reader takes them out in order. Only
/// `mostWaiting` wait: the one after them is made when the reader has caught up, so that a slow reader slows the server
/// down as ever.
final class TransfersAhead: RequestsAhead {
  /// Transfers that may wait for the reader, each with what a transfer buffers at most.
  static let mostWaiting = 4

  /// A transfer's place in the chain.
  struct Place: Sendable {
    private let ahead: TransfersAhead
    /// What it asks for; without the chain, which ends when only transfers are left to hold it.
    private let resource: Resource

    init(ahead: TransfersAhead, _ resource: Resource) {
      self.ahead = ahead
      var resource = resource
      resource.chain = nil
      self.resource = resource
    }

    /// The transfer that is to follow on one whose answer is whole; nil at the chain's end, or when enough wait.
    func successor(after head: AnswerHead, of transfer: Transfer) -> Transfer? {
      ahead.successor(after: head, of: transfer, resource)
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
    /// What the reader asked for last: it may come before the request is sent ahead, which then is one too many.
    var asked: RequestPlan?
    var isClosed = false
  }

  private let next: RequestChain.Next
  private let builder: RequestBuilder
  private let state = Mutex(State())

  init(_ next: @escaping RequestChain.Next, _ builder: RequestBuilder) {
    self.next = next
    self.builder = builder
  }

  /// The transfer that was sent ahead for a plan, and one that may be sent now that there is room.
  ///
  /// Where another request was sent ahead than is asked for, all of them are given up.
  func take(_ plan: RequestPlan) -> (taken: Transfer?, stalled: Transfer?) {
    let (taken, stalled, given) = state.withLock { state -> (Transfer?, Transfer?, [Waiting]) in
      state.asked = plan
      // One that has failed unasked is asked for again: its time may have run out while nobody read.
      guard let first = state.waiting.first, first.plan.asksLike(plan), !first.transfer.hasFailed else {
        return (nil, nil, state.empty())
      }
      state.waiting.removeFirst()
      guard let stalled = state.stalled else { return (first.transfer, nil, []) }
      state.stalled = nil
      state.waiting.append(stalled)
      return (first.transfer, stalled.transfer, [])
    }
    for waiting in given { waiting.transfer.abandon() }
    return (taken, stalled)
  }

  /// Gives all of them up.
  func close() {
    let given = state.withLock { state in
      state.isClosed = true
      return state.empty()
    }
    for waiting in given { waiting.transfer.abandon() }
  }

  /// On the driving thread.
  private func successor(after head: AnswerHead, of transfer: Transfer, _ resource: Resource) -> Transfer? {
    guard (200..<300).contains(head.status), !state.withLock({ $0.isClosed }) else { return nil }
    let answer = RequestChain.Answer(status: head.status, headers: head.headers, url: transfer.request.url)
    guard let resource = next(answer, resource), resource.body == nil, let plan = try? builder.plan(for: resource),
      let request = try? builder.request(plan)
    else { return nil }
    let made = Waiting(
      plan: plan,
      transfer: Transfer(request, mailbox: transfer.mailbox, Place(ahead: self, resource)))
    return state.withLock { state in
      guard !state.isClosed, state.asked.map({ !$0.asksLike(plan) }) ?? true else { return nil }
      if state.waiting.count < Self.mostWaiting {
        state.waiting.append(made)
        return made.transfer
      }
      state.stalled = made
      return nil
    }
  }
}

extension TransfersAhead.State {
  /// Takes everything out that is on its way or waits to be.
  fileprivate mutating func empty() -> [TransfersAhead.Waiting] {
    defer {
      waiting = []
      stalled = nil
    }
    return waiting
  }
}
