/// What one evaluation may cost; beyond it ends with an error.
public struct EvaluationLimits: Sendable, Hashable {
  /// Steps: about one for each node visited, element handled and 64 bytes of text read.
  public var steps: Int
  /// Bytes of text made, and 32 for each element or member made.
  public var memory: Int
  /// Steps of regular expressions: text length × pattern size at most.
  public var matching: Int

  /// Builds limits.
  public init(steps: Int = 100_000, memory: Int = 1 << 20, matching: Int = 4_000_000) {
    self.steps = steps
    self.memory = memory
    self.matching = matching
  }

  /// 100,000 steps, 1 MiB, 4,000,000 steps of matching.
  public static let standard = EvaluationLimits()
}
