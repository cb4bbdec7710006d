internal import SourceDiagnostics

/// Problems in documents and their nodes.
extension DiagnosticCatalogue.Entry {
  static let yamlEmptyDocument = Self(
    "yaml.empty-document", "the file is empty",
    """
    A file of configuration without content, or with comments only, is nearly always a mistake: a failed copy or a \
    template that was not filled in.
    """, example: "‹# nothing but a comment→reactor: 1›")
  static let yamlMultipleDocuments = Self(
    "yaml.multiple-documents", "more than one document in a file",
    """
    '---' starts a further document. Only one is read from a file, so the others would be lost. Move them into files \
    of their own.
    """, example: "a: 1\n‹---\nb→b›: 2")
  static let yamlDuplicateKey = Self(
    "yaml.duplicate-key", "a key that occurs twice in one mapping",
    """
    YAML requires unique keys, and YAML readers differ in which of the two they use. Remove one of them, or rename it. \
    The same text is the same key with and without quotes.
    """, example: "users: 1\n‹\"users\"→customers›: 2")
  static let yamlNonScalarKey = Self(
    "yaml.non-scalar-key", "a list or mapping as a key",
    """
    YAML allows it, but no configuration has such keys. It often comes from brackets in a text: quote the text.
    """, example: "‹[a, b]→\"[a, b]\"›: 1")
  static let yamlEmptyKey = Self(
    "yaml.empty-key", "a key without a name",
    "The name in front of the colon is missing. Write the key, or quote the text if it starts with a colon.",
    example: "query: { ‹→page›: 1 }")
  static let yamlUnknownAnchor = Self(
    "yaml.unknown-anchor", "an alias without its anchor",
    """
    '*name' repeats the value that was marked with '&name' further up in the same file. Check the spelling, and that \
    the anchor is above the alias. Quote a text that starts with '*'.
    """, example: "base: &base { a: 1 }\nother: *‹basis→base›")
  static let yamlCyclicAlias = Self(
    "yaml.cyclic-alias", "a value that contains itself",
    "The alias is inside the value that it repeats, so the value would never end.",
    example: "a: &a\n  b: ‹*a→1›")
  static let yamlRedefinedAnchor = Self(
    "yaml.redefined-anchor", "an anchor that is used twice",
    """
    In YAML a later '&name' replaces an earlier one, so '*name' means different things above and below. This often \
    comes from copying a part of a file: rename one of the two.
    """, example: "a: &x 1\nb: &‹x→y› 2\nc: *x")
  static let yamlMergeValue = Self(
    "yaml.merge-value", "a merge key with a value that cannot be merged",
    """
    '<<' adds the keys of other mappings: its value is one mapping or a list of mappings, mostly aliases. The \
    mapping's own keys win, then those of earlier mappings in the list. A quoted '<<' is an ordinary key.
    """, example: "‹<<: base\na→base: &base { b: 2 }\nother:\n  <<: *base\n  a›: 1")
  static let yamlUnknownTag = Self(
    "yaml.unknown-tag", "an unknown tag",
    """
    Only the core tags of YAML are known: !!str, !!int, !!float, !!bool, !!null, !!seq, !!map. In other programs, \
    other tags build objects or include files; here they are refused. Quote a text that starts with '!'.
    """, example: "count: !‹int→!int› 3")
  static let yamlTagMismatch = Self(
    "yaml.tag-mismatch", "a tag that does not fit its value",
    "The value is of another kind than the tag says.",
    example: "count: !!int ‹many→3›")
  static let yamlSwallowedLine = Self(
    "yaml.swallowed-line", "a list item that is read as text",
    """
    A line that is indented deeper than the text above continues that text; a '-' at its start does not make it an \
    item. Start it in the column of the other items, or quote the text to keep it.
    """, example: "- one\n‹ -→-› two")
  static let yamlTagDirective = Self(
    "yaml.tag-directive", "a '%TAG' line",
    "'%TAG' gives short names to tags; since only the core tags are known, it has no use. Remove the line.",
    example: "‹%TAG !e! tag:example.com,2024:\n---\na→a›: 1")
}
