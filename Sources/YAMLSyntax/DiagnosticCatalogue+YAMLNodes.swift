internal import SourceDiagnostics

extension DiagnosticCatalogue {
  /// What is found in documents and their nodes.
  static let yamlNodeEntries: [Entry] = [
    Entry(
      .yamlEmptyDocument, "the file holds nothing",
      "A file of configuration without content, or with comments only, is nearly always a mistake: a failed"
        + " copy or a template that was not filled in.",
      wrong: "# nothing but a comment",
      right: "reactor: 1"),
    Entry(
      .yamlMultipleDocuments, "more than one document in a file",
      "'---' starts a further document. Only one is read from a file, so the others would be lost. Move "
        + "them into files of their own.",
      wrong: "a: 1\n---\nb: 2",
      right: "a: 1\nb: 2"),
    Entry(
      .yamlDuplicateKey, "a key that stands twice in one mapping",
      "YAML asks for unique keys, and readers differ in which of the two they take. Remove one of them, or "
        + "rename it. The same text is the same key with and without quotes.",
      wrong: "users: 1\n\"users\": 2",
      right: "users: 1\ncustomers: 2"),
    Entry(
      .yamlNonScalarKey, "a list or mapping as a key",
      "YAML allows it, but nothing that is configured here has such keys. It often comes from brackets that"
        + " were meant as text: quote them.",
      wrong: "[a, b]: 1",
      right: "\"[a, b]\": 1"),
    Entry(
      .yamlEmptyKey, "a key without a name",
      "There is nothing in front of the colon. Write the key, or quote the text if it starts with a colon.",
      wrong: "query: { : 1 }",
      right: "query: { page: 1 }"),
    Entry(
      .yamlUnknownAnchor, "an alias without its anchor",
      "'*name' repeats the value that was marked with '&name' further up in the same file. Check the "
        + "spelling, and that the anchor stands above the alias. Quote a text that starts with '*'.",
      wrong: "base: &base { a: 1 }\nother: *basis",
      right: "base: &base { a: 1 }\nother: *base"),
    Entry(
      .yamlCyclicAlias, "a value that contains itself",
      "The alias stands inside the value that it repeats, so the value would never end.",
      wrong: "a: &a\n  b: *a",
      right: "a: &a\n  b: 1"),
    Entry(
      .yamlRedefinedAnchor, "an anchor that is used twice",
      "YAML lets a later '&name' take the place of an earlier one, so that '*name' means different things "
        + "above and below. After copying a part of a file that is rarely meant: rename one of the two.",
      wrong: "a: &x 1\nb: &x 2\nc: *x",
      right: "a: &x 1\nb: &y 2\nc: *x"),
    Entry(
      .yamlMergeValue, "a merge key with something that cannot be merged",
      "'<<' takes over the keys of other mappings: its value is one mapping or a list of mappings, mostly "
        + "aliases. The mapping's own keys win, then earlier ones in the list. A quoted '<<' is an ordinary "
        + "key.",
      wrong: "<<: base\na: 1",
      right: "base: &base { b: 2 }\nother:\n  <<: *base\n  a: 1"),
    Entry(
      .yamlUnknownTag, "a tag that is not known",
      "Only the core tags of YAML are known: !!str, !!int, !!float, !!bool, !!null, !!seq, !!map. Others "
        + "build objects or include files in other programs; here nothing is built, run or read by a tag. Quote"
        + " a text that starts with '!'.",
      wrong: "count: !int 3",
      right: "count: !!int 3"),
    Entry(
      .yamlTagMismatch, "a tag that does not fit its value",
      "The tag says that the value is of another kind than it is.",
      wrong: "count: !!int many",
      right: "count: !!int 3"),
    Entry(
      .yamlSwallowedLine, "a list item that is read as text",
      "A line that is indented deeper than the text above continues that text; a '-' at its start does not "
        + "make it an item. Start it in the column of the other items, or quote the text if it is meant so.",
      wrong: "- one\n - two",
      right: "- one\n- two"),
    Entry(
      .yamlTagDirective, "a '%TAG' line",
      "'%TAG' gives short names to tags; since only the core tags are known, it has no use. Remove the "
        + "line.",
      wrong: "%TAG !e! tag:example.com,2024:\n---\na: 1",
      right: "a: 1"),
  ]
}
