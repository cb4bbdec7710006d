internal import SourceDiagnostics

/// Checks for unquoted text that means something else in YAML than a reader would expect.
extension TreeBuilder {
  /// Reports unquoted text on several lines if one of its lines looks like a list item or a `key:value` pair.
  mutating func checkLines(of offsets: Range<Int>) {
    guard isStrict else { return }
    // Only the text itself is searched. A search for the end of the line would take quadratic time for a long line of
    // short texts.
    guard var line = view.lineBreak(in: offsets) else { return }
    if view.firstOnLine(offsets.lowerBound) == offsets.lowerBound,
      let key = view.keyWithoutSpace(onLineOf: offsets.lowerBound)
    {
      return reportMissingSpace(after: key)
    }
    while line < offsets.upperBound {
      let first = view.firstOnLine(line + 1)
      if view.byte(first) == UInt8(ascii: "-"), view.byte(first + 1) == UInt8(ascii: " "), first < offsets.upperBound {
        problems.report(
          .yamlSwallowedLine, "this line is not a list item; it continues the text above", at: first..<first + 1,
          notes: [problems.note("the text starts here", at: firstLine(offsets))],
          help: "start it in the column of the other items, or quote the whole text")
        return
      }
      line = view.lineBreak(in: line + 1..<offsets.upperBound) ?? offsets.upperBound
    }
  }

  /// Reports a template in typographic quotes, which neither YAML nor templates treat as quotes.
  mutating func checkQuote(_ text: String, _ offsets: Range<Int>) {
    guard isStrict, let first = text.unicodeScalars.first, ["“", "”", "„", "‘", "’", "‚"].contains(first),
      text.contains("{{") || view.byte(offsets.upperBound) == UInt8(ascii: "{")
    else { return }
    templates.append(offsets.lowerBound)
    problems.report(
      .yamlUnquotedTemplate, "'\(first)' is a typographic quote, which YAML reads as text",
      at: offsets.lowerBound..<offsets.lowerBound + UTF8.width(first),
      help: "write straight quotes: \"{{ … }}\"")
  }

  /// Reports a missing space after the colon of a pair in brackets, such as `{a:b}`: for YAML, this is a key without a
  /// value.
  mutating func checkColon(_ key: YAMLNode, _ value: YAMLNode) {
    guard isStrict, value.range.offsets.isEmpty,
      case .scalar(let name) = key.content, name.style == .plain, let colon = name.text.utf8.firstIndex(of: 0x3A),
      case .scalar(let text) = value.content, text.style == .plain, text.text.isEmpty
    else { return }
    let start = key.range.offsets.lowerBound
    let length = name.text.utf8.distance(from: name.text.utf8.startIndex, to: colon) + 1
    guard !name.text.utf8.dropFirst(length).starts(with: "//".utf8) else { return }
    reportMissingSpace(after: start..<min(start + length, key.range.offsets.upperBound))
  }

  private mutating func reportMissingSpace(after key: Range<Int>) {
    problems.report(
      .yamlMissingSpaceAfterColon, "a space is missing after '\(view.text(key))'", at: key,
      help: "write 'key: value' with a space after the colon, or quote the text",
      fixIts: [problems.fix("add a space", replacing: key.upperBound..<key.upperBound, with: " ")])
  }
}

extension TreeBuilder {
  /// Reports a syntax error and stops reading.
  mutating func fail(_ error: SyntaxError) {
    stop()
    let offsets = [error.offset, error.contextOffset]
    // An unquoted template on the same line is the cause, and it has already been reported.
    if templates.contains(where: { template in offsets.contains { view.lineStart($0) == view.lineStart(template) } }) {
      return
    }
    if isStrict {
      for offset in offsets {
        guard let template = view.unquotedTemplate(onLineOf: offset), template <= error.offset else { continue }
        return reportTemplate(at: template, isInBrackets: view.isInBrackets(template))
      }
    }
    let diagnostic = SyntaxDiagnosis(error, view: view, builder: self).diagnostic
    // A problem that was already reported for plain text is not reported twice.
    if !problems.holds(diagnostic) { problems.report(diagnostic) }
  }
}

extension TextView {
  /// Whether a bracket is open before an offset on its line; quotes are ignored.
  fileprivate func isInBrackets(_ offset: Int) -> Bool {
    var depth = 0
    for byte in bytes[lineStart(offset)..<offset] {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
    }
    return depth > 0
  }
}
