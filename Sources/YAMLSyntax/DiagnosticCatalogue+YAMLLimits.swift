internal import SourceDiagnostics

extension DiagnosticCatalogue {
  /// Bounds that a file exceeds.
  static let yamlLimitEntries: [Entry] = [
    Entry(
      .yamlTooDeep, "lists and mappings nested too deeply",
      "Lists and mappings may be nested 64 levels deep, aliases included. More comes from brackets or "
        + "indentation repeated by mistake, or from a hostile file.",
      wrong: nil, right: nil),
    Entry(
      .yamlTooManyNodes, "too many values in one file",
      "A file may hold 200,000 keys, values, lists and mappings, with aliases written out. Split it.",
      wrong: nil, right: nil),
    Entry(
      .yamlTooManyAliases, "too many aliases in one file",
      "A file may use 100 aliases. Write the values out, or split the file.",
      wrong: nil, right: nil),
    Entry(
      .yamlAliasExpansion, "aliases that add too many values",
      "Aliases that repeat values with aliases in them grow beyond all bounds (the 'billion laughs' "
        + "attack). Together they may add 20,000 values to a file.",
      wrong: nil, right: nil),
    Entry(
      .yamlTooManyProblems, "too many problems in one file",
      "After 100 problems the rest of the file is not read. Mend the first ones: they often cause the "
        + "others.",
      wrong: nil, right: nil),
  ]
}
