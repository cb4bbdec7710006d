/// The limits of one evaluation; an evaluation beyond a limit ends with an error.
public struct EvaluationLimits: Sendable, Hashable {
  /// Steps: about one for each visited node, each processed element and each 64 bytes of read text.
  public var steps: Int
  /// Bytes of created text, plus 32 for each created element or member.
  public var memory: Int
  /// Steps of regular expressions; a match takes at most text length × pattern size steps.
  public var matching: Int

  /// Creates limits.
  public init(steps: Int = 100_000, memory: Int = 1 << 20, matching: Int = 4_000_000) {
    self.steps = steps
    self.memory = memory
    self.matching = matching
  }

  /// The standard limits: 100,000 steps, 1 MiB of memory, 4,000,000 steps of matching.
  public static let standard = EvaluationLimits()
}
