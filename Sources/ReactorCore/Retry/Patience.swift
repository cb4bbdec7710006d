/// How waits are made: by which clock, and spread by which chance.
public struct Patience: Sendable {
  /// Waits.
  public var delay: Delay
  /// Spreads exponential waits: gives a number of at least 0 and below 1.
  public var random: @Sendable () -> Double

  /// The system's clock and chance unless given.
  public init(delay: Delay = .real, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    self.delay = delay
    self.random = random
  }
}
