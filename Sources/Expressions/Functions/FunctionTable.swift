/// All functions of the language, in the order of the reference.
enum FunctionTable {
  /// A group of related functions.
  struct Group: Sendable {
    var title: String
    var functions: [Function]
  }

  static let groups = [
    Group(title: "Missing values", functions: missing),
    Group(title: "Text", functions: text),
    Group(title: "Lists and maps", functions: lists),
    Group(title: "Numbers and conversions", functions: numbers),
    Group(title: "Time", functions: time),
    Group(title: "Encodings and digests", functions: codings + digests),
  ]

  static let functions = groups.flatMap(\.functions)

  private static let byName = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }

  /// The function with a name.
  static func function(_ name: String) -> Function? { byName[name] }

  /// `has(…)`, `coalesce(…)`, `optional(…)` and `type(…)`. Their arguments may be look-ups that find nothing, so they
  /// are checked and evaluated separately.
  static let missing = [
    Function(
      name: "coalesce",
      signatures: [Signature([.init("value", .optional(.element), .repeated)], .element)],
      summary: """
        The first value that exists and is not null; if there is none, the last argument as it is. Look-ups (members, \
        elements, `first`, `last`, `extract`) may find nothing in all arguments except the last.
        """,
      examples: [
        .init("coalesce({'a': null}['a'], 'none')", "\"none\""), .init("coalesce(first([]), 1)", "1"),
        .init("coalesce(0, 1)", "0"), .init("coalesce({}['a'], {}['b'])", "error: missing"),
      ],
      otherNames: ["default", "ifnull", "nvl", "d", "orElse", "get"]
    ) { arguments, _ in arguments.values.first { !$0.isNull } ?? .null },
    Function(
      name: "has",
      signatures: [Signature([.init("look_up", .optional(.anything))], .bool)],
      summary: "Whether a member or element exists and is not null.",
      examples: [
        .init("has({'a': 1}.a)", "true"), .init("has({'a': null}.a)", "false"), .init("has({}['a'].b)", "false"),
      ],
      otherNames: ["defined", "isset", "exists_path"]
    ) { arguments, _ in .bool(!arguments[0].isNull) },
    Function(
      name: "optional",
      signatures: [Signature([.init("value", .optional(.element))], .optional(.element))],
      summary: """
        The value, or null if it is missing, null, an empty text, an empty list or an empty map. It can only be the \
        whole expression. A query parameter, a header, a pair of a form or a member of a JSON body whose value is \
        `{{ optional(…) }}` is left out when this is null.
        """,
      examples: [
        .init("optional({'since': '2026-01-01'}['since'])", "\"2026-01-01\""), .init("optional({}['since'])", "null"),
        .init("optional('')", "null"), .init("optional(0)", "0"), .init("optional([])", "null"),
      ],
      otherNames: ["omit", "maybe", "if_present"]
    ) { arguments, _ in arguments[0].isEmpty ? .null : arguments[0] },
    Function(
      name: "type",
      signatures: [Signature([.init("value", .optional(.anything))], .string)],
      summary: """
        The name of the type of a value: `null` (also for a missing value), `bool`, `int`, `double`, `string`, \
        `timestamp`, `duration`, `list` or `map`. A number from JSON is an `int` if it is written as one.
        """,
      examples: [
        .init("type(json('5'))", "\"int\""), .init("type(json('[5.0]')[0])", "\"double\""),
        .init("type({'a': []}.a)", "\"list\""), .init("type({}['a'])", "\"null\""),
        .init("type(now())", "\"timestamp\""),
      ],
      otherNames: ["typeof", "type_of", "kind", "is_string", "is_number"]
    ) { arguments, _ in .string(arguments[0].typeName) },
  ]
}
