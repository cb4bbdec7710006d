/// The reference of expressions as Markdown, generated from the tables: one page, and one for each group of functions.
public enum ExpressionReference {
  /// The grammar in EBNF. Words in quotes are tokens. White space is allowed between tokens.
  public static let grammar = #"""
    expression  = or, [ "?", expression, ":", expression ] ;
    or          = and, { "||", and } ;
    and         = relation, { "&&", relation } ;
    relation    = sum, { ( "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" ), sum } ;
    sum         = product, { ( "+" | "-" ), product } ;
    product     = unary, { ( "*" | "/" | "%" ), unary } ;
    unary       = { "!" | "-" }, value ;
    value       = primary, { ".", name, [ arguments ] | "[", expression, "]" } ;
    primary     = literal | name, [ arguments ] | "(", expression, ")" | list | map ;
    arguments   = "(", [ expression, { ",", expression } ], ")" ;
    list        = "[", [ expression, { ",", expression }, [ "," ] ], "]" ;
    map         = "{", [ entry, { ",", entry }, [ "," ] ], "}" ;
    entry       = expression, ":", expression ;
    literal     = integer | double | text | "true" | "false" | "null" ;
    integer     = "0" | nonzero, { digit } | "0x", hex, { hex } ;
    double      = ( "0" | nonzero, { digit } ), ( fraction, [ exponent ] | exponent ) ;
    fraction    = ".", digit, { digit } ;
    exponent    = ( "e" | "E" ), [ "+" | "-" ], digit, { digit } ;
    text        = [ "r" | "R" ], ( "'", { character }, "'" | '"', { character }, '"' ) ;
    name        = ( letter | "_" ), { letter | digit | "_" } ;  (* true, false, null and in only after a dot *)
    """#

  /// The pages by their paths below `docs/reference`. Each ends with a line break.
  public static var pages: [(path: String, text: String)] {
    [("expressions.md", index)] + FunctionTable.groups.map { ("\(file($0))", page(of: $0)) }
  }

  private static var index: String {
    var page = head
    page += "\n## Grammar\n\n```ebnf\n\(grammar)\n```\n"
    page += section("Literals", ReferenceEntry.literals)
    page += section("Operators", ReferenceEntry.operators, "From the highest precedence to the lowest.")
    page += section(
      "Lists, element by element", ReferenceEntry.macros,
      "`x` is any name that is not used yet; the elements of a map are its keys.")
    page += "\n## Functions\n\n| Page | Functions |\n|---|---|\n"
    for group in FunctionTable.groups {
      page +=
        "| [\(group.title)](\(file(group))) | \(group.functions.map { "`\($0.name)`" }.joined(separator: " ")) |\n"
    }
    return page + limits
  }

  /// The path of the page of a group, such as `expressions/lists-and-maps.md`.
  private static func file(_ group: FunctionTable.Group) -> String {
    "expressions/\(group.title.lowercased().split(separator: " ").joined(separator: "-")).md"
  }

  private static let origin =
    "<!-- Written from the tables in Sources/Expressions; change them and run the tests with RECORD_SNAPSHOTS=1. -->"

  private static let head = """
    # Expressions

    \(origin)

    The text between `{{` and `}}` is an expression: the syntax of [CEL](https://cel.dev), types that are checked when
    the file is loaded, no side effects, and a bound on time and memory.

    - **Types** are `null`, `bool`, `int` (64 bits), `double`, `string`, `timestamp`, `duration`, `list`, `map` and objects
      with known members. A value that is known only when a response arrives can have any type, and is checked then.
    - **Nothing is guessed.** A text is never read as a number, a number never turned into a text: `int(…)`, `float(…)`,
      `timestamp(…)` and `string(…)` do it, without loss or with an error. An int beside a double counts as a double.
    - **What may be missing needs a default.** A member that may be absent or null cannot be used before
      `coalesce(record.email, '')`, `has(record.email) ? … : …` or `record.email != null && …` has dealt with it.
    - **What passes through stays as it is**: numbers from JSON keep their digits, members their order.
    - **In a text**, strings appear unchanged, numbers as written, bools as `true` and `false`, times as ISO 8601.
      `null`, lists and maps have no text: give a default, `join` them or write them with `to_json`.
    - **Errors** (overflow, division by zero, missing values, conversions) end the evaluation; none gives a wrong value.

    """

  private static let limits = """

    ## Bounds

    An expression has at most \(Parser.maximumLength) bytes and \(Parser.maximumDepth) levels, where each operator of a
    chain is one. An evaluation ends with an error beyond \(EvaluationLimits.standard.steps) steps,
    \(EvaluationLimits.standard.memory) bytes of text and elements made, or \(EvaluationLimits.standard.matching) steps of
    regular expressions.

    ## What differs from CEL

    - `has(a.b)` is also false for null, and for what is missing before the last member.
    - An int and a double may be calculated and compared with each other; `&&` and `||` go from left to right.
    - Functions are named in snake_case, and `f(a, b)` and `a.f(b)` are the same.
    - `type(…)` gives a text.
    - There are no unsigned integers, bytes, messages, octal escapes or texts in three quotes.
    - Numbers taken from JSON divide exactly, see `a / b`.

    """

  private static func section(_ title: String, _ entries: [ReferenceEntry], _ words: String? = nil) -> String {
    var text = "\n## \(title)\n"
    if let words { text += "\n\(words)\n" }
    for entry in entries {
      text += "\n### `\(entry.form)`\n\n\(entry.summary)\n\n\(table(entry.examples))"
    }
    return text
  }

  private static func page(of group: FunctionTable.Group) -> String {
    var text = "\(origin)\n\n# \(group.title)\n\nFunctions of [expressions](../expressions.md).\n"
    for function in group.functions {
      text += "\n## `\(function.name)`\n\n"
      text += function.signatures.map { "`\($0.text(function.name))`" }.joined(separator: "  \n")
      text += "\n\n\(function.summary)\n\n\(table(function.examples))"
    }
    return text
  }

  private static func table(_ examples: [Function.Example]) -> String {
    var text = "```cel\n"
    let width = examples.map(\.text.count).max() ?? 0
    for example in examples {
      let padding = String(repeating: " ", count: width - example.text.count)
      text += "\(example.text)\(padding)  // \(example.result)\n"
    }
    return text + "```\n"
  }
}
