/// Gives the flows of a run to this process, when several processes take part in the run.
///
/// A plan without claims runs all its flows in one process.
public protocol FlowClaims: Sendable {
  /// Claims flows for this process. The flows of one claim have all their parents in it.
  ///
  /// - Parameter count: how many flows this process can start now; a claim may have more
  func claim(_ count: Int) async -> FlowClaim
}

/// What a process gets when it asks for flows.
public enum FlowClaim: Sendable, Hashable {
  /// This process runs these flows now.
  case flows([String])
  /// No flow is free. A flow of another process may become free, so ask again after this time.
  case later(Duration)
  /// No flow of the run is left, or the run cannot go on here.
  case over
}
