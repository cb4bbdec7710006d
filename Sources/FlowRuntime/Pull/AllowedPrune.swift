package import FlowModel
public import ReactorCore

/// How many records of one response a run allows to be rejected, whatever its flows expect.
public struct AllowedPrune: Sendable, Hashable, CustomStringConvertible {
  private let bound: CountOrShare

  /// Creates a limit from a count or a share.
  package init(_ bound: CountOrShare) { self.bound = bound }

  /// Whether the number of rejected records is within the limit.
  public func allows(_ report: PruneReport) -> Bool { bound.allows(report.rejected, of: report.total) }

  /// The limit as text: `at most 5 records`, `at most 2.5 % of the records`.
  public var description: String {
    switch bound {
    case .count(let most): "at most \(Expectations.records(most))"
    case .percent(let most):
      "at most \(most == most.rounded() ? String(Int(most)) : String(most)) % of the records"
    }
  }
}
