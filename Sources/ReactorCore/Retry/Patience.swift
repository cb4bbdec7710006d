/// The delay and the source of randomness for waits.
public struct Patience: Sendable {
  /// The function that waits.
  public var delay: Delay
  /// Returns a random number, at least 0 and below 1, which spreads exponential waits.
  public var random: @Sendable () -> Double

  /// Creates a value; the defaults are the system's clock and random numbers.
  public init(delay: Delay = .real, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    self.delay = delay
    self.random = random
  }
}
