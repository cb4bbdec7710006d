/// A collection of the diagnostics found so far, in the order reported.
///
/// Errors are collected here. They are not thrown one at a time.
public struct DiagnosticBag: Sendable {
  /// All reported diagnostics.
  public private(set) var diagnostics: [Diagnostic] = []

  /// Creates an empty bag.
  public init() {}

  /// Adds a diagnostic.
  public mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Adds all diagnostics of another bag.
  public mutating func merge(_ other: DiagnosticBag) { diagnostics.append(contentsOf: other.diagnostics) }

  /// The diagnostics without duplicates.
  ///
  /// A duplicate has the same code, message and location as an earlier diagnostic.
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

  /// Whether at least one diagnostic is an error.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension Diagnostic {
  /// Orders by file, position, code and message; diagnostics without a file come first.
  static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    guard let leftRange = left.range else { return right.range != nil || left.message < right.message }
    guard let rightRange = right.range else { return false }
    if leftRange.file.path != rightRange.file.path { return leftRange.file.path < rightRange.file.path }
    let (leftStart, rightStart) = (leftRange.offsets.lowerBound, rightRange.offsets.lowerBound)
    if leftStart != rightStart { return leftStart < rightStart }
    if left.code != right.code { return left.code.rawValue < right.code.rawValue }
    return left.message < right.message
  }
}

extension Sequence<Diagnostic> {
  /// The diagnostics sorted by file and position: the same order on every run.
  public func sortedByPlace() -> [Diagnostic] { sorted(by: Diagnostic.precedes) }
}
