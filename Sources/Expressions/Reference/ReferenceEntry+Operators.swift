extension ReferenceEntry {
  /// The syntax of literals.
  static let literals = [
    ReferenceEntry(
      "1, -2, 0xFF", "A 64-bit integer, without leading zeros.",
      [.init("0xFF", "255"), .init("-9223372036854775808", "-9223372036854775808")]),
    ReferenceEntry(
      "1.5, 2e-3", "A double. If it is passed on unchanged, it keeps the digits that the expression has.",
      [.init("1.50", "1.50"), .init("2e-3", "2e-3")]),
    ReferenceEntry(
      "'text', \"text\"",
      #"""
      A text. Escapes are `\\`, `\'`, `\"`, `\n`, `\r`, `\t`, `\b`, `\f`, `\v`, `\a`, `\?`, `` \` ``, `\xHH`, `\uHHHH` \#
      and `\UHHHHHHHH`, which name Unicode scalars. `r'…'` has no escapes.
      """#,
      [.init(#"'it\'s \u00e9'"#, #""it's é""#), .init(#"length(r'\d')"#, "2")]),
    ReferenceEntry("true, false, null", "The constants.", [.init("true", "true"), .init("null", "null")]),
    ReferenceEntry("[a, b]", "A list.", [.init("[1, 'a', []]", #"[1,"a",[]]"#)]),
    ReferenceEntry(
      "{'a': b}", "A map from texts; its members keep their order.",
      [.init("{'b': 1, 'a': 2}", #"{"b":1,"a":2}"#), .init("{'a': 1, 'a': 2}", "error: bad-argument")]),
  ]

  /// The operators, from the highest precedence to the lowest.
  static let operators = [
    ReferenceEntry(
      "a.b, a['b']", "A member. If it does not exist, it is a missing value.",
      [.init("{'a': {'b': 1}}.a.b", "1"), .init("{'a-b': 1}['a-b']", "1"), .init("{}.a", "error: missing")]),
    ReferenceEntry(
      "a[0]", "An element, counted from 0. If it does not exist, it is a missing value.",
      [.init("[1, 2][1]", "2"), .init("[1][1]", "error: missing"), .init("[1][-1]", "error: missing")]),
    ReferenceEntry(
      "a.f(b), f(a, b)", "A call of a function; both forms are equal.",
      [.init("'a'.upper()", #""A""#), .init("upper('a')", #""A""#)]),
    ReferenceEntry("!a", "Not; only for a bool.", [.init("!true", "false"), .init("!0", "error: wrong-type")]),
    ReferenceEntry(
      "-a", "The negative of a number or duration.",
      [
        .init("-(1 + 2)", "-3"), .init("-duration('30s')", #""-PT30S""#),
        .init("-(-9223372036854775808)", "error: overflow"),
      ]),
    ReferenceEntry(
      "a * b", "The product of numbers, or of a duration and an int.",
      [
        .init("2 * 3", "6"), .init("2 * 1.5", "3.0"), .init("duration('1h') * 24", #""P1D""#),
        .init("9223372036854775807 * 2", "error: overflow"), .init("1e308 * 10.0", "error: overflow"),
      ]),
    ReferenceEntry(
      "a / b",
      """
      The quotient of numbers. Two ints give an int, cut toward zero; a number that is taken unchanged from JSON \
      is divided with a fraction, so that `7` is not treated differently from `7.5`.
      """,
      [
        .init("7 / 2", "3"), .init("-7 / 2", "-3"), .init("7 / 2.0", "3.5"), .init("json('7') / 2", "3.5"),
        .init("json('8') / 2", "4"), .init("1 / 0", "error: division-by-zero"),
        .init("1.0 / 0.0", "error: division-by-zero"),
      ]),
    ReferenceEntry(
      "a % b", "The remainder of the division of two ints, with the sign of the first.",
      [.init("7 % 3", "1"), .init("-7 % 3", "-1"), .init("1 % 0", "error: division-by-zero")]),
    ReferenceEntry(
      "a + b",
      "The sum of numbers or durations, two texts or lists joined, or an instant moved forward by a duration.",
      [
        .init("1 + 2", "3"), .init("'a' + 'b'", #""ab""#), .init("[1] + [2]", "[1,2]"),
        .init("timestamp('2026-01-01') + duration('1d')", #""2026-01-02T00:00:00Z""#),
        .init("'a' + 1", "error: wrong-type"), .init("9223372036854775807 + 1", "error: overflow"),
        .init("9007199254740993 + 0.5", "error: conversion"),
      ]),
    ReferenceEntry(
      "a - b", "The difference of numbers, durations or timestamps, or an instant moved back by a duration.",
      [
        .init("1 - 2.5", "-1.5"), .init("timestamp('2026-01-02') - timestamp('2026-01-01')", #""P1D""#),
        .init("timestamp('0001-01-01') - duration('1000d')", "error: overflow"),
      ]),
    ReferenceEntry(
      "a == b, a != b",
      """
      Whether both are equal: numbers by their exact values, texts by Unicode scalars, lists and maps by their \
      content. Next to a literal `null`, a look-up that finds nothing is null.
      """,
      [
        .init("1 == 1.0", "true"), .init("9007199254740993 == 9007199254740992.0", "false"),
        .init("[1, {'a': 2}] == [1.0, {'a': 2}]", "true"), .init("{}.a == null", "true"),
        .init("{}.a == 1", "error: missing"),
        .init("'a' != 'b'", "true"),
      ]),
    ReferenceEntry(
      "a < b, a <= b, a > b, a >= b", "The order of numbers, texts (by Unicode scalars), timestamps or durations.",
      [
        .init("1 < 1.5", "true"), .init("'10' < '9'", "true"), .init("now() >= today()", "true"),
        .init("duration('1h') > duration('90m')", "false"), .init("1 < 'a'", "error: wrong-type"),
      ]),
    ReferenceEntry(
      "a in b", "Whether a list contains an element, or a map a key.",
      [.init("2 in [1, 2]", "true"), .init("'a' in {'a': null}", "true"), .init("'a' in 'abc'", "error: wrong-type")]),
    ReferenceEntry(
      "a && b", "And; the second is only evaluated when the first is true.",
      [.init("false && 1 / 0 == 1", "false"), .init("true && true", "true"), .init("1 && true", "error: wrong-type")]),
    ReferenceEntry(
      "a || b", "Or; the second is only evaluated when the first is false.",
      [.init("true || 1 / 0 == 1", "true"), .init("false || false", "false")]),
    ReferenceEntry(
      "a ? b : c", "The second if the first is true, otherwise the third; only the chosen one is evaluated.",
      [
        .init("1 < 2 ? 'yes' : 'no'", #""yes""#), .init("false ? 1 / 0 : 2", "2"),
        .init("'a' ? 1 : 2", "error: wrong-type"),
      ]),
  ]

  /// The operations on the elements of a list or the keys of a map.
  static let macros = [
    ReferenceEntry(
      "list.map(x, a)", "The list of the values that the expression has for the elements.",
      [.init("[1, 2].map(x, x * 10)", "[10,20]"), .init("{'a': 1}.map(k, upper(k))", #"["A"]"#)]),
    ReferenceEntry(
      "list.filter(x, a)", "The elements for which the expression is true.",
      [.init("[1, 2, 3].filter(x, x % 2 == 1)", "[1,3]")]),
    ReferenceEntry(
      "list.all(x, a)", "Whether the expression is true for every element; the result for an empty list is true.",
      [.init("[1, 2].all(x, x > 0)", "true"), .init("[].all(x, false)", "true")]),
    ReferenceEntry(
      "list.exists(x, a)", "Whether the expression is true for an element.",
      [.init("[1, 2].exists(x, x > 1)", "true"), .init("[].exists(x, true)", "false")]),
    ReferenceEntry(
      "list.sort(x, a)",
      "The elements in ascending order of the expression's values; elements with equal values keep their order.",
      [
        .init("['b', 'A', 'a'].sort(x, lower(x))", #"["A","a","b"]"#), .init("[3, 10, 2].sort(x, -x)", "[10,3,2]"),
        .init("[1, 'a'].sort(x, x)", "error: wrong-type"),
      ]),
    ReferenceEntry(
      "list.unique(x, a)", "The first element for each different value of the expression.",
      [
        .init("['b', 'a', 'B'].unique(x, lower(x))", #"["b","a"]"#), .init("[1, 2, 1.0].unique(x, x)", "[1,2]"),
        .init("[{'a': 1, 'b': 1}, {'a': 1, 'b': 2}].unique(x, x.a)", #"[{"a":1,"b":1}]"#),
      ]),
  ]
}
