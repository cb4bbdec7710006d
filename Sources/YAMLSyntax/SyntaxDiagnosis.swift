internal import SourceDiagnostics

/// Finds the mistake behind a failure of libyaml from its words and from the text around the place.
///
/// libyaml says what its grammar expected; people need to know what they mistyped. The problem texts are those of
/// libyaml 0.2.5 and stable since 0.1; one that is not known still gives a message with its place.
struct SyntaxDiagnosis {
  let failure: SyntaxFailure
  let view: TextView
  /// The last scalar that was read whole.
  let lastScalar: (offsets: Range<Int>, style: YAMLScalar.Style)?
  /// Where the innermost open bracket stands.
  let openBracket: Int?
  /// Where the root of the last finished document starts.
  let rootStart: Int?

  init(_ failure: SyntaxFailure, view: TextView, builder: TreeBuilder) {
    self.failure = failure
    self.view = view
    lastScalar = builder.lastScalar
    openBracket = builder.stack.last { $0.isFlow }?.start
    rootStart = builder.documents.last?.range.offsets.lowerBound
  }

  /// Where the failure was noticed.
  var offset: Int { failure.offset }
  /// Where what libyaml was reading began.
  var context: Int { failure.contextOffset }
  /// The word at the place.
  var word: Range<Int> { view.word(offset) }

  /// The mistake.
  var mistake: SyntaxMistake {
    let problem = failure.problem
    switch problem {
    case "out of memory": return SyntaxMistake(.yamlTooLarge, "there is not enough memory to read the file", 0..<0)
    case "found character that cannot start any token": return badStart
    case "mapping values are not allowed in this context": return misplacedColon
    case "could not find expected ':'": return missingColon(at: context)
    case "found unexpected ':'":
      return SyntaxMistake(
        .yamlUnexpectedColon, "a ':' must be followed by a space here", word,
        help: "write 'key: value', or quote the text")
    case "found unexpected end of stream", "found unexpected document indicator": return unclosedQuote(at: context)
    case "did not find expected node content": return missingNode
    case "did not find expected key": return missingKey
    case "did not find expected '-' indicator": return missingItem
    case "did not find expected <document start>": return textAfterDocument
    case "block sequence entries are not allowed in this context":
      return SyntaxMistake(
        .yamlMisplacedListItem, "a list item cannot start here", dash,
        help: "put each '- item' on a line of its own below the key, or quote the text if it is meant to start with '-'"
      )
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'": return brokenBrackets
    case "found undefined tag handle":
      return SyntaxMistake(
        .yamlUnknownTag, "the tag '\(view.text(word))' is not known", word,
        help: "remove it, or quote the text if it is meant to start with '!'")
    default: return byWords(problem)
    }
  }

  /// Mistakes that are told by a part of the problem or by what libyaml was reading.
  private func byWords(_ problem: String) -> SyntaxMistake {
    if problem.hasPrefix("found a tab character") { return tab(at: offset) }
    if problem.contains("escape") && failure.context.contains("quoted") || problem.contains("hexdecimal") {
      return badEscape
    }
    if problem.contains("directive") || failure.context.contains("directive") || problem.contains("incompatible") {
      let line = view.lineStart(context)
      return SyntaxMistake(
        .yamlBadDirective, "a line that starts with '%' must be '%YAML 1.2'", line..<view.lineEnd(line),
        help: "remove it; files need no directives")
    }
    if problem.contains("indentation indicator") {
      return SyntaxMistake(
        .yamlBadBlockScalar, "the number behind '\(view.text(context..<context + 1))' is the indentation, 1 to 9",
        view.word(context), help: "leave it out; the first line's indentation is taken")
    }
    if failure.context.contains("block scalar") {
      return SyntaxMistake(
        .yamlBadBlockScalar, "text cannot follow '\(view.text(context..<context + 1))' on the same line",
        view.word(context),
        help: "start the text on the next line, or quote the value if it is meant to start with this character")
    }
    if failure.context.contains("anchor") || failure.context.contains("alias") {
      return SyntaxMistake(
        .yamlBadAnchor,
        "'\(view.text(context..<context + 1))' must be followed by a name of letters, digits, '-' or '_'",
        view.word(context), help: "quote the value if it is meant to start with this character")
    }
    if failure.context.contains("tag") {
      return SyntaxMistake(
        .yamlBadTag, "the tag that starts with '!' is not well-formed", view.word(context),
        help: "quote the value if it is meant to start with '!'")
    }
    if problem == "mapping keys are not allowed in this context" {
      return SyntaxMistake(
        .yamlSyntax, "a key cannot start here", word, help: "quote the text if it is meant to start with '?'")
    }
    return SyntaxMistake(
      .yamlSyntax, "this is not valid YAML: \(problem)", word, help: "check the text around this place")
  }

  // MARK: - Single characters

  private var badStart: SyntaxMistake {
    guard let byte = view.byte(offset) else { return SyntaxMistake(.yamlSyntax, "the text ends too early", word) }
    if byte == UInt8(ascii: "\t") { return tab(at: offset) }
    let character = view.text(offset..<offset + 1)
    return SyntaxMistake(
      .yamlReservedCharacter, "unquoted text cannot start with '\(character)'", word,
      help: "quote it: \(view.quoted(view.text(value(from: offset))))",
      fix: ("quote the value", value(from: offset), view.quoted(view.text(value(from: offset)))))
  }

  private func tab(at offset: Int) -> SyntaxMistake {
    var end = offset
    while view.byte(end) == UInt8(ascii: "\t") { end += 1 }
    return SyntaxMistake(
      .yamlTabIndentation, "a tab cannot indent a line", offset..<max(end, offset), help: "indent with spaces")
  }

  private var badEscape: SyntaxMistake {
    // The place may lie behind the backslash, among the digits of a number.
    var start = offset
    while start > context, offset - start < 10, view.byte(start) != UInt8(ascii: "\\") { start -= 1 }
    let end = min(max(start + 2, offset + 1), view.lineEnd(start))
    return SyntaxMistake(
      .yamlBadEscape, "'\(view.text(start..<end))' is not an escape that double quotes know", start..<end,
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

  func unclosedQuote(at start: Int) -> SyntaxMistake {
    SyntaxMistake(
      .yamlUnclosedQuote, "this quote is not closed", start..<min(start + 1, view.bytes.count),
      help: "add the closing \(view.byte(start) == UInt8(ascii: "'") ? "single" : "double") quote")
  }
}
