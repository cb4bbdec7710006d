internal import SourceDiagnostics

extension SyntaxDiagnosis {
  /// The diagnostic for text directly after a quoted value; nil when no such value ends here.
  ///
  /// Either the closing quote of an earlier value is missing, so that the opening quote of the next value seems to end
  /// it, or the value contains its own kind of quote as text.
  var textBehindQuote: Diagnostic? {
    guard let last = lastScalar, last.style == .doubleQuoted || last.style == .singleQuoted,
      last.offsets.upperBound <= offset, last.offsets.count >= 2
    else { return nil }
    let end = last.offsets.upperBound - 1
    let isAdjacent = end + 1 == offset && view.byte(offset) != view.byte(end)
    let isOnSeveralLines = view.lineStart(last.offsets.lowerBound) != view.lineStart(offset)
    if isOnSeveralLines && (isAdjacent || openBracket == nil) || isAdjacent && opensValue(at: end) {
      var diagnostic = unclosedQuote(at: last.offsets.lowerBound)
      diagnostic.notes = [problems.note("the quote was closed only here", at: end..<end + 1)]
      return diagnostic
    }
    guard isAdjacent, view.byte(offset) != UInt8(ascii: ";") else { return nil }
    return problem(
      .yamlTextAfterValue, "text cannot follow the end of a value", word,
      help: last.style == .singleQuoted
        ? "double a single quote that belongs to the text: '' stands for one"
        : "inside of double quotes write single quotes, as in \"{{ 'a' + vars.b }}\", or \\\"",
      note: ("this quote ends the value", end..<end + 1))
  }

  /// Whether a quote is at the beginning of a value: after `: `, `, ` or a bracket.
  private func opensValue(at quote: Int) -> Bool {
    var before = quote - 1
    while view.byte(before) == UInt8(ascii: " ") { before -= 1 }
    guard let byte = view.byte(before) else { return false }
    let isSeparator = byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",")
    return isSeparator && before < quote - 1 || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }
}
