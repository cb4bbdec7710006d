package import FlowTerms
public import ReactorCore

/// How many records of one response a run lets be rejected, whatever its flows expect.
public struct AllowedPrune: Sendable, Hashable, CustomStringConvertible {
  private let bound: CountOrShare

  /// Takes a bound.
  package init(_ bound: CountOrShare) { self.bound = bound }

  /// Whether no more records were rejected than this allows.
  public func allows(_ report: PruneReport) -> Bool { bound.allows(report.rejected, of: report.total) }

  /// `at most 5 records`, `at most 2.5 % of the records`.
  public var description: String {
    switch bound {
    case .count(let most): "at most \(Expectations.records(most))"
    case .percent(let most):
      "at most \(most == most.rounded() ? String(Int(most)) : String(most)) % of the records"
    }
  }
}
