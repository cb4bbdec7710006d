/// How waits are made: the delay and the randomness.
public struct Patience: Sendable {
  /// Waits.
  public var delay: Delay
  /// Spreads exponential waits: gives a number of at least 0 and below 1.
  public var random: @Sendable () -> Double

  /// The system's clock and random numbers unless given.
  public init(delay: Delay = .real, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    self.delay = delay
    self.random = random
  }
}
