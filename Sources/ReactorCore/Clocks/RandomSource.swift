/// Where chance comes from.
public struct RandomSource: Sendable {
  /// A number of at least 0 and below 1.
  public let next: @Sendable () -> Double

  /// A source of numbers.
  public init(_ next: @escaping @Sendable () -> Double) { self.next = next }

  /// The system's source.
  public static var system: RandomSource { RandomSource { Double.random(in: 0..<1) } }
}
