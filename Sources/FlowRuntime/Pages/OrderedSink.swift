internal import ReactorCore
internal import Synchronization

/// Lets several parallel writers write one after the other, in the order of their indices.
///
/// A writer whose turn has not come holds about `heldBytes` and then waits. So the memory does not grow with the size
/// of the responses.
final class OrderedSink: Sendable {
  /// How many bytes a writer holds before it waits for its turn.
  static let heldBytes = 1 << 20

  private struct State {
    var turn = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var broken = Int.max
  }

  private let sink: any RecordSink
  private let state = Mutex(State())

  init(_ sink: any RecordSink) { self.sink = sink }

  /// Returns the writer with an index, counted from 0.
  func writer(_ index: Int) -> Writer { Writer(self, index) }

  /// Ends the wait of all writers with a greater index, whose turn never comes because this writer does not finish.
  func breakOff(at index: Int) {
    let ended = state.withLock { state in
      state.broken = min(state.broken, index)
      let later = state.waiting.filter { $0.key > state.broken }
      for index in later.keys { state.waiting[index] = nil }
      return later
    }
    for continuation in ended.values { continuation.resume(returning: false) }
  }

  fileprivate func isTurn(_ index: Int) -> Bool { state.withLock { $0.turn == index } }

  /// Waits until all writers with a smaller index are finished.
  fileprivate func wait(for index: Int) async throws(ReactorError) {
    let isTurn = await withCheckedContinuation { continuation in
      let isTurn: Bool? = state.withLock { state in
        if index == state.turn { return true }
        if index > state.broken { return false }
        state.waiting[index] = continuation
        return nil
      }
      if let isTurn { continuation.resume(returning: isTurn) }
    }
    guard isTurn else { throw .cancelled }
  }

  /// Writes to the sink. Only the writer whose turn it is calls this, so no two writes overlap.
  fileprivate func pass(_ part: RecordChunk) async throws(ReactorError) { try await sink.write(part) }

  fileprivate func advance() {
    let next = state.withLock { state in
      state.turn += 1
      return state.waiting.removeValue(forKey: state.turn)
    }
    next?.resume(returning: true)
  }

  /// The writer for one index. Only one task may use it.
  final class Writer: RecordSink {
    private let order: OrderedSink
    private let index: Int
    private let held = Mutex(RecordChunk())

    fileprivate init(_ order: OrderedSink, _ index: Int) {
      self.order = order
      self.index = index
    }

    func write(_ part: RecordChunk) async throws(ReactorError) {
      if order.isTurn(index) {
        try await letGo()
        return try await order.pass(part)
      }
      let isFull = held.withLock { held in
        held += part
        return held.bytes.count + held.lines.count > OrderedSink.heldBytes
      }
      guard isFull else { return }
      try await order.wait(for: index)
      try await letGo()
    }

    /// Waits for the writer's turn, writes the held records and starts the turn of the next writer.
    func finish() async throws(ReactorError) {
      try await order.wait(for: index)
      try await letGo()
      order.advance()
    }

    private func letGo() async throws(ReactorError) {
      let part = held.withLock { held in
        defer { held = RecordChunk() }
        return held
      }
      if !part.isEmpty { try await order.pass(part) }
    }
  }
}
