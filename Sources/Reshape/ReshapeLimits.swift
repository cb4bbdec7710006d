/// The limits of one run of a program.
///
/// The limits count resources and do not measure time, so a program ends in the same way on every machine.
public struct ReshapeLimits: Sendable, Hashable {
  /// The maximum number of evaluation steps; a step takes about 50 to 100 ns.
  ///
  /// Long strings, sorting and comparing cost steps in proportion to their length.
  public var steps: Int
  /// The maximum number of results.
  public var results: Int
  /// The maximum number of bytes of intermediate values, and separately of results.
  public var bytes: Int
  /// The maximum number of unfinished nested evaluations, for example of a recursive function.
  public var depth: Int

  /// The maximum nesting of values, both of the input and of new values.
  public static let valueDepth = 400

  /// Creates limits; a limit that is not positive becomes 1.
  public init(steps: Int = 5_000_000, results: Int = 1_000_000, bytes: Int = 24 << 20, depth: Int = 10_000) {
    self.steps = max(steps, 1)
    self.results = max(results, 1)
    self.bytes = max(bytes, 1)
    self.depth = min(max(depth, 1), 1_000_000)
  }
}
