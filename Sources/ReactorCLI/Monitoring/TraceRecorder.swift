internal import BatchRunner
internal import Monitoring
internal import ReactorState
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Records when the flows of a run and their steps began and ended.
final class TraceRecorder: Sendable {
  private let content = Mutex(RunTrace())

  /// The trace so far.
  var trace: RunTrace { content.withLock { $0 } }

  /// Follows a run to its end. The recorder of nil does nothing.
  static func follow(_ run: BatchRun, _ recorder: TraceRecorder?) -> Task<Void, Never>? {
    guard let recorder else { return nil }
    let changes = run.transitions(matching: RunTrace.isOfInterest)
    recorder.content.withLock { $0 = RunTrace(of: run.plan.flows.map(\.id)) }
    return Task { for await change in changes { recorder.content.withLock { $0.take(change.mutation, at: now()) } } }
  }

  /// Nanoseconds since 1970.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
