public import SourceDiagnostics

extension DiagnosticCatalogue {
  /// All kinds of problems that reading YAML finds. Each has an example, except where no short text can show the
  /// problem.
  public static let yamlEntries: [Entry] = [
    .yamlTooLarge, .yamlWrongEncoding, .yamlInvalidUTF8, .yamlNullByte, .yamlControlCharacter, .yamlByteOrderMark,
    .yamlHiddenLineBreak, .yamlHiddenDirection, .yamlForeignSpace, .yamlEmptyDocument, .yamlMultipleDocuments,
    .yamlDuplicateKey, .yamlNonScalarKey, .yamlEmptyKey, .yamlUnknownAnchor, .yamlCyclicAlias, .yamlRedefinedAnchor,
    .yamlMergeValue, .yamlUnknownTag, .yamlTagMismatch, .yamlSwallowedLine, .yamlTagDirective, .yamlTooDeep,
    .yamlTooManyNodes, .yamlTooManyAliases, .yamlAliasExpansion, .yamlTooManyProblems, .yamlUnquotedTemplate,
    .yamlTabIndentation, .yamlBadIndentation, .yamlMissingSpaceAfterColon, .yamlUnexpectedColon, .yamlMissingColon,
    .yamlUnclosedQuote, .yamlUnclosedBracket, .yamlUnexpectedClosingBracket, .yamlMissingComma, .yamlMissingValue,
    .yamlReservedCharacter, .yamlBadEscape, .yamlBadAnchor, .yamlBadTag, .yamlBadDirective, .yamlBadBlockScalar,
    .yamlMisplacedListItem, .yamlTextAfterValue, .yamlTextAfterDocument, .yamlSyntax,
  ]
}
