internal import SourceDiagnostics

extension SyntaxDiagnosis {
  /// The diagnostic for a missing separator or a missing end of a bracketed list or mapping.
  var brokenBrackets: Diagnostic {
    let open = view.byte(context)
    let closer = open == UInt8(ascii: "{") ? "}" : "]"
    guard let byte = view.byte(offset) else { return unclosedBracket(at: context) }
    if let quote = textBehindQuote { return quote }
    if byte == UInt8(ascii: "{"), !(view.byte(offset - 1).map { $0 <= UInt8(ascii: " ") } ?? true) {
      return problem(
        .yamlMissingComma, "unquoted text in brackets cannot contain '{'", offset..<offset + 1,
        help: "quote the text that contains it", note: ("the bracket opens here", context..<context + 1))
    }
    if closingBracket != nil {
      var diagnostic = unclosedBracket(at: context)
      diagnostic.notes = [
        problems.note("'\(view.text(offset..<offset + 1))' does not close the bracket", at: offset..<offset + 1)
      ]
      return diagnostic
    }
    let isOutdented = view.isFirstOnLine(offset) && view.indentation(offset) <= view.indentation(context)
    if isOutdented || byte == UInt8(ascii: ":") && view.lineStart(offset) != view.lineStart(context) {
      return unclosedBracket(at: context)
    }
    return problem(
      .yamlMissingComma, "a ',' or '\(closer)' is missing in front of this", word,
      help: "separate the entries with commas, or quote the text",
      note: ("the bracket opens here", context..<context + 1))
  }

  /// The diagnostic for a missing value.
  var missingNode: Diagnostic {
    guard let byte = view.byte(offset) else {
      if let openBracket { return unclosedBracket(at: openBracket) }
      return problem(.yamlSyntax, "the text ends where a value is required", word)
    }
    if byte == UInt8(ascii: ":") {
      return problem(
        .yamlEmptyKey, "the key in front of ':' is missing", offset..<offset + 1,
        help: "write the key, or quote the text if it must start with ':'")
    }
    if byte == UInt8(ascii: "."), lastScalar == nil, view.text(word) == "..." {
      return problem(
        .yamlEmptyDocument, "the file has no document", word, help: "write its content, or delete the file")
    }
    if byte == UInt8(ascii: ",") {
      return problem(
        .yamlMissingValue, "a value is missing in front of ','", offset..<offset + 1,
        help: "remove the ',', write the value, or quote the text if it must start with ','")
    }
    if let closing = closingBracket { return closing }
    if let openBracket, view.lineStart(openBracket) != view.lineStart(offset) {
      return unclosedBracket(at: openBracket)
    }
    return problem(
      .yamlMissingValue, "a value is missing in front of this", word, help: "write the value, or quote the text")
  }

  /// The diagnostic for a closing bracket without an open bracket; nil when no such bracket is at the offset.
  var closingBracket: Diagnostic? {
    guard let byte = view.byte(offset), byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") else { return nil }
    let opener = byte == UInt8(ascii: "]") ? "[" : "{"
    return problem(
      .yamlUnexpectedClosingBracket, "no open bracket matches this one", offset..<offset + 1,
      help: "remove it, add the missing '\(opener)', or quote the text")
  }

  func unclosedBracket(at start: Int) -> Diagnostic {
    let closer = view.byte(start) == UInt8(ascii: "{") ? "}" : "]"
    return problem(
      .yamlUnclosedBracket, "this bracket is not closed", start..<min(start + 1, view.bytes.count),
      help: "add the closing '\(closer)'")
  }
}
