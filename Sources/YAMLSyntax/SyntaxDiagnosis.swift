internal import SourceDiagnostics

/// Translates a syntax error of libyaml, based on its message and the text around its location.
///
/// libyaml reports what its grammar expected, but users need to know what they mistyped. The messages are those of
/// libyaml 0.2.5 and have been stable since 0.1. For an unknown message, the diagnostic still has its location.
struct SyntaxDiagnosis {
  let error: SyntaxError
  let view: TextView
  /// The last scalar that was read completely.
  let lastScalar: (offsets: Range<Int>, style: YAMLScalar.Style)?
  /// The offset of the innermost open bracket.
  let openBracket: Int?
  /// The start of the last finished document's root.
  let rootStart: Int?
  let problems: ProblemList

  init(_ error: SyntaxError, view: TextView, builder: TreeBuilder) {
    self.error = error
    self.view = view
    lastScalar = builder.lastScalar
    openBracket = builder.stack.last { $0.isFlow }?.start
    rootStart = builder.documents.last?.range.offsets.lowerBound
    problems = builder.problems
  }

  func problem(
    _ problem: DiagnosticCatalogue.Entry, _ message: String, _ offsets: Range<Int>, help: String? = nil,
    note: (message: String, offsets: Range<Int>)? = nil,
    fix: (message: String, offsets: Range<Int>, replacement: String)? = nil
  ) -> Diagnostic {
    Diagnostic(
      problem.code, message, at: problems.range(offsets),
      notes: note.map { [problems.note($0.message, at: $0.offsets)] } ?? [], help: help,
      fixIts: fix.map { [problems.fix($0.message, replacing: $0.offsets, with: $0.replacement)] } ?? [])
  }

  /// The location of the error.
  var offset: Int { error.offset }
  /// The start of the construct that libyaml was parsing.
  var context: Int { error.contextOffset }
  /// The range of the word at the error's location.
  var word: Range<Int> { view.word(offset) }

  /// The diagnostic that describes the error.
  var diagnostic: Diagnostic {
    let reason = error.problem
    switch reason {
    case "out of memory": return problem(.yamlTooLarge, "there is not enough memory to read the file", 0..<0)
    case "found character that cannot start any token": return badStart
    case "mapping values are not allowed in this context": return misplacedColon
    case "could not find expected ':'": return missingColon(at: context)
    case "found unexpected ':'":
      return problem(
        .yamlUnexpectedColon, "a ':' must be followed by a space here", word,
        help: "write 'key: value', or quote the text")
    case "found unexpected end of stream", "found unexpected document indicator": return unclosedQuote(at: context)
    case "did not find expected node content": return missingNode
    case "did not find expected key": return missingKey
    case "did not find expected '-' indicator": return missingItem
    case "did not find expected <document start>": return textAfterDocument
    case "block sequence entries are not allowed in this context":
      return problem(
        .yamlMisplacedListItem, "a list item cannot start here", dash,
        help: "put each '- item' on a line of its own below the key, or quote the text if it must start with '-'"
      )
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'": return brokenBrackets
    case "found undefined tag handle":
      return problem(
        .yamlUnknownTag, "the tag '\(view.text(word))' is not known", word,
        help: "remove it, or quote the text if it must start with '!'")
    default: return byWords(reason)
    }
  }

  /// The diagnostic for an error that is identified by a part of libyaml's message, `reason`, or by the construct that
  /// libyaml was parsing.
  private func byWords(_ reason: String) -> Diagnostic {
    if reason.hasPrefix("found a tab character") { return tab(at: offset) }
    if reason.contains("escape") && error.context.contains("quoted") || reason.contains("hexdecimal") {
      return badEscape
    }
    if reason.contains("directive") || error.context.contains("directive") || reason.contains("incompatible") {
      let line = view.lineStart(context)
      return problem(
        .yamlBadDirective, "a line that starts with '%' must be '%YAML 1.2'", line..<view.lineEnd(line),
        help: "remove it; files need no directives")
    }
    if reason.contains("indentation indicator") {
      return problem(
        .yamlBadBlockScalar, "the number after '\(view.text(context..<context + 1))' must be an indentation, 1 to 9",
        view.word(context), help: "omit the number; then the indentation of the first line is used")
    }
    if error.context.contains("block scalar") {
      return problem(
        .yamlBadBlockScalar, "text cannot follow '\(view.text(context..<context + 1))' on the same line",
        view.word(context),
        help: "start the text on the next line, or quote the value if it must start with this character")
    }
    if error.context.contains("anchor") || error.context.contains("alias") {
      return problem(
        .yamlBadAnchor,
        "'\(view.text(context..<context + 1))' must be followed by a name of letters, digits, '-' or '_'",
        view.word(context), help: "quote the value if it must start with this character")
    }
    if error.context.contains("tag") {
      return problem(
        .yamlBadTag, "the tag that starts with '!' is not well-formed", view.word(context),
        help: "quote the value if it must start with '!'")
    }
    if reason == "mapping keys are not allowed in this context" {
      return problem(
        .yamlSyntax, "a key cannot start here", word, help: "quote the text if it must start with '?'")
    }
    return problem(
      .yamlSyntax, "this is not valid YAML: \(reason)", word, help: "check the text around this position")
  }

  // MARK: - Single characters

  private var badStart: Diagnostic {
    guard let byte = view.byte(offset) else { return problem(.yamlSyntax, "the text ends too early", word) }
    if byte == UInt8(ascii: "\t") { return tab(at: offset) }
    let character = view.text(offset..<offset + 1)
    return problem(
      .yamlReservedCharacter, "unquoted text cannot start with '\(character)'", word,
      help: "quote it: \(view.quoted(view.text(value(from: offset))))",
      fix: ("quote the value", value(from: offset), view.quoted(view.text(value(from: offset)))))
  }

  private func tab(at offset: Int) -> Diagnostic {
    var end = offset
    while view.byte(end) == UInt8(ascii: "\t") { end += 1 }
    return problem(
      .yamlTabIndentation, "a tab cannot indent a line", offset..<max(end, offset), help: "indent with spaces")
  }

  private var badEscape: Diagnostic {
    // libyaml's offset may be at one of the digits after the backslash.
    var start = offset
    while start > context, offset - start < 10, view.byte(start) != UInt8(ascii: "\\") { start -= 1 }
    let end = min(max(start + 2, offset + 1), view.lineEnd(start))
    return problem(
      .yamlBadEscape, "'\(view.text(start..<end))' is not an escape sequence of double quotes", start..<end,
      help: "write '\\\\' for a backslash, or use single quotes",
      fix: ("double the backslash", start..<start + 1, "\\\\"))
  }

  private var dash: Range<Int> { offset..<min(offset + 1, view.bytes.count) }

  /// The rest of a value on its line, up to a comment.
  func value(from start: Int) -> Range<Int> {
    let lineEnd = view.lineEnd(start)
    var end = view.find(" #", from: start, before: lineEnd) ?? lineEnd
    while end > start, let byte = view.byte(end - 1), byte <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  func unclosedQuote(at start: Int) -> Diagnostic {
    problem(
      .yamlUnclosedQuote, "this quote is not closed", start..<min(start + 1, view.bytes.count),
      help: "add the closing \(view.byte(start) == UInt8(ascii: "'") ? "single" : "double") quote")
  }
}
