/// How waits are made: by which clock, and spread by which chance.
public struct Patience: Sendable {
  /// Waits.
  public var pause: Pause
  /// Spreads exponential waits.
  public var random: RandomSource

  /// The system's clock and chance unless given.
  public init(pause: Pause = .continuous, random: RandomSource = .system) {
    self.pause = pause
    self.random = random
  }
}
