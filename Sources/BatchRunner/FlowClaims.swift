/// Gives the flows of a run to this process, when several processes take part in the run.
///
/// A plan without claims runs all its flows in one process.
public protocol FlowClaims: Sendable {
  /// Claims flows for this process. The flows of one claim have all their parents in it.
  ///
  /// - Parameter count: how many flows this process lacks; a claim may have more
  func claim(_ count: Int) async -> FlowClaim

  /// How many claimed flows wait for their beginning when this process claims more.
  ///
  /// With 0, it claims when it can begin a flow at once.
  var lead: Int { get async }
}

extension FlowClaims {
  /// 0
  public var lead: Int { 0 }
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
