internal import ReactorState
internal import Synchronization

extension FlowScheduler {
  /// Claims flows as long as the run has some, and schedules them.
  ///
  /// A process claims flows when it can start one at once or soon, so that the others find some, too.
  func claim(from claims: any FlowClaims, _ emit: Emit<RunMutation>) async {
    guard let claimed else { return }
    let indices = Dictionary(
      plan.flows.indices.map { (plan.flows[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    var ends = claimed.ends.makeAsyncIterator()
    while isStarting(emit) {
      let room = plan.limits.jobs + (await claims.lead) - claimed.count
      guard room > 0 else {
        guard await ends.next() != nil else { return }
        continue
      }
      switch await claims.claim(room) {
      case .flows(let ids):
        let flows = ids.compactMap { indices[$0] }
        for index in flows where await open(index, emit) { claimed.add(1) }
        wake()
      case .later(let pause):
        // The end of what runs here is perhaps the end of the run. The last timer may have rung after that.
        _ = claimed.takeAlarm()
        let timer = Task { [clock] in
          do { try await clock.sleep(pause) } catch { return }
          claimed.alarm()
        }
        defer { timer.cancel() }
        let isIdle = claimed.count == 0
        repeat {
          guard await ends.next() != nil else { return }
        } while !claimed.takeAlarm() && (isIdle || claimed.count > 0)
      case .over:
        // What this process has claimed is its own until it has ended.
        while claimed.count > 0, await ends.next() != nil {}
        await emit(.leftToOthers)
        return
      }
    }
  }

  /// Schedules a claimed flow; one that this process has run before, and lost to another process, is run again.
  ///
  /// - Returns: whether it was not scheduled yet
  private func open(_ index: Int, _ emit: Emit<RunMutation>) async -> Bool {
    while isStarting(emit), status(of: index, emit) != .queued {
      await emit(.flowQueued(index))
      guard status(of: index, emit) != .queued else { break }
      // The flow is still being cancelled.
      do { try await clock.sleep(.milliseconds(20)) } catch { return false }
    }
    return add(index)
  }

  private func status(of index: Int, _ emit: Emit<RunMutation>) -> FlowStatus? {
    emit.read(of: RunReactor.self) { $0.flows[index].status }
  }

  private func isStarting(_ emit: Emit<RunMutation>) -> Bool {
    !Task.isCancelled && (emit.read(of: RunReactor.self) { $0.stop == nil } ?? false)
  }
}

/// Counts the flows that this process has claimed and that have not ended, and signals each end.
final class ClaimedFlows: Sendable {
  /// Has an element after a flow has ended; elements that nobody has read yet become one.
  let ends: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation
  private let open = Mutex(0)
  private let hasAlarm = Atomic(false)

  init() { (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  var count: Int { open.withLock { $0 } }

  func add(_ count: Int) { open.withLock { $0 += count } }

  /// Signals that a time is over, as if a flow had ended.
  func alarm() {
    hasAlarm.store(true, ordering: .releasing)
    end.yield()
  }

  /// Whether a time is over; only once for each alarm.
  func takeAlarm() -> Bool { hasAlarm.exchange(false, ordering: .acquiring) }

  func remove(_ count: Int) {
    open.withLock { $0 -= count }
    end.yield()
  }
}
