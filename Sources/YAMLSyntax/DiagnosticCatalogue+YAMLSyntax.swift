internal import SourceDiagnostics

extension DiagnosticCatalogue {
  /// What breaks the grammar.
  static let yamlSyntaxEntries: [Entry] = [
    Entry(
      .yamlUnquotedTemplate, "a template that is not in quotes",
      "YAML reads '{' at the start of a value as a mapping in brackets. A value that starts with '{{' must "
        + "be quoted; inside of a value ('/users/{{ vars.id }}') quotes are not needed.",
      wrong: "path: {{ vars.path }}",
      right: "path: \"{{ vars.path }}\""),
    Entry(
      .yamlTabIndentation, "a tab in the indentation",
      "YAML does not allow tabs in the indentation of lines, because editors show them differently. Indent "
        + "with spaces.",
      wrong: "flows:\n\tusers: 1",
      right: "flows:\n  users: 1"),
    Entry(
      .yamlBadIndentation, "indentation that fits no line above",
      "Keys of one mapping and items of one list start in the same column, and a key that has a value on "
        + "its line cannot have further keys below it.",
      wrong: "flows:\n    users: 1\n  orders: 2",
      right: "flows:\n    users: 1\n    orders: 2"),
    Entry(
      .yamlMissingSpaceAfterColon, "a colon without a space behind it",
      "'key:value' is one piece of text for YAML; the space makes it a key with a value. Quote a text that "
        + "is meant to hold the colon.",
      wrong: "users:\n  path:/users\n  method: GET",
      right: "users:\n  path: /users\n  method: GET"),
    Entry(
      .yamlUnexpectedColon, "a colon inside of an unquoted value",
      "A colon followed by a space separates a key from its value. A value that holds one must be quoted.",
      wrong: "title: Users: all of them",
      right: "title: \"Users: all of them\""),
    Entry(
      .yamlMissingColon, "a line of a mapping without a colon",
      "Each line of a mapping has the form 'key: value'. A line that continues the value above must be "
        + "indented deeper than its key.",
      wrong: "method: GET\npath\nquery: 1",
      right: "method: GET\npath: /users\nquery: 1"),
    Entry(
      .yamlUnclosedQuote, "a quote that is not closed",
      "The text that starts with this quote has no end, or ends only at a quote that was meant to open "
        + "another text.",
      wrong: "title: \"Users\npath: /users",
      right: "title: \"Users\"\npath: /users"),
    Entry(
      .yamlUnclosedBracket, "a bracket that is not closed",
      "A list in '[' and ']' or a mapping in '{' and '}' has no end.",
      wrong: "tags: [shop, daily\npath: /users",
      right: "tags: [shop, daily]\npath: /users"),
    Entry(
      .yamlUnexpectedClosingBracket, "a closing bracket that closes nothing",
      "There is no open bracket of this kind. Quote the text if the bracket belongs to it.",
      wrong: "tags: [shop]]",
      right: "tags: [shop]"),
    Entry(
      .yamlMissingComma, "a missing comma between entries in brackets",
      "The entries of a list or mapping in brackets are separated by commas. A text with a colon and a "
        + "space in it must be quoted.",
      wrong: "tags: [\"shop\" \"daily\"]",
      right: "tags: [\"shop\", \"daily\"]"),
    Entry(
      .yamlMissingValue, "a comma without a value in front of it",
      "Between two commas, or between a bracket and a comma, a value is missing. Quote a text that starts "
        + "with a comma.",
      wrong: "tags: [shop,, daily]",
      right: "tags: [shop, daily]"),
    Entry(
      .yamlReservedCharacter, "unquoted text that starts with a reserved character",
      "YAML reserves '@', '`' and '%' at the start of a text. Quote it.",
      wrong: "user: @me",
      right: "user: \"@me\""),
    Entry(
      .yamlBadEscape, "an escape that double quotes do not know",
      "In double quotes a backslash starts an escape such as \\n or \\u00E9. For a text with backslashes, "
        + "such as a pattern or a path, use single quotes, where they stand for themselves.",
      wrong: "pattern: \"\\d+\"",
      right: "pattern: '\\d+'"),
    Entry(
      .yamlBadAnchor, "an anchor or alias without a proper name",
      "'&' and '*' at the start of a value make an anchor or an alias, and a name of letters, digits, '-' "
        + "and '_' must follow. Quote a text that starts with one of them.",
      wrong: "every: */5",
      right: "every: \"*/5\""),
    Entry(
      .yamlBadTag, "a tag that is not well-formed",
      "'!' at the start of a value makes a tag. Quote a text that starts with it.",
      wrong: "note: !<x y",
      right: "note: \"!<x y\""),
    Entry(
      .yamlBadDirective, "a directive that is not known",
      "A line that starts with '%' in front of a document is a directive. Only '%YAML 1.1' and '%YAML 1.2' "
        + "are known, and none is needed.",
      wrong: "%INCLUDE other.yaml\n---\na: 1",
      right: "a: 1"),
    Entry(
      .yamlBadBlockScalar, "a block of text that starts on the line of its sign",
      "Behind '|' and '>' only '+', '-' and a number from 1 to 9 may stand; the text starts on the next "
        + "line. Quote a text that starts with one of the two.",
      wrong: "note: > 5 items",
      right: "note: \"> 5 items\""),
    Entry(
      .yamlMisplacedListItem, "a list item where none can be",
      "The items of a list stand below their key, each on a line of its own and all in one column. A list "
        + "and the keys of a mapping cannot be mixed on one level.",
      wrong: "tags: - shop",
      right: "tags:\n  - shop"),
    Entry(
      .yamlTextAfterValue, "text behind the end of a value",
      "A value in quotes or brackets ends with them. Quote the whole value; in single quotes, double a "
        + "single quote that belongs to the text.",
      wrong: "title: \"All\" users",
      right: "title: '\"All\" users'"),
    Entry(
      .yamlTextAfterDocument, "text behind the end of the document",
      "The document is complete, and this text belongs to no list or mapping in it.",
      wrong: "[shop, daily]\npath",
      right: "[shop, daily, path]"),
    Entry(
      .yamlSyntax, "a text that is not YAML",
      "The text breaks a rule of YAML that no other code names. The message says what was expected.",
      wrong: "title: ? what",
      right: "title: \"? what\""),
  ]
}
