internal import ReactorCore

/// Lets several writers that work beside each other write one after the other, in the order of their places.
///
/// A writer whose turn has not come keeps at most `heldBytes` and then waits, so that memory does not grow with what is
/// read ahead.
actor OrderedSink {
  /// What a writer keeps before it waits for its turn.
  static let heldBytes = 1 << 20

  private let sink: any PartSink
  private var turn = 0
  private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var broken = Int.max

  init(_ sink: any PartSink) { self.sink = sink }

  /// The writer of a place, counted from 0.
  nonisolated func writer(_ place: Int) -> Writer { Writer(self, place) }

  /// Ends the waiting of all later places: this one will never be done.
  func breakOff(at place: Int) {
    broken = min(broken, place)
    for (later, continuation) in waiting where later > broken {
      waiting[later] = nil
      continuation.resume(returning: false)
    }
  }

  fileprivate func isTurn(_ place: Int) -> Bool { place == turn }

  /// Waits until all earlier places are done.
  fileprivate func wait(for place: Int) async throws(ReactorError) {
    if place == turn { return }
    let isTurn = place > broken ? false : await withCheckedContinuation { waiting[place] = $0 }
    guard isTurn else { throw .cancelled }
  }

  fileprivate func pass(_ part: RecordPart) async throws(ReactorError) { try await sink.write(part) }

  fileprivate func advance() {
    turn += 1
    waiting.removeValue(forKey: turn)?.resume(returning: true)
  }

  /// One place's way to the sink; used by one task.
  actor Writer: PartSink {
    private let order: OrderedSink
    private let place: Int
    private var held = RecordPart()

    fileprivate init(_ order: OrderedSink, _ place: Int) {
      self.order = order
      self.place = place
    }

    func write(_ part: RecordPart) async throws(ReactorError) {
      if await order.isTurn(place) {
        try await letGo()
        return try await order.pass(part)
      }
      held += part
      guard held.bytes.count + held.lines.count > OrderedSink.heldBytes else { return }
      try await order.wait(for: place)
      try await letGo()
    }

    /// Writes what is held as soon as it may, and lets the next place write.
    func finish() async throws(ReactorError) {
      try await order.wait(for: place)
      try await letGo()
      await order.advance()
    }

    private func letGo() async throws(ReactorError) {
      guard !held.isEmpty else { return }
      let part = held
      held = RecordPart()
      try await order.pass(part)
    }
  }
}
