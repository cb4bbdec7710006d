internal import BatchRunner
internal import FlowRuntime
internal import HTTPTransport
internal import Monitoring
internal import ReactorCore
internal import ReactorState
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Records when the flows of a run, their steps and their requests began and ended.
final class TraceRecorder: Sendable {
  private let content = Mutex(RunTrace())
  private let sent = Mutex(RequestTraces())

  /// The trace so far.
  var trace: RunTrace { content.withLock { $0 } }
  /// The requests so far.
  var requests: RequestTraces { sent.withLock { $0 } }

  /// Follows a run to its end. The recorder of nil does nothing.
  ///
  /// - Parameter clock: that of the run
  static func follow(_ run: BatchRun, _ clock: RunClock, _ recorder: TraceRecorder?) -> Task<Void, Never>? {
    guard let recorder else { return nil }
    let changes = run.transitions(matching: RunTrace.isOfInterest)
    recorder.content.withLock { $0 = RunTrace(of: run.plan.flows.map(\.id)) }
    return Task {
      for await change in changes {
        // All times of flows follow from the beginning of the run, which is seen a little after it. Requests have the
        // times of the system.
        let late =
          if case .started(let reading) = change.mutation { clock.stopwatch.reading() - reading } else { Duration.zero }
        recorder.content.withLock { $0.take(change.mutation, at: now() - RunTrace.nanoseconds(late)) }
      }
    }
  }

  /// Nanoseconds since 1970.
  fileprivate static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension TraceRecorder: RequestRecorder {
  func span(for request: TracedRequest, of flow: String) -> (any RequestSpan)? {
    let reservation = sent.withLock { $0.prepare(for: flow) }
    return RecordedRequest(request, as: reservation, in: self)
  }

  fileprivate func add(_ request: RequestTraces.Request, as reservation: RequestTraces.Reservation) {
    sent.withLock { $0.add(request, as: reservation) }
  }
}

/// A request that is being sent.
private final class RecordedRequest: RequestSpan {
  private let request: Mutex<RequestTraces.Request>
  private let reservation: RequestTraces.Reservation
  private let recorder: TraceRecorder

  var id: String { reservation.id }

  init(_ request: TracedRequest, as reservation: RequestTraces.Reservation, in recorder: TraceRecorder) {
    self.request = Mutex(
      RequestTraces.Request(
        method: request.method, url: request.url, host: request.host, port: request.port, resends: request.resends))
    self.reservation = reservation
    self.recorder = recorder
  }

  func begin() { request.withLock { $0.began = TraceRecorder.now() } }

  func end(status: Int?, _ failure: ReactorError?) {
    var ended = request.withLock { $0 }
    guard ended.began > 0 else { return }
    (ended.ended, ended.status) = (TraceRecorder.now(), status)
    // A response of which nobody wants the rest is judged by its status.
    ended.failure = failure.flatMap { $0.kind == .cancelled && status != nil ? nil : $0.kind.rawValue }
    recorder.add(ended, as: reservation)
  }
}
