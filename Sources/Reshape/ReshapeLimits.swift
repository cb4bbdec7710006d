/// What one run of a program may use. All is counted, nothing is timed, so that a program ends the same anywhere.
public struct ReshapeLimits: Sendable, Hashable {
  /// Evaluation steps; a step takes some 50 to 100 ns. Long strings, sorting and comparing count by their length.
  public var steps: Int
  /// Results.
  public var results: Int
  /// Bytes of intermediate values, and again of results.
  public var bytes: Int
  /// Unfinished evaluations within each other, as of a function that calls itself.
  public var depth: Int

  /// How deep values may nest, those of the input and those built.
  public static let valueDepth = 400

  /// Limits; each must be positive, and is taken as 1 otherwise.
  public init(steps: Int = 5_000_000, results: Int = 1_000_000, bytes: Int = 24 << 20, depth: Int = 10_000) {
    self.steps = max(steps, 1)
    self.results = max(results, 1)
    self.bytes = max(bytes, 1)
    self.depth = min(max(depth, 1), 1_000_000)
  }
}
