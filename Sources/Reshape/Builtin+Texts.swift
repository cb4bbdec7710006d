extension Builtin {
  /// Built-ins for texts and patterns.
  static let texts: [Builtin] = [
    Builtin("startswith(text)", nil, "Whether a text begins with another.", ("startswith(\"a\")", "\"ab\"", ["true"])),
    Builtin("endswith(text)", nil, "Whether a text ends with another.", ("endswith(\"a\")", "\"ab\"", ["false"])),
    Builtin("ltrimstr(text)", nil, "The text without this beginning.", ("ltrimstr(\"a\")", "\"ab\"", ["\"b\""])),
    Builtin("rtrimstr(text)", nil, "The text without this ending.", ("rtrimstr(\"b\")", "\"ab\"", ["\"a\""])),
    Builtin("trim", nil, "The text without white space at both ends.", ("trim", "\" a \"", ["\"a\""]), isNew: true),
    Builtin(
      "ltrim", nil, "The text without white space at the beginning.", ("ltrim", "\" a \"", ["\"a \""]), isNew: true),
    Builtin("rtrim", nil, "The text without white space at the end.", ("rtrim", "\" a \"", ["\" a\""]), isNew: true),
    Builtin("explode", nil, "The numbers of the text's Unicode scalars.", ("explode", "\"aé\"", ["[97, 233]"])),
    Builtin("implode", nil, "The text of Unicode scalars with these numbers.", ("implode", "[97, 233]", ["\"aé\""])),
    Builtin("ascii_downcase", nil, "A to Z as small letters.", ("ascii_downcase", "\"aBÉ\"", ["\"abÉ\""])),
    Builtin("ascii_upcase", nil, "a to z as capital letters.", ("ascii_upcase", "\"aBé\"", ["\"ABé\""])),
    Builtin(
      "split(separator)", nil, "The parts between the occurrences of a text.",
      ("split(\", \")", "\"a, b\"", ["[\"a\", \"b\"]"])),
    Builtin(
      "join($separator)",
      """
      reduce .[] as $one (null; (if . == null then "" else . + $separator end) + ($one | if . == null then "" \
      elif type == "boolean" or type == "number" then tojson else . end)) // ""
      """,
      "Texts, numbers and booleans as one text; `null` as an empty one.",
      ("join(\"-\")", "[\"a\", 1, null]", ["\"a-1-\""])),
    Builtin("indices(part)", nil, "The indices at which a part begins.", ("indices(\"a\")", "\"aba\"", ["[0, 2]"])),
    Builtin(
      "index(part)", "indices(part) | .[0]", "The first index at which a part begins.",
      ("index(\"a\")", "\"aba\"", ["0"])),
    Builtin(
      "rindex(part)", "indices(part) | .[-1:] | .[0]", "The last index at which a part begins.",
      ("rindex(\"a\")", "\"aba\"", ["2"])),
    Builtin("_match(pattern; flags; test)"),
    Builtin("_split(pattern; flags)"),
    Builtin(
      "test(pattern)", "_match(pattern; null; true)", "Whether a pattern matches somewhere.",
      ("test(\"b+\")", "\"abb\"", ["true"])),
    Builtin(
      "test(pattern; flags)", "_match(pattern; flags; true)", "Like `test(pattern)`, with flags.",
      ("test(\"B\"; \"i\")", "\"abb\"", ["true"])),
    Builtin(
      "match(pattern)", "_match(pattern; null; false) | .[]", "The matches of a pattern: position, text and groups.",
      ("match(\"b+\") | .offset, .string", "\"abb\"", ["1", "\"bb\""])),
    Builtin(
      "match(pattern; flags)", "_match(pattern; flags; false) | .[]", "Like `match(pattern)`, with flags.",
      ("[match(\"B\"; \"gi\").offset]", "\"abb\"", ["[1, 2]"])),
    Builtin(
      "split(pattern; flags)", "_split(pattern; flags)", "The parts between the matches of a pattern.",
      ("split(\", *\"; null)", "\"a, b,c\"", ["[\"a\", \"b\", \"c\"]"])),
    Builtin(
      "splits(pattern)", "split(pattern; null) | .[]", "The parts between the matches of a pattern, each as a result.",
      ("[splits(\", *\")]", "\"a, b\"", ["[\"a\", \"b\"]"])),
    Builtin(
      "splits(pattern; flags)", "split(pattern; flags) | .[]", "Like `splits(pattern)`, with flags.",
      ("[splits(\"X\"; \"i\")]", "\"axb\"", ["[\"a\", \"b\"]"])),
    Builtin(
      "_groups", "[.captures[] | if .name == null then empty else {key: .name, value: .string} end] | from_entries"),
    Builtin(
      "capture(pattern; flags)", "match(pattern; flags) | _groups", "Like `capture(pattern)`, with flags.",
      ("capture(\"(?<x>B)\"; \"i\")", "\"abb\"", ["{\"x\": \"b\"}"])),
    Builtin(
      "capture(pattern)", "capture(pattern; null)", "The named groups of a match as an object.",
      ("capture(\"(?<y>\\\\d+)-(?<m>\\\\d+)\")", "\"2024-05\"", ["{\"y\": \"2024\", \"m\": \"05\"}"])),
    Builtin(
      "scan(pattern; $flags)",
      "match(pattern; \"g\" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end",
      "Like `scan(pattern)`, with flags.", ("[scan(\"B\"; \"i\")]", "\"abb\"", ["[\"b\", \"b\"]"]), isNew: true),
    Builtin(
      "scan(pattern)", "scan(pattern; null)", "Every match, or the list of its groups.",
      ("[scan(\"[a-z]\")]", "\"a1b\"", ["[\"a\", \"b\"]"])),
    Builtin("_splice(matches; texts)"),
    Builtin(
      "_replace($matches; text)",
      "[$matches[] | [_groups | text]] as $new | if all($new[]; length == 1) then _splice($matches; $new) else ($new | [combinations | map([.])])[] as $one | _splice($matches; $one) end"
    ),
    Builtin(
      "sub(pattern; text; $flags)", "_replace(_match(pattern; $flags; false); text)",
      "Like `sub(pattern; text)`, with flags.",
      ("sub(\"A\"; \"b\"; \"i\")", "\"aA\"", ["\"bA\""])),
    Builtin(
      "sub(pattern; text)", "sub(pattern; text; \"\")",
      "The text with the first match replaced; the named groups are the input of the replacing program.",
      ("sub(\"(?<d>[0-9])\"; \"<\\(.d)>\")", "\"a1b2\"", ["\"a<1>b2\""])),
    Builtin(
      "gsub(pattern; text; $flags)", "sub(pattern; text; $flags + \"g\")", "Like `gsub(pattern; text)`, with flags.",
      ("gsub(\"A\"; \"b\"; \"i\")", "\"aA\"", ["\"bb\""])),
    Builtin(
      "gsub(pattern; text)", "sub(pattern; text; \"g\")", "The text with every match replaced.",
      ("gsub(\"[0-9]\"; \"#\")", "\"a1b2\"", ["\"a#b#\""])),
  ]
}
