internal import SourceDiagnostics

/// The kinds of problems that reading YAML finds; `DiagnosticCatalogue.yamlEntries` explains each.
extension DiagnosticCode {
  // MARK: - Bytes

  static let yamlTooLarge = DiagnosticCode(rawValue: "yaml.too-large")
  static let yamlWrongEncoding = DiagnosticCode(rawValue: "yaml.wrong-encoding")
  static let yamlInvalidUTF8 = DiagnosticCode(rawValue: "yaml.invalid-utf8")
  static let yamlNullByte = DiagnosticCode(rawValue: "yaml.null-byte")
  static let yamlControlCharacter = DiagnosticCode(rawValue: "yaml.control-character")
  static let yamlByteOrderMark = DiagnosticCode(rawValue: "yaml.byte-order-mark")
  static let yamlHiddenLineBreak = DiagnosticCode(rawValue: "yaml.hidden-line-break")
  static let yamlHiddenDirection = DiagnosticCode(rawValue: "yaml.hidden-direction")
  static let yamlForeignSpace = DiagnosticCode(rawValue: "yaml.foreign-space")

  // MARK: - Documents and nodes

  static let yamlEmptyDocument = DiagnosticCode(rawValue: "yaml.empty-document")
  static let yamlMultipleDocuments = DiagnosticCode(rawValue: "yaml.multiple-documents")
  static let yamlDuplicateKey = DiagnosticCode(rawValue: "yaml.duplicate-key")
  static let yamlNonScalarKey = DiagnosticCode(rawValue: "yaml.non-scalar-key")
  static let yamlEmptyKey = DiagnosticCode(rawValue: "yaml.empty-key")
  static let yamlUnknownAnchor = DiagnosticCode(rawValue: "yaml.unknown-anchor")
  static let yamlCyclicAlias = DiagnosticCode(rawValue: "yaml.cyclic-alias")
  static let yamlRedefinedAnchor = DiagnosticCode(rawValue: "yaml.redefined-anchor")
  static let yamlMergeValue = DiagnosticCode(rawValue: "yaml.merge-value")
  static let yamlUnknownTag = DiagnosticCode(rawValue: "yaml.unknown-tag")
  static let yamlTagMismatch = DiagnosticCode(rawValue: "yaml.tag-mismatch")
  static let yamlSwallowedLine = DiagnosticCode(rawValue: "yaml.swallowed-line")
  static let yamlTagDirective = DiagnosticCode(rawValue: "yaml.tag-directive")

  // MARK: - Limits

  static let yamlTooDeep = DiagnosticCode(rawValue: "yaml.too-deep")
  static let yamlTooManyNodes = DiagnosticCode(rawValue: "yaml.too-many-nodes")
  static let yamlTooManyAliases = DiagnosticCode(rawValue: "yaml.too-many-aliases")
  static let yamlAliasExpansion = DiagnosticCode(rawValue: "yaml.alias-expansion")
  static let yamlTooManyProblems = DiagnosticCode(rawValue: "yaml.too-many-problems")

  // MARK: - Syntax

  static let yamlUnquotedTemplate = DiagnosticCode(rawValue: "yaml.unquoted-template")
  static let yamlTabIndentation = DiagnosticCode(rawValue: "yaml.tab-indentation")
  static let yamlBadIndentation = DiagnosticCode(rawValue: "yaml.bad-indentation")
  static let yamlMissingSpaceAfterColon = DiagnosticCode(rawValue: "yaml.missing-space-after-colon")
  static let yamlUnexpectedColon = DiagnosticCode(rawValue: "yaml.unexpected-colon")
  static let yamlMissingColon = DiagnosticCode(rawValue: "yaml.missing-colon")
  static let yamlUnclosedQuote = DiagnosticCode(rawValue: "yaml.unclosed-quote")
  static let yamlUnclosedBracket = DiagnosticCode(rawValue: "yaml.unclosed-bracket")
  static let yamlUnexpectedClosingBracket = DiagnosticCode(rawValue: "yaml.unexpected-closing-bracket")
  static let yamlMissingComma = DiagnosticCode(rawValue: "yaml.missing-comma")
  static let yamlMissingValue = DiagnosticCode(rawValue: "yaml.missing-value")
  static let yamlReservedCharacter = DiagnosticCode(rawValue: "yaml.reserved-character")
  static let yamlBadEscape = DiagnosticCode(rawValue: "yaml.bad-escape")
  static let yamlBadAnchor = DiagnosticCode(rawValue: "yaml.bad-anchor")
  static let yamlBadTag = DiagnosticCode(rawValue: "yaml.bad-tag")
  static let yamlBadDirective = DiagnosticCode(rawValue: "yaml.bad-directive")
  static let yamlBadBlockScalar = DiagnosticCode(rawValue: "yaml.bad-block-scalar")
  static let yamlMisplacedListItem = DiagnosticCode(rawValue: "yaml.misplaced-list-item")
  static let yamlTextAfterValue = DiagnosticCode(rawValue: "yaml.text-after-value")
  static let yamlTextAfterDocument = DiagnosticCode(rawValue: "yaml.text-after-document")
  static let yamlSyntax = DiagnosticCode(rawValue: "yaml.syntax")
}
