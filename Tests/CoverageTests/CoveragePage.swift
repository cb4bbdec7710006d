/// The page `docs/coverage.md`, written from the files of `Systems`.
struct CoveragePage {
  let systems: [CoveredSystem]
  let tests: TestIndex

  /// The text of the page, which ends with a line break.
  var markdown: String {
    var text = Self.head
    text += "| System | Constructs | Fully | Partly | No |\n|---|---:|---:|---:|---:|\n"
    for system in systems where !system.isOwn {
      text += "| [\(system.title)](#\(GuideSections.slug(system.title))) | \(system.rows.count) "
      text += "| \(system.count(.full)) | \(system.count(.partly)) | \(system.count(.no)) |\n"
    }
    for system in systems { text += section(system) }
    return text
  }

  private static let head = """
    # Coverage

    <!-- Written from Tests/CoverageTests/Systems; change them and run the tests with RECORD_SNAPSHOTS=1. -->

    What systems can declare that pull from APIs by configuration, and what declares it here: for each of their constructs
    our keys, a recipe that shows one of them, and a test. *Partly* says what is missing, *no* says why. `pages.by: link` is
    the key `by` of `pages` with the word `link`; `reactor explain pages.by` explains it. A test fails when a row names a
    key, a recipe or a test that does not exist, and when a key of [the language](reference/flow-format.md) is not here.
    `reactor import` carries manifests of Airbyte and configurations of dlt's REST API source over
    ([guide](guides/import.md)).


    """

  private func section(_ system: CoveredSystem) -> String {
    if system.isOwn {
      let head = "| | Keys | Recipe | Test |\n|---|---|---|---|\n"
      return "\n## Of our own\n\nKeys without a counterpart in the systems above.\n\n" + head
        + system.rows.map { "| \($0.name) | \(keys($0)) | \(recipe($0)) | \(tests($0)) |\n" }.joined()
    }
    var text = "\n## \(system.title)\n\nThe constructs of \(system.subject) ([\(system.version)](\(system.url))).\n\n"
    text += "| Construct | | Keys | Recipe | Test | |\n|---|---|---|---|---|---|\n"
    for row in system.rows {
      text += "| `\(row.name)` | \(Self.word(row.extent)) | \(keys(row)) | \(recipe(row)) | \(tests(row)) "
      text += "| \(Self.cell(row.note)) |\n"
    }
    return text
  }

  private static func word(_ extent: CoverageRow.Extent) -> String {
    switch extent {
    case .full: "fully"
    case .partly: "partly"
    case .no: "no"
    }
  }

  private func keys(_ row: CoverageRow) -> String {
    row.keys.map { key in "`\(key.path)\(key.word.map { ": \($0)" } ?? "")`" }.joined(separator: " ")
  }

  private func recipe(_ row: CoverageRow) -> String {
    switch row.recipe {
    case .section(let page, let heading):
      "[\(Self.cell(CoverageFindings.pages[page]?[heading]?.title ?? heading))](\(page).md#\(heading))"
    case .entry(let key):
      "[`\(key.path)`](\(GuideSections.referenceAnchors[key.path] ?? ""))"
    case .unreadable(let text): text
    case nil: ""
    }
  }

  private func tests(_ row: CoverageRow) -> String {
    row.tests.map { "[\($0.suite)](../Tests/\(tests[$0] ?? "")): \(Self.cell($0.name))" }.joined(separator: "<br>")
  }

  /// A bar would end the cell, in code too.
  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
