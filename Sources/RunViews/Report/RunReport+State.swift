package import BatchRunner
internal import JSONSyntax
internal import ReactorCore
package import SourceDiagnostics
internal import TimeSyntax

extension RunReport.Flow.Status {
  /// The status for a report; a flow that has not ended counts as cancelled.
  package init(_ status: FlowStatus) { self = Self(rawValue: status.rawValue) ?? .cancelled }
}

extension RunReport.Flow.Rejection {
  /// Describes a rejection; `text` and `mask` are the same functions as for an error.
  init(_ rejection: PruneReport.Rejection, text: (String) -> String, mask: (String) -> String) {
    self.init(index: rejection.index, pointer: mask(rejection.pointer), reason: text(rejection.reason))
  }
}

extension RunReport.Flow.Failure {
  /// Describes an error without its remedy.
  ///
  /// - Parameters:
  ///   - text: masks and shortens text from servers and files
  ///   - mask: masks secrets
  init(_ error: ReactorError, text: (String) -> String, mask: (String) -> String) {
    self.init(
      kind: error.kind.rawValue, message: text(error.message), status: error.status, record: error.recordIndex,
      pointer: error.pointer.map(text), path: error.path.map(mask), location: error.location)
  }
}

extension RunReport {
  /// The maximum length of a message in a report, in Unicode scalars.
  static let longestMessage = 500

  /// Creates the report of a run.
  ///
  /// - Parameters:
  ///   - state: the state of the run; a flow that has not ended counts as cancelled
  ///   - exit: the exit code
  ///   - began: when the run began, in seconds since 1970; nil when it is unknown
  ///   - tool: the program's version
  ///   - isOffline: whether the run sent no request, which changes the remedies
  ///   - hasTiming: whether the report has times
  ///   - shard: the part of the selection that was run
  ///   - problems: the diagnostics of the flow files
  ///   - mask: masks secrets in a text
  package init(
    _ state: RunState, exit: Int32, began: Int64? = nil, tool: String, isOffline: Bool = false, hasTiming: Bool = true,
    shard: Shard? = nil,
    problems: [Diagnostic] = [], mask: @escaping (String) -> String = { $0 }
  ) {
    let shown = Shown(mask: mask, isOffline: isOffline, start: hasTiming ? state.started : nil, hasTiming: hasTiming)
    var duration: Int64?
    if hasTiming, let started = state.started, let ended = state.ended {
      duration = Quantity.milliseconds(ended - started)
    }
    self.init(
      tool: tool, isComplete: !state.isCancelled && state.phase == .finished, exit: exit, shard: shard,
      hasTiming: hasTiming, startedAt: hasTiming ? began.map { InstantText.text($0) } : nil, duration: duration,
      problems: problems.sortedByPlace().map(shown.problem),
      flows: state.flows.map(shown.flow))
  }

  /// Diagnostics as a report has them.
  ///
  /// - Parameter mask: masks secrets in a text
  package static func problems(_ diagnostics: [Diagnostic], mask: @escaping (String) -> String) -> [Problem] {
    let shown = Shown(mask: mask, isOffline: false, start: nil, hasTiming: false)
    return diagnostics.sortedByPlace().map(shown.problem)
  }

  /// The part of a report that describes one flow.
  ///
  /// - Parameters:
  ///   - start: the reading of the run's clock from which times count; nil to leave times out
  ///   - mask: masks secrets in a text
  package static func flow(
    _ state: FlowState, isOffline: Bool, start: Duration?, mask: @escaping (String) -> String
  ) -> Flow {
    Shown(mask: mask, isOffline: isOffline, start: start, hasTiming: start != nil).flow(state)
  }

  /// Converts parts of a run's state for the report, and makes texts safe to show.
  private struct Shown {
    let mask: (String) -> String
    let isOffline: Bool
    let start: Duration?
    let hasTiming: Bool

    func flow(_ state: FlowState) -> Flow {
      var flow = Flow(
        id: mask(state.id), file: mask(state.file), line: state.line,
        status: Flow.Status(state.status))
      flow.isAdded = state.isAdded
      flow.source = state.source?.rawValue
      flow.miss = state.miss.map { text($0.description) }
      flow.retries = state.retries
      flow.records = state.records
      flow.rejected = state.rejected
      flow.filtered = state.filtered
      flow.rejections = state.rejections.map {
        Flow.Rejection($0, text: text, mask: mask)
      }
      flow.bytes = state.bytes
      flow.path = state.path.map(mask)
      flow.rejectedPath = state.rejectedPath.map(mask)
      flow.save = state.save.word
      flow.failure = (state.error ?? state.save.error).map(failure)
      flow.warnings = [state.shortfall, state.stampFailure].compactMap { $0 }.map {
        Flow.Warning(kind: $0.kind.rawValue, message: text($0.message), path: $0.path.map(mask))
      }
      flow.warnings += state.warnings.map {
        Flow.Warning(kind: $0.kind.rawValue, message: text($0.error.message), location: $0.error.location)
      }
      guard hasTiming else { return flow }
      if let start, let began = state.started { flow.started = Quantity.milliseconds(began - start) }
      flow.duration = state.duration.map(Quantity.milliseconds)
      flow.steps = FlowStep.allCases.compactMap { step in
        state.timings[step].map { Flow.Step(step: step, duration: Quantity.milliseconds($0)) }
      }
      return flow
    }

    func failure(_ error: ReactorError) -> Flow.Failure {
      var failure = Flow.Failure(error, text: text, mask: mask)
      failure.help = FlowProblem.remedy(error, isOffline: isOffline).map(text)
      return failure
    }

    /// A diagnostic with the members of its own JSON format.
    func problem(_ diagnostic: Diagnostic) -> Problem { Problem(masked(diagnostic.json)) }

    private func masked(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let string): .string(mask(string))
      case .array(let elements): .array(elements.map(masked))
      case .object(let object):
        .object(JSONObject(object.members.map { .init(name: $0.name, value: masked($0.value)) }))
      case .null, .bool, .number: value
      }
    }

    /// Masks and shortens text from servers and files. Masking comes first, so that no part of a secret remains.
    private func text(_ text: String) -> String { RunReport.cut(mask(text)) }
  }

  /// The first `longestMessage` scalars of a text; `...` marks a cut.
  static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: longestMessage, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "..."
  }
}
