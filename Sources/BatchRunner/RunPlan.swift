/// What a run does: flows in the order in which they are reported, within limits.
public struct RunPlan: Sendable {
  /// The flows; every report keeps this order, whatever ends first.
  public let flows: [RunnableFlow]
  /// How much goes on at once.
  public let limits: RunLimits

  /// Plans a run.
  public init(_ flows: [RunnableFlow], limits: RunLimits = RunLimits()) {
    self.flows = flows
    self.limits = limits
  }
}
