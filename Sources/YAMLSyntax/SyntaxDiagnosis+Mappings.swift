internal import SourceDiagnostics

extension SyntaxDiagnosis {
  /// The diagnostic for a colon at a position where no key is allowed.
  var misplacedColon: Diagnostic {
    let line = view.firstOnLine(offset)
    if offset - line > 1024, view.find(": ", from: line, before: offset) == nil {
      return problem(
        .yamlUnexpectedColon, "a key may have at most 1024 characters", view.word(line),
        help: "shorten it, or write '? key'")
    }
    let above = view.contentLineAbove(offset)
    if let above, let key = view.keyWithoutSpace(onLineOf: above) { return missingSpace(key) }
    if let start = view.valueStart(onLineOf: offset, before: offset) {
      let value = value(from: start)
      let quoted = view.quoted(view.text(value))
      return problem(
        .yamlUnexpectedColon, "a value cannot contain ': ' without quotes", offset..<min(offset + 1, view.bytes.count),
        help: "quote the value: \(quoted)", fix: ("quote the value", value, quoted))
    }
    if let outdented = outdentedLine { return outdented }
    if let above, view.indentation(above) < view.indentation(offset),
      view.valueStart(onLineOf: above, before: view.lineEnd(above)) != nil
    {
      return problem(
        .yamlBadIndentation, "this line is indented deeper than the line above, which already has a value",
        view.word(line), help: "start it in the same column as the line above",
        note: ("the line above", lineText(above)))
    }
    if let above, view.find(":", from: view.firstOnLine(above), before: view.lineEnd(above)) == nil {
      return missingColon(at: view.firstOnLine(above))
    }
    return problem(
      .yamlUnexpectedColon, "a ':' is not allowed here", offset..<min(offset + 1, view.bytes.count),
      help: "quote the text that contains it, or check the line above")
  }

  /// The diagnostic for a key without a colon.
  func missingColon(at start: Int) -> Diagnostic {
    if let quote = view.byte(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      view.lineStart(start) != view.lineStart(offset)
    {
      return unclosedQuote(at: start)
    }
    if let key = view.keyWithoutSpace(onLineOf: start) { return missingSpace(key) }
    let text = lineText(start)
    if text.count > 1024 {
      return problem(.yamlMissingColon, "a key may have at most 1024 characters", view.word(start))
    }
    return problem(
      .yamlMissingColon, "this line needs the form 'key: value'", start..<max(start, text.upperBound),
      help: "add ': ' after the key, or indent the line if it continues the value above")
  }

  /// The diagnostic for text that is not a key, in a mapping without brackets.
  var missingKey: Diagnostic {
    if let closing = closingBracket { return closing }
    if let empty = emptyKey { return empty }
    guard view.isFirstOnLine(offset) else { return textAfterValue }
    if isDash, !isOutdentedItem {
      return problem(
        .yamlMisplacedListItem, "a list item is not allowed between the keys of a mapping",
        offset..<min(offset + 1, view.bytes.count),
        help: "indent the list below its key, or remove the '-'")
    }
    return badIndentation
  }

  /// The diagnostic for text that is not an item, in a list without brackets.
  var missingItem: Diagnostic {
    if let closing = closingBracket { return closing }
    if let empty = emptyKey { return empty }
    guard view.isFirstOnLine(offset) else { return textAfterValue }
    if view.indentation(offset) == context - view.lineStart(context) {
      return problem(
        .yamlMisplacedListItem, "a key is not allowed between the items of a list", word,
        help: "put '- ' in front of it, or change its indentation", note: ("the list starts here", view.word(context)))
    }
    return badIndentation
  }

  /// The diagnostic for text after the end of the document's root.
  var textAfterDocument: Diagnostic {
    if let closing = closingBracket { return closing }
    if let empty = emptyKey { return empty }
    if view.isFirstOnLine(offset), let rootStart, view.indentation(offset) < rootStart - view.lineStart(rootStart) {
      return badIndentation
    }
    return problem(
      .yamlTextAfterDocument, "the document ends before this text", word,
      help: "remove the text, or make it part of the list or mapping above")
  }

  /// The diagnostic for a colon at the start of a line; nil when there is none.
  private var emptyKey: Diagnostic? {
    guard view.byte(offset) == UInt8(ascii: ":"), view.isFirstOnLine(offset) else { return nil }
    return problem(
      .yamlEmptyKey, "the key in front of ':' is missing", offset..<offset + 1,
      help: "write the key, or quote the text if it must start with ':'")
  }

  private var textAfterValue: Diagnostic {
    textBehindQuote
      ?? problem(
        .yamlTextAfterValue, "text cannot follow the end of a value", word,
        help: "quote the whole value, or put '#' and a space in front of a comment")
  }

  private func missingSpace(_ key: Range<Int>) -> Diagnostic {
    problem(
      .yamlMissingSpaceAfterColon, "a space is missing after '\(view.text(key))'", key,
      help: "write 'key: value' with a space after the colon",
      fix: ("add a space", key.upperBound..<key.upperBound, " "))
  }

  /// The range of the text on a line, without indentation and comment.
  func lineText(_ offset: Int) -> Range<Int> {
    let start = view.firstOnLine(offset)
    return start..<max(start, value(from: start).upperBound)
  }

  /// Whether the line above is a list item with a deeper indentation than this line.
  private var isOutdentedItem: Bool {
    guard let above = view.contentLineAbove(offset) else { return false }
    return view.byte(view.firstOnLine(above)) == UInt8(ascii: "-") && view.indentation(above) > view.indentation(offset)
  }

  private var isDash: Bool {
    guard view.byte(offset) == UInt8(ascii: "-") else { return false }
    return view.byte(offset + 1).map { $0 <= UInt8(ascii: " ") } ?? true
  }
}
