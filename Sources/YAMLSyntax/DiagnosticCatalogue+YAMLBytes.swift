internal import SourceDiagnostics

/// Problems in the bytes of a file.
extension DiagnosticCatalogue.Entry {
  static let yamlTooLarge = Self(
    "yaml.too-large", "the file is too large",
    """
    Configuration is read whole into memory; a file may have at most 2 MiB, so a wrong path (to a dump or a log) is \
    noticed at once. Split large configurations into several files.
    """)
  static let yamlWrongEncoding = Self(
    "yaml.wrong-encoding", "the file is not written in UTF-8",
    """
    The file is UTF-16 or UTF-32, as some editors on Windows save it. Save it as UTF-8; with or without a byte order \
    mark does not matter.
    """)
  static let yamlInvalidUTF8 = Self(
    "yaml.invalid-utf8", "bytes that are not UTF-8",
    """
    Some bytes belong to no character; usually a part of the file was written in Latin-1 or another old encoding, or \
    the file is not a text. Save it as UTF-8.
    """)
  static let yamlNullByte = Self(
    "yaml.null-byte", "a NUL byte",
    """
    NUL ends texts in many programs, so text after it could be overlooked. It is not allowed in a file; write \\0 in \
    double quotes.
    """)
  static let yamlControlCharacter = Self(
    "yaml.control-character", "a control character",
    """
    Control characters other than tab and line ends cannot be seen and may change what a terminal shows. YAML does not \
    allow them in a file; in double quotes they can be written as \\u001B.
    """, example: "title: ‹red\u{1B}[31m→\"red\\u001B[31m\"›")
  static let yamlByteOrderMark = Self(
    "yaml.byte-order-mark", "a byte order mark inside the file",
    """
    U+FEFF is allowed only at the very start of a file. Elsewhere it is left over from joining files and would be an \
    invisible part of a key or a value.
    """, example: "a: 1\n‹\u{FEFF}b→b›: 2")
  static let yamlHiddenLineBreak = Self(
    "yaml.hidden-line-break", "a line break that editors do not show",
    """
    U+0085, U+2028 and U+2029 end a line for YAML readers while most editors show one line. What looks like one value \
    would then be two lines, perhaps with a second key. Replace it with a real line break, or write it as an escape in \
    double quotes.
    """, example: "note: ‹one\u{2028}admin: true→\"one\\u2028admin: true\"›")
  static let yamlHiddenDirection = Self(
    "yaml.hidden-direction", "a character that changes the order of the text shown",
    """
    Characters that switch the direction of writing make the text look different from what is read (CVE-2021-42574). \
    Remove them, or write them as escapes in double quotes.
    """, example: "path: ‹out/\u{202E}lmth.json→\"out/\\u202Elmth.json\"›")
  static let yamlForeignSpace = Self(
    "yaml.foreign-space", "a special space",
    """
    No-break spaces and other special spaces, often copied from web pages, look like a space but are part of the \
    text: a key or value that starts or ends with one is not what it seems. Use the plain space; in quotes, special \
    spaces are allowed.
    """, example: "flows:\n  ‹\u{A0}users→users›: 1")
}

/// Limits that a file exceeds.
extension DiagnosticCatalogue.Entry {
  static let yamlTooDeep = Self(
    "yaml.too-deep", "lists and mappings nested too deeply",
    """
    Lists and mappings may be nested 64 levels deep, aliases included. Deeper nesting comes from brackets or \
    indentation repeated by mistake, or from a hostile file.
    """)
  static let yamlTooManyNodes = Self(
    "yaml.too-many-nodes", "too many values in one file",
    "A file may have at most 200,000 keys, values, lists and mappings, with those that aliases add. Split the file.")
  static let yamlTooManyAliases = Self(
    "yaml.too-many-aliases", "too many aliases in one file",
    "A file may use at most 100 aliases. Write the values out, or split the file.")
  static let yamlAliasExpansion = Self(
    "yaml.alias-expansion", "aliases that add too many values",
    """
    Aliases that repeat values with aliases in them grow beyond all bounds (the 'billion laughs' attack). Together \
    they may add at most 20,000 values to a file.
    """)
  static let yamlTooManyProblems = Self(
    "yaml.too-many-problems", "too many problems in one file",
    "After 100 problems the rest of the file is not read. Fix the first ones: they often cause the others.")
}
