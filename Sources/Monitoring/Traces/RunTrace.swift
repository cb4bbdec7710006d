package import BatchRunner
internal import ReactorCore

/// When a run, its flows and their steps began and ended, in nanoseconds since 1970 UTC.
package struct RunTrace: Sendable {
  /// A step of a flow, such as a request.
  package struct Step: Sendable, Hashable {
    package let name: String
    package fileprivate(set) var began: Int64
    package fileprivate(set) var ended: Int64
    package let hasFailed: Bool
  }

  /// A request that was sent again.
  package struct Retry: Sendable, Hashable {
    package let at: Int64
    package let reason: String
  }

  /// The times of a flow.
  package struct Flow: Sendable, Hashable {
    package let began: Int64
    package fileprivate(set) var ended: Int64?
    package fileprivate(set) var steps: [Step] = []
    package fileprivate(set) var retries: [Retry] = []
    /// The steps that have begun, and when.
    fileprivate var open: [FlowStep: Int64] = [:]

    fileprivate init(began: Int64) { self.began = began }

    fileprivate mutating func end(_ step: FlowStep, at now: Int64, lasted: Int64?, hasFailed: Bool) {
      let opened = open.removeValue(forKey: step)
      let start = lasted.map { now - $0 } ?? opened ?? now
      steps.append(Step(name: step.rawValue, began: min(max(start, began), now), ended: now, hasFailed: hasFailed))
    }

    /// Moves steps that seem to end later, because events are seen a little after they happen.
    fileprivate mutating func settle(by end: Int64) {
      for index in steps.indices where steps[index].ended > end {
        let late = steps[index].ended - end
        (steps[index].began, steps[index].ended) = (max(began, steps[index].began - late), max(began, end))
      }
    }
  }

  /// When the run began; nil before that.
  package private(set) var began: Int64?
  /// When the run ended; nil before that.
  package private(set) var ended: Int64?
  /// The flows that this process has run, by their ids.
  package private(set) var flows: [String: Flow] = [:]
  private let ids: [String]
  /// A reading of the run's clock, and what the time was then.
  private var anchor: (reading: Duration, time: Int64) = (.zero, 0)

  /// Creates the trace of a run that has not begun.
  ///
  /// - Parameter ids: the ids of the flows of the plan
  package init(of ids: [String] = []) { self.ids = ids }

  /// Whether a change is a part of a trace.
  @Sendable package static func isOfInterest(_ mutation: RunMutation) -> Bool {
    switch mutation {
    case .started, .finished, .flowStarted, .flowFinished, .flowFailed: true
    case .flowProgressed(_, let event):
      switch event {
      case .started, .finished, .failed, .retrying: true
      default: false
      }
    default: false
    }
  }

  /// Takes a change.
  ///
  /// - Parameter now: nanoseconds since 1970
  package mutating func take(_ mutation: RunMutation, at now: Int64) {
    switch mutation {
    case .started(let reading):
      anchor = (reading, now)
      began = now
    case .finished(let reading):
      let end = time(reading)
      ended = end
      // A save may go on after its flow, but not after the run.
      for id in flows.keys { flows[id]?.settle(by: end) }
    case .flowStarted(let index, let reading): flows[ids[index]] = Flow(began: time(reading))
    case .flowFinished(let index, _, let reading), .flowFailed(let index, _, let reading):
      let end = time(reading)
      flows[ids[index]]?.ended = end
      flows[ids[index]]?.settle(by: end)
    case .flowProgressed(let index, let event): take(event, of: ids[index], at: now)
    default: break
    }
  }

  private mutating func take(_ event: FlowEvent, of id: String, at now: Int64) {
    switch event {
    case .started(let step): flows[id]?.open[step] = now
    case .finished(let step, let duration):
      flows[id]?.end(step, at: now, lasted: Self.nanoseconds(duration), hasFailed: false)
    case .failed(let step, _): flows[id]?.end(step, at: now, lasted: nil, hasFailed: true)
    case .retrying(_, let reason, _): flows[id]?.retries.append(Retry(at: now, reason: "\(reason)"))
    default: break
    }
  }

  private func time(_ reading: Duration) -> Int64 { anchor.time + Self.nanoseconds(reading - anchor.reading) }

  /// A duration in nanoseconds.
  package static func nanoseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }
}
