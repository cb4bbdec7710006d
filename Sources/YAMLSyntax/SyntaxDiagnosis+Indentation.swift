internal import SourceDiagnostics

extension SyntaxDiagnosis {
  /// The diagnostic for a line whose indentation matches no line above.
  var badIndentation: Diagnostic {
    if let outdented = outdentedLine { return outdented }
    let near = nearestIndentations
    let help =
      near.isEmpty
      ? "start it in the same column as the keys or items that it belongs to"
      : "start it in column "
        + near.map { "\(view.indentation($0) + 1), as '\(view.text(key($0)))'" }.joined(separator: ", or in column ")
    return problem(
      .yamlBadIndentation, "the indentation of this line does not match any line above", word, help: help)
  }

  /// The diagnostic for a line above that is indented less than this line although it should be indented alike: it is
  /// between lines with equal indentation, or it is the first key below a key without a value. Nil in other cases.
  ///
  /// libyaml reports the error only at this line, because the line above is valid by itself. If the lines below are
  /// indented like the line above, this line may be the wrong one, and it is reported.
  var outdentedLine: Diagnostic? {
    guard let above = view.contentLineAbove(offset), view.indentation(above) < view.indentation(offset),
      let before = view.contentLineAbove(above), view.byte(view.firstOnLine(above)).map({ $0 < 0x80 }) ?? false
    else { return nil }
    let (inner, outer) = (view.indentation(offset), view.indentation(above))
    let isFirstKey = view.indentation(before) == outer && hasNoValue(before)
    guard isFirstKey || view.indentation(before) >= inner && isOpen(inner, at: before) else { return nil }
    let (this, other) = (key(offset), key(above))
    let (name, otherName) = (view.text(this), view.text(other))
    // If the next lines have the indentation of the line above, either of the two lines may be wrong.
    guard isFirstKey || !isContinued(at: outer) else {
      return problem(
        .yamlBadIndentation, "this line is indented deeper than '\(otherName)' above, which already has a value", this,
        help: "start '\(name)' in column \(outer + 1), or '\(otherName)' in column \(inner + 1)",
        note: ("the line above", other))
    }
    return problem(
      .yamlBadIndentation, "'\(otherName)' is indented less than the lines around it", other,
      help: "start it in column \(inner + 1), like '\(name)' in the line below", note: ("the line below", this))
  }

  /// The first word of a line, without the colon after it.
  private func key(_ line: Int) -> Range<Int> {
    let word = view.word(view.firstOnLine(line))
    return view.byte(word.upperBound - 1) == UInt8(ascii: ":") ? word.lowerBound..<word.upperBound - 1 : word
  }

  /// Whether a line, or one of the keys or items above that contain it, has exactly this indentation.
  private func isOpen(_ indentation: Int, at line: Int) -> Bool {
    var line: Int? = line
    while let here = line, view.indentation(here) > indentation { line = view.contentLineAbove(here) }
    return line.map { view.indentation($0) == indentation } ?? false
  }

  /// Whether the next line below that is not indented deeper than this line has the given indentation.
  private func isContinued(at indentation: Int) -> Bool {
    var start = view.lineEnd(offset) + 1
    while start < view.bytes.count {
      let first = view.firstOnLine(start)
      let isContent = view.byte(first).map { !TextView.isBreak($0) && $0 != UInt8(ascii: "#") } ?? false
      if isContent, view.indentation(start) <= view.indentation(offset) {
        return view.indentation(start) == indentation
      }
      start = view.lineEnd(start) + 1
    }
    return false
  }

  /// Whether a line is a key without a value on its line.
  private func hasNoValue(_ line: Int) -> Bool {
    let text = lineText(line)
    return view.byte(text.upperBound - 1) == UInt8(ascii: ":")
  }

  /// The starts of the lines above whose indentation is nearest to this line's: one line, or two that are equally near,
  /// the deeper one first.
  private var nearestIndentations: [Int] {
    var lines: [Int] = []
    var line = view.contentLineAbove(offset)
    while let here = line {
      if lines.last.map({ view.indentation(here) < view.indentation($0) }) ?? true { lines.append(here) }
      if view.indentation(here) == 0 { break }
      line = view.contentLineAbove(here)
    }
    func distance(_ line: Int) -> Int { abs(view.indentation(line) - view.indentation(offset)) }
    guard let least = lines.map(distance).min() else { return [] }
    return lines.filter { distance($0) == least }
  }
}
