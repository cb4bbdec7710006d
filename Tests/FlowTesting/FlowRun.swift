package import ReactorCore

/// How one run of a flow went.
package struct FlowRun: Sendable {
  package var outcome: FetchSummary?
  package var error: ReactorError?
  package var events: [FlowEvent] = []
  /// Saves that were not waited for and failed.
  package var failures: [SaveQueue.Failure] = []

  package init() {}

  package var source: FetchSource? { outcome?.source }
  package var miss: PersistenceMiss? { outcome?.miss }
  package var save: SaveOutcome? { outcome?.save }
  package var kept: Int? { outcome?.report.kept }
  package var message: String { error?.message ?? "" }
  /// The warnings of a kind, in their order.
  package func warnings(_ kind: FlowWarning.Kind) -> [ReactorError] {
    events.compactMap { if case .warned(let warning) = $0, warning.kind == kind { warning.error } else { nil } }
  }
}
