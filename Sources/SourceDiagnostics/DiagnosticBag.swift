/// The problems found so far, in the order of finding; collected, never thrown one at a time.
public struct DiagnosticBag: Sendable {
  /// Everything reported.
  public private(set) var diagnostics: [Diagnostic] = []

  /// Starts empty.
  public init() {}

  /// Adds a problem.
  public mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Adds the problems of another bag.
  public mutating func merge(_ other: DiagnosticBag) { diagnostics.append(contentsOf: other.diagnostics) }

  /// Whether any of them is an error.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
