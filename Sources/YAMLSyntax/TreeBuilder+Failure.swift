internal import SourceDiagnostics

extension TreeBuilder {
  /// Reports a syntax error, which ends the reading.
  mutating func fail(_ failure: SyntaxFailure) {
    stop()
    let places = [failure.offset, failure.contextOffset]
    // What follows from a template that lacks its quotes was reported with it.
    if templates.contains(where: { template in places.contains { view.lineStart($0) == view.lineStart(template) } }) {
      return
    }
    if !policy.contains(.anyKeys) {
      for place in places {
        guard let template = view.unquotedTemplate(onLineOf: place), template <= failure.offset else { continue }
        return reportTemplate(at: template, isInBrackets: view.isInBrackets(template))
      }
    }
    let mistake = SyntaxDiagnosis(failure, view: view, builder: self).mistake
    // What a plain text was blamed for already need not be said twice.
    guard !problems.holds(mistake.code, at: mistake.offsets) else { return }
    problems.report(
      mistake.code, mistake.message, at: mistake.offsets,
      notes: mistake.note.map { [problems.note($0.message, at: $0.offsets)] } ?? [], help: mistake.help,
      fixIts: mistake.fix.map { [problems.fix($0.message, replacing: $0.offsets, with: $0.replacement)] } ?? [])
  }
}

extension TextView {
  /// Whether a bracket is open on the line in front of a place; quotes are not looked at.
  fileprivate func isInBrackets(_ offset: Int) -> Bool {
    var depth = 0
    for byte in bytes[lineStart(offset)..<offset] {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
    }
    return depth > 0
  }
}
