internal import DetachedThread
internal import Dispatch
internal import Synchronization

/// Batches of events in order. A large text is read ahead by a thread of its own, so that libyaml's work and the
/// building of the tree overlap.
///
/// `@unchecked Sendable`: `text` and `index` never change, and whoever made the feed keeps the bytes until `end()` has
/// returned, after which no other thread is left; everything else that both threads touch lies behind the mutex or is a
/// semaphore.
final class EventFeed: @unchecked Sendable {
  /// Bytes from which a thread pays: starting one costs what libyaml needs for about a kilobyte.
  static let leastAhead = 32 << 10
  /// Batches read ahead. A few bound the memory, and what is read in vain of a text that is too deep.
  private static let depth = 4

  private struct State {
    var ready: [EventBatch] = []
    var spent: [EventBatch] = []
    var isStopped = false
  }

  private let text: UnsafeBufferPointer<UInt8>
  private let index: ScalarIndex
  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  /// Where the reader's own thread reads.
  private var parser: EventParser?
  private var isAhead = false

  /// Starts reading; by a thread of its own from `leastAhead` bytes on.
  init(_ text: UnsafeBufferPointer<UInt8>, index: ScalarIndex, leastAhead: Int = EventFeed.leastAhead) {
    self.text = text
    self.index = index
    isAhead = text.count >= leastAhead && DetachedThread.start { [self] in readAhead() }
    if !isAhead { parser = EventParser(text, index: index) }
  }

  /// The next batch, in place of one that is done with; not to be asked again after the last.
  func next(reusing spent: consuming EventBatch) -> EventBatch {
    var batch = spent
    batch.clear()
    guard isAhead else {
      Self.fill(&batch, from: parser)
      return batch
    }
    state.withLock { [batch] in $0.spent.append(batch) }
    free.signal()
    filled.wait()
    return state.withLock { $0.ready.removeFirst() }
  }

  /// Ends the reading, at whatever place it is; to be called before the bytes go away.
  func end() {
    guard isAhead else { return }
    state.withLock { $0.isStopped = true }
    free.signal()
    ended.wait()
  }

  private static func fill(_ batch: inout EventBatch, from parser: borrowing EventParser?) {
    switch parser {
    case .some(let parser): parser.fill(&batch)
    case .none: batch.failure = SyntaxFailure(problem: "out of memory", offset: 0, context: "", contextOffset: 0)
    }
  }

  // MARK: - Ahead

  private func readAhead() {
    do {
      let parser = EventParser(text, index: index)
      for _ in 1..<Self.depth {
        state.withLock { $0.spent.append(EventBatch()) }
        free.signal()
      }
      while true {
        free.wait()
        let next = state.withLock { state in state.isStopped ? nil : state.spent.popLast() }
        guard var batch = next else { break }
        batch.clear()
        Self.fill(&batch, from: parser)
        let isLast = batch.isLast
        state.withLock { [batch] in $0.ready.append(batch) }
        filled.signal()
        if isLast { break }
      }
    }
    // The parser is gone: nothing reads the bytes any more.
    ended.signal()
  }
}
