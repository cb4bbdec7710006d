/// How waits are made: by which clock, and spread by which chance.
public struct Patience: Sendable {
  /// Waits.
  public var delay: Delay
  /// Spreads exponential waits.
  public var random: RandomSource

  /// The system's clock and chance unless given.
  public init(delay: Delay = .real, random: RandomSource = .system) {
    self.delay = delay
    self.random = random
  }
}
