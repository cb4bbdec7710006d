extension Builtin {
  /// Built-ins for kinds, numbers and comparisons.
  static let values: [Builtin] = [
    Builtin("empty", nil, "No result.", ("1, empty, 2", "null", ["1", "2"])),
    Builtin("error", nil, "Fails with the input as the error.", ("try error catch .", "\"bad\"", ["\"bad\""])),
    Builtin("_error(message)"),
    Builtin(
      "error(message)", "_error(message)", "Fails with a value as the error.",
      ("try error(\"no \\(.)\") catch .", "1", ["\"no 1\""])),
    Builtin(
      "not", nil, "`true` for `false` and `null`, else `false`.",
      ("map(not)", "[true, null, 0]", ["[false, true, false]"])),
    Builtin(
      "type", nil, "The kind: `null`, `boolean`, `number`, `string`, `array` or `object`.",
      ("map(type)", "[1, \"a\", null]", ["[\"number\", \"string\", \"null\"]"])),
    Builtin(
      "length", nil, "The number of elements, members or Unicode scalars, or a number's magnitude; 0 for `null`.",
      ("map(length)", "[[1, 2], \"é\", -3, null]", ["[2, 1, 3, 0]"])),
    Builtin("utf8bytelength", nil, "The number of UTF-8 bytes of a text.", ("utf8bytelength", "\"é\"", ["2"])),
    Builtin(
      "tostring", nil, "A text unchanged, any other value as JSON.",
      ("map(tostring)", "[1, \"1\", [1]]", ["[\"1\", \"1\", \"[1]\"]"])),
    Builtin(
      "tonumber", nil, "The number that the input is, or that its text contains.",
      ("map(tonumber)", "[1, \"2.5\"]", ["[1, 2.5]"])),
    Builtin("tojson", nil, "The value's JSON as a text.", ("tojson", "[1, \"a\"]", ["\"[1,\\\"a\\\"]\""])),
    Builtin("fromjson", nil, "The value that a JSON text contains.", ("fromjson", "\"[1, 2]\"", ["[1, 2]"])),
    Builtin(
      "toarray", "if type == \"array\" then . else [.] end",
      "The input if it is a list, otherwise a list with the input.",
      ("map(toarray)", "[1, [2]]", ["[[1], [2]]"]), isNew: true),
    Builtin(
      "values", "if . == null then empty else . end", "The input unless it is `null`.",
      ("map(values)", "[1, null]", ["[1]"])),
    Builtin(
      "nulls", "if . == null then . else empty end", "The input if it is `null`.",
      ("map(nulls)", "[1, null]", ["[null]"])),
    Builtin(
      "booleans", "if type == \"boolean\" then . else empty end", "The input if it is a boolean.",
      ("map(booleans)", "[1, true]", ["[true]"])),
    Builtin(
      "numbers", "if type == \"number\" then . else empty end", "The input if it is a number.",
      ("map(numbers)", "[1, true]", ["[1]"])),
    Builtin(
      "strings", "if type == \"string\" then . else empty end", "The input if it is a text.",
      ("map(strings)", "[1, \"a\"]", ["[\"a\"]"])),
    Builtin(
      "arrays", "if type == \"array\" then . else empty end", "The input if it is a list.",
      ("map(arrays)", "[1, []]", ["[[]]"])),
    Builtin(
      "objects", "if type == \"object\" then . else empty end", "The input if it is an object.",
      ("map(objects)", "[1, {}]", ["[{}]"])),
    Builtin(
      "iterables", "if type == \"array\" or type == \"object\" then . else empty end",
      "The input if it is a list or an object.", ("map(iterables)", "[1, [], {}]", ["[[], {}]"])),
    Builtin(
      "scalars", "if type == \"array\" or type == \"object\" then empty else . end",
      "The input if it is neither list nor object.", ("map(scalars)", "[1, [], null]", ["[1, null]"])),
    Builtin("nan", nil, "NaN; as a result it becomes `null`.", ("nan | isnan", "null", ["true"])),
    Builtin(
      "infinite", nil, "Infinity. In the output it is written as the greatest finite number.",
      ("infinite > 1e308", "null", ["true"])),
    Builtin("isnan", nil, "Whether a number is NaN.", ("isnan", "1", ["false"])),
    Builtin("isinfinite", nil, "Whether a number is infinite.", ("isinfinite", "1", ["false"])),
    Builtin(
      "isnormal", nil, "Whether a number is neither zero, subnormal, infinite nor NaN.",
      ("map(isnormal)", "[0, 1]", ["[false, true]"])),
    Builtin(
      "finites", "if isinfinite or isnan then empty else . end", "The input if it is finite.",
      ("map(finites)", "[1]", ["[1]"])),
    Builtin(
      "normals", "if isnormal then . else empty end", "The input if it is normal.", ("map(normals)", "[0, 1]", ["[1]"])),
    Builtin(
      "floor", nil, "The greatest whole number that is not above the input.",
      ("map(floor)", "[1.5, -1.5]", ["[1, -2]"])),
    Builtin(
      "ceil", nil, "The smallest whole number that is not below the input.",
      ("map(ceil)", "[1.5, -1.5]", ["[2, -1]"])),
    Builtin(
      "round", nil, "The nearest whole number, halves away from zero.", ("map(round)", "[1.5, -1.5]", ["[2, -2]"])),
    Builtin("trunc", nil, "The number rounded towards zero.", ("map(trunc)", "[1.5, -1.5]", ["[1, -1]"])),
    Builtin("fabs", nil, "The number without its sign.", ("map(fabs)", "[1.5, -1.5]", ["[1.5, 1.5]"])),
    Builtin(
      "abs", nil, "The number without its sign; it keeps its digits.", ("map(abs)", "[1, -2]", ["[1, 2]"]),
      isNew: true),
    Builtin("sqrt", nil, "The square root.", ("sqrt", "9", ["3"])),
    Builtin("pow(base; power)", nil, "A power.", ("pow(2; 10)", "null", ["1024"])),
    Builtin("log", nil, "The natural logarithm.", ("log", "1", ["0"])),
    Builtin("log2", nil, "The binary logarithm.", ("log2", "8", ["3"])),
    Builtin("log10", nil, "The decimal logarithm.", ("log10", "1000", ["3"])),
    Builtin("exp", nil, "e to the power of the input.", ("exp", "0", ["1"])),
    Builtin("exp2", "pow(2; .)", "2 to the power of the input.", ("exp2", "3", ["8"])),
    Builtin("exp10", "pow(10; .)", "10 to the power of the input.", ("exp10", "2", ["100"])),
  ]
}
