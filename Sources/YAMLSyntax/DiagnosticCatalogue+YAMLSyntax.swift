internal import SourceDiagnostics

/// Syntax errors.
extension DiagnosticCatalogue.Entry {
  static let yamlUnquotedTemplate = Self(
    "yaml.unquoted-template", "a template that is not in quotes",
    """
    YAML reads '{' at the start of a value as a mapping in brackets. A value that starts with '{{' must be quoted; \
    inside of a value ('/users/{{ vars.id }}') quotes are not needed.
    """, example: "path: ‹{{ vars.path }}→\"{{ vars.path }}\"›")
  static let yamlTabIndentation = Self(
    "yaml.tab-indentation", "a tab in the indentation",
    "YAML does not allow tabs in the indentation of lines, because editors show them differently. Indent with spaces.",
    example: "flows:\n‹\tusers→  users›: 1")
  static let yamlBadIndentation = Self(
    "yaml.bad-indentation", "indentation that matches no line above",
    """
    Keys of one mapping and items of one list start in the same column, and a key that has a value on its line cannot \
    have further keys below it.
    """, example: "flows:\n    users: 1\n  ‹orders→  orders›: 2")
  static let yamlMissingSpaceAfterColon = Self(
    "yaml.missing-space-after-colon", "a colon without a space after it",
    """
    'key:value' is one piece of text for YAML; the space makes it a key with a value. Quote a text that contains the \
    colon.
    """, example: "users:\n  path:‹/users→ /users›\n  method: GET")
  static let yamlUnexpectedColon = Self(
    "yaml.unexpected-colon", "a colon inside of an unquoted value",
    "A colon followed by a space separates a key from its value. A value that contains one must be quoted.",
    example: "title: ‹Users: all of them→\"Users: all of them\"›")
  static let yamlMissingColon = Self(
    "yaml.missing-colon", "a line of a mapping without a colon",
    """
    Each line of a mapping has the form 'key: value'. A line that continues the value above must be indented deeper \
    than its key.
    """, example: "method: GET\n‹path→path: /users›\nquery: 1")
  static let yamlUnclosedQuote = Self(
    "yaml.unclosed-quote", "a quote that is not closed",
    "The text that starts with this quote has no end, or ends only at a quote that should open another text.",
    example: "title: \"Users‹→\"›\npath: /users")
  static let yamlUnclosedBracket = Self(
    "yaml.unclosed-bracket", "a bracket that is not closed",
    "A list in '[' and ']' or a mapping in '{' and '}' has no end.",
    example: "tags: [shop, ‹daily→daily]›\npath: /users")
  static let yamlUnexpectedClosingBracket = Self(
    "yaml.unexpected-closing-bracket", "a closing bracket without an open one",
    "No bracket of this kind is open. Quote the text if the bracket is part of it.",
    example: "tags: [shop]‹]→›")
  static let yamlMissingComma = Self(
    "yaml.missing-comma", "a missing comma between entries in brackets",
    """
    The entries of a list or mapping in brackets are separated by commas. A text with a colon and a space in it must \
    be quoted.
    """, example: "tags: [\"shop\"‹→,› \"daily\"]")
  static let yamlMissingValue = Self(
    "yaml.missing-value", "a comma without a value in front of it",
    "Between two commas, or between a bracket and a comma, a value is missing. Quote a text that starts with a comma.",
    example: "tags: [shop,‹,→› daily]")
  static let yamlReservedCharacter = Self(
    "yaml.reserved-character", "unquoted text that starts with a reserved character",
    "YAML reserves '@', '`' and '%' at the start of a text. Quote it.",
    example: "user: ‹@me→\"@me\"›")
  static let yamlBadEscape = Self(
    "yaml.bad-escape", "an unknown escape sequence in double quotes",
    """
    In double quotes a backslash starts an escape such as \\n or \\u00E9. For a text with backslashes, such as a \
    pattern or a path, use single quotes, in which a backslash is an ordinary character.
    """, example: "pattern: ‹\"\\d+\"→'\\d+'›")
  static let yamlBadAnchor = Self(
    "yaml.bad-anchor", "an anchor or alias without a proper name",
    """
    '&' and '*' at the start of a value make an anchor or an alias, and a name of letters, digits, '-' and '_' must \
    follow. Quote a text that starts with one of them.
    """, example: "every: ‹*/5→\"*/5\"›")
  static let yamlBadTag = Self(
    "yaml.bad-tag", "a tag that is not well-formed",
    "'!' at the start of a value makes a tag. Quote a text that starts with it.",
    example: "note: ‹!<x y→\"!<x y\"›")
  static let yamlBadDirective = Self(
    "yaml.bad-directive", "an unknown directive",
    """
    A line that starts with '%' in front of a document is a directive. Only '%YAML 1.1' and '%YAML 1.2' are known, \
    and none is needed.
    """, example: "‹%INCLUDE other.yaml\n---\na→a›: 1")
  static let yamlBadBlockScalar = Self(
    "yaml.bad-block-scalar", "a block of text that starts on the line of its '|' or '>'",
    """
    After '|' and '>' only '+', '-' and a number from 1 to 9 are allowed; the text starts on the next line. Quote a \
    text that starts with one of the two.
    """, example: "note: ‹> 5 items→\"> 5 items\"›")
  static let yamlMisplacedListItem = Self(
    "yaml.misplaced-list-item", "a list item where none is allowed",
    """
    The items of a list are below their key, each on a line of its own and all in one column. A list and the keys of a \
    mapping cannot be mixed on one level.
    """, example: "tags:‹→\n › - shop")
  static let yamlTextAfterValue = Self(
    "yaml.text-after-value", "text after the end of a value",
    """
    A value in quotes or brackets ends at the closing one. Quote the whole value; in single quotes, double a single \
    quote that is part of the text.
    """, example: "title: ‹\"All\" users→'\"All\" users'›")
  static let yamlTextAfterDocument = Self(
    "yaml.text-after-document", "text after the end of the document",
    "The document is complete, and this text is not part of a list or mapping in it.",
    example: "[shop, ‹daily]\npath→daily, path]›")
  static let yamlSyntax = Self(
    "yaml.syntax", "invalid YAML",
    "The text breaks a rule of YAML that has no error code of its own. The message says what was expected.",
    example: "title: ‹? what→\"? what\"›")
}
