internal import FlowModel
internal import ReactorCore
internal import Synchronization
internal import WebSyntax

extension PageFollower {
  /// The chain of pages that starts with a step. Each page of it can be requested before the previous page is read.
  ///
  /// The chain exists only if the head of a response names the next page and nothing in the body can change that; else
  /// the result is nil.
  ///
  /// The chain ends at a link that `next(after:)` would refuse, so that `next(after:)` reports the error.
  func chain(from step: PageStep) -> RequestChain? {
    guard case .link(let relation) = pages.strategy, pages.stop == nil, pages.more == nil,
      pages.repetition == .error, let target = step.target
    else {
      return nil
    }
    let state = Mutex((left: pages.max - step.number, seen: Set([target.hashValue])))
    return RequestChain { head, resource in
      guard !Self.isExhausted(head),
        let target = try? NextLink.target(of: relation.value, in: head.headers, from: head.url)
      else { return nil }
      let isNew = state.withLock { state in
        guard state.left > 0, state.seen.insert(target.hashValue).inserted else { return false }
        state.left -= 1
        return true
      }
      guard isNew else { return nil }
      var next = resource
      next.target = target
      return next
    }
  }

  /// Whether the server requests a pause. Such a pause is possible only if pages are not requested ahead.
  private static func isExhausted(_ head: RequestChain.Head) -> Bool {
    if !head.headers.values("Retry-After").isEmpty { return true }
    return head.headers.rateLimit(now: 0)?.isExhausted(on: head.status) ?? false
  }
}
