import SourceDiagnostics

/// The reference of the file format as Markdown, generated from the tables: an index, and a page for each construct.
package enum ReferencePage {
  /// The folder of the pages of constructs, beside the index.
  package static let folder = "flow-format"

  /// The text of the index, which ends with a line break.
  package static var index: String {
    var page = head + "\n## Constructs\n\n| Page | |\n|---|---|\n"
    for name in ConstructName.allCases {
      page += "| [\(heading(name))](\(folder)/\(file(name))) | \(cell(name.construct.summary)) |\n"
    }
    return page + laterSection + codesSection
  }

  /// The page of a construct.
  package static func page(of name: ConstructName) -> String {
    """
    <!-- Written from the tables in Sources/FlowSpec; change them and run the tests with RECORD_SNAPSHOTS=1. -->

    \(section(name.construct))
    [All constructs](../\(folder).md)

    """
  }

  /// The name of the file of a construct's page.
  package static func file(_ name: ConstructName) -> String { "\(name.rawValue).md" }

  /// Where a construct or a key is described, from the top of the repository.
  ///
  /// - Parameter key: one of the construct's keys; nil for the whole page
  static func address(of name: ConstructName, key: String? = nil) -> String {
    "docs/reference/\(folder)/\(file(name))" + (key.map { "#\($0)" } ?? "")
  }

  private static let head = """
    # The flow format, version 1

    <!-- Written from the tables in Sources/FlowSpec; change them and run the tests with RECORD_SNAPSHOTS=1. -->

    A flow file declares what is pulled from a server, how it maps to records and where they are persisted. `reactor
    check` finds every error in a file without access to network or output. `reactor explain KEY` shows the page
    of a key, and wrong examples with their diagnostics.

    ## Values

    - **Values are read by the declared type of their key.** A text stays as written: `no`, `012`, `1.10` and `1e3` are
      texts. Nothing is guessed.
    - **Booleans** are `true` and `false` only.
    - **Integers** are decimal, without leading zeros or separators.
    - **Durations** have a unit (`250ms`, `30s`, `5m`, `1h`, `7d`, `1h30m`) or are ISO 8601 (`PT30S`, `P7D`, `P2W`).
      Years and months have no fixed length and are not allowed.
    - **Sizes** are bytes, or a whole number with `B`, `kB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`.
    - **Paths into responses** are JSONPath (RFC 9535) and start with `$`.
    - A key without a value is an error; an empty text is `''`.

    ## Templates

    Keys marked with *templates* may contain [expressions](expressions.md): `{{ vars.NAME }}`, `{{ secrets.NAME }}`,
    `{{ env.NAME }}`, and the names that the key lists, such as `page` or `record`. Names and types are checked when the
    file is loaded. Templates that do not depend on a response are filled in once, before the first request. Templates
    inside values are never filled in. A template that is exactly one expression keeps its type. `{{ "{{" }}` gives the
    braces themselves. Values with line breaks or NUL are errors outside of bodies.

    """

  /// The section about a construct.
  static func section(_ construct: Construct) -> String {
    var text = "# \(heading(construct.name))\n\n\(construct.summary)\n"
    if !construct.details.isEmpty { text += "\n\(construct.details)\n" }
    if let short = construct.shortForm {
      text += "\n**Short form:** \(short.summary) For example "
      text += short.examples.map { "`\($0)`" }.joined(separator: ", ") + ".\n"
    }
    text += "\n| Key | Value | Default | |\n|---|---|---|---|\n"
    for field in construct.fields {
      text += "| `\(field.name)` | \(cell(field.kind.words)) | "
      text += field.isRequired ? "**required**" : cell(field.defaultText ?? "–")
      text += " | \(cell(field.summary)) |\n"
    }
    for field in construct.fields { text += entry(field, of: construct) }
    return text
  }

  private static func entry(_ field: any FieldSpec, of owner: Construct) -> String {
    var text = "\n## `\(field.name)`\n\n\(field.summary)"
    if field.isTemplated { text += " *Templates: \(FieldReference.templateWords(field)).*" }
    text += "\n"
    if !field.details.isEmpty { text += "\n\(field.details)\n" }
    if let inner = field.kind.construct, inner.name != owner.name {
      return text + "\nIts keys: [\(heading(inner.name))](\(file(inner.name)))\n"
    }
    return text + "\n```yaml\n\(field.examples.joined(separator: "\n# or\n"))\n```\n"
  }

  private static var laterSection: String {
    var text =
      "\n## Keys of later versions\n\nThey are part of the format; this version reports them as not supported.\n\n"
    text += "| Key | Where | It will declare | Until then |\n|---|---|---|---|\n"
    for name in ConstructName.allCases {
      for later in name.construct.later {
        text += "| `\(later.name)` | \(name.title) | \(cell(later.summary)) | \(cell(later.instead ?? "–")) |\n"
      }
    }
    return text
  }

  private static var codesSection: String {
    var text = "\n## Diagnostics\n\n`reactor explain CODE` shows each with an example.\n\n| Code | |\n|---|---|\n"
    for entry in DiagnosticCatalogue.flowEntries { text += "| `\(entry.code.rawValue)` | \(cell(entry.title)) |\n" }
    return text
  }

  private static func heading(_ name: ConstructName) -> String {
    switch name {
    case .file: "Flow file"
    case .variable: "Variable (`vars.*`)"
    case .secret: "Secret (`secrets.*`)"
    case .flow: "Flow (`flows.*`)"
    case .schemaFile: "Schema file"
    case .schema: "Schema (`schemas.*`)"
    case .field: "Field (`fields.*`)"
    case .element: "List element (`of`)"
    default: "`\(name.rawValue)`"
    }
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
