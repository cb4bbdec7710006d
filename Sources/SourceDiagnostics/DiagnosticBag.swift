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

  /// All of them, each mistake once: what says the same of the same place as one before is left out.
  public var withoutRepeats: DiagnosticBag {
    var seen: Set<Said> = []
    var bag = DiagnosticBag()
    for diagnostic in diagnostics where seen.insert(Said(diagnostic)).inserted { bag.report(diagnostic) }
    return bag
  }

  private struct Said: Hashable {
    let code: DiagnosticCode
    let message: String
    let range: SourceRange?

    init(_ diagnostic: Diagnostic) {
      (code, message, range) = (diagnostic.code, diagnostic.message, diagnostic.range)
    }
  }

  /// Whether any of them is an error.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
