/// The reference page of the subset, generated from the tables.
package enum ReshapeReference {
  /// The page as Markdown.
  package static var markdown: String {
    var page = introduction
    page += "\n## Built-in functions\n\n"
    page += "A parameter written `$name` takes values, all others take programs. Those marked ° are not in jq 1.6.\n"
    for (title, builtins) in [
      ("Values", Builtin.values), ("Lists, objects and paths", Builtin.lists), ("Streams", Builtin.streams),
      ("Texts and patterns", Builtin.texts), ("Times", Builtin.times),
    ] {
      page += "\n### \(title)\n\n| Function | | Example | Input | Results |\n|---|---|---|---|---|\n"
      for builtin in builtins where !builtin.isInner {
        page += "| \(code(builtin.signature))\(builtin.isNew ? "°" : "") | \(cell(builtin.summary)) |"
        if let example = builtin.example {
          let results = example.results.map(code).joined(separator: " ")
          page += " \(code(example.program)) | \(code(example.input)) | \(results) |\n"
        } else {
          page += " | | |\n"
        }
      }
    }
    page += "\n## Formats\n\n"
    page += Format.allCases.map { "`@\($0.rawValue)`" }.joined(separator: ", ") + ". Before a string, as in\n"
    page += "`@uri \"q=\\(.text)\"`, a format is applied to the values in `\\(…)`.\n"
    page += "\n## Differences from jq 1.6\n\n| | Program | Input | Here | jq 1.6 |\n|---|---|---|---|---|\n"
    for difference in Difference.all {
      let here = difference.results.map { $0.map(code).joined(separator: " ") } ?? "an error"
      page += "| \(cell(difference.what)) | \(code(difference.program)) | \(code(difference.input)) | \(here) |"
      page += " \(cell(difference.jq)) |\n"
    }
    return page + limits
  }

  private static func cell(_ text: String) -> String { escaped(text) }

  private static func code(_ text: String) -> String { "`\(escaped(text))`" }

  /// The text with escaped `|` characters, which would end a table cell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }
  }

  private static let introduction = #"""
    # Reshaping: a subset of jq

    <!-- Written from the tables in Sources/Reshape; change them and run the tests with RECORD_SNAPSHOTS=1. -->

    A program takes one value and gives any number of results. Everything here has the same meaning as in jq 1.6, and
    the tests run more than 500 programs in jq too and compare the results; the deliberate differences are below.

    ## The language

    | | |
    |---|---|
    | Paths | `.` `.a` `.a.b` `."a b"` `.["a"]` `.[0]` `.[-1]` `.[1:3]` `.[]` `.a?` `..` |
    | Results | `f, g` (one after the other) · `f \| g` (each into the next) · `empty` |
    | Values | numbers, `"text \(f)"`, `true`, `false`, `null`, `[f]`, `{a: f, "b c": f, (f): g, d, $e}` |
    | Arithmetic | `+` `-` `*` `/` `%`, also of texts, lists and objects; `-f` |
    | Comparison | `==` `!=` `<` `<=` `>` `>=`; null < false < true < numbers < texts < lists < objects |
    | Logic | `and` `or` `not` · `f // g` (`g` where `f` gives nothing but `false` and `null`) |
    | Decisions | `if f then g elif h then i else j end` |
    | Errors | `try f catch g` · `f?` · `error(f)` |
    | Names | `f as $x \| g` · `f as [$a, {b: $c, $d}] \| g` · `def f(g; $x): h;` |
    | Loops | `reduce f as $x (start; update)` · `foreach f as $x (start; update; extract)` · `label $l \| … break $l` |
    | Assignment | `path = f` `\|=` `+=` `-=` `*=` `/=` `%=` `//=` |
    | Comments | `# to the end of the line` |

    Operators from the lowest precedence to the highest: `|` `,` `//` (right-associative), assignments, `or`, `and`,
    comparisons, `+ -`, `* / %`.

    """#

  private static let limits = """

    ## Limits

    Every run is counted: by default 5,000,000 steps, 1,000,000 results, 24 MiB of intermediate values, 24 MiB of
    results, 10,000 nested evaluations, values nested \(ReshapeLimits.valueDepth) deep. A run that exceeds a limit ends
    with an error that no `try` catches. A program may be \(Parser.maximumLength >> 10) KiB long and nest
    \(Parser.maximumDepth) deep.

    """
}
