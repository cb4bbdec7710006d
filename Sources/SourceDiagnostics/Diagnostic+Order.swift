extension Diagnostic {
  /// Orders by file, then place, then code and message; what belongs to no file comes first.
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
  /// The diagnostics by file, then place: the order in which people read them, the same on every run.
  public func sortedByPlace() -> [Diagnostic] { sorted(by: Diagnostic.precedes) }
}
