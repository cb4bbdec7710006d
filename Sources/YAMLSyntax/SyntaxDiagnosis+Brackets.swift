extension SyntaxDiagnosis {
  /// Neither a separator nor the end where a bracketed list or mapping needs one.
  var brokenBrackets: SyntaxMistake {
    let open = view.byte(context)
    let closer = open == UInt8(ascii: "{") ? "}" : "]"
    guard let byte = view.byte(offset) else { return unclosedBracket(at: context) }
    if closingBracket != nil {
      var mistake = unclosedBracket(at: context)
      mistake.note = ("'\(view.text(offset..<offset + 1))' cannot close it", offset..<offset + 1)
      return mistake
    }
    let isOutdented = view.isFirstOnLine(offset) && view.indentation(offset) <= view.indentation(context)
    if isOutdented || byte == UInt8(ascii: ":") && view.lineStart(offset) != view.lineStart(context) {
      return unclosedBracket(at: context)
    }
    return SyntaxMistake(
      .yamlMissingComma, "a ',' or '\(closer)' is missing in front of this", word,
      help: "separate the entries with commas, or quote the text",
      note: ("the bracket opens here", context..<context + 1))
  }

  /// Nothing where a value is needed.
  var missingNode: SyntaxMistake {
    guard let byte = view.byte(offset) else {
      if let openBracket { return unclosedBracket(at: openBracket) }
      return SyntaxMistake(.yamlSyntax, "the text ends where a value is needed", word)
    }
    if byte == UInt8(ascii: ":") {
      return SyntaxMistake(
        .yamlEmptyKey, "the key in front of ':' is missing", offset..<offset + 1,
        help: "write the key, or quote the text if it is meant to start with ':'")
    }
    if byte == UInt8(ascii: "."), lastScalar == nil, view.text(word) == "..." {
      return SyntaxMistake(
        .yamlEmptyDocument, "the file holds no document", word, help: "write its content, or delete the file")
    }
    if byte == UInt8(ascii: ",") {
      return SyntaxMistake(
        .yamlMissingValue, "a value is missing in front of ','", offset..<offset + 1,
        help: "remove the ',', write the value, or quote the text if it is meant to start with ','")
    }
    if let closing = closingBracket { return closing }
    if let openBracket, view.lineStart(openBracket) != view.lineStart(offset) {
      return unclosedBracket(at: openBracket)
    }
    return SyntaxMistake(
      .yamlMissingValue, "a value is missing in front of this", word, help: "write the value, or quote the text")
  }

  /// A closing bracket that closes nothing, if that is what stands at the place.
  var closingBracket: SyntaxMistake? {
    guard let byte = view.byte(offset), byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") else { return nil }
    let opener = byte == UInt8(ascii: "]") ? "[" : "{"
    return SyntaxMistake(
      .yamlUnexpectedClosingBracket, "this bracket closes nothing", offset..<offset + 1,
      help: "remove it, add the missing '\(opener)', or quote the text")
  }

  func unclosedBracket(at start: Int) -> SyntaxMistake {
    let closer = view.byte(start) == UInt8(ascii: "{") ? "}" : "]"
    return SyntaxMistake(
      .yamlUnclosedBracket, "this bracket is not closed", start..<min(start + 1, view.bytes.count),
      help: "add the closing '\(closer)'")
  }
}
