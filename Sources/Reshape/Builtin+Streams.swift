extension Builtin {
  /// Built-ins for streams of results.
  static let streams: [Builtin] = [
    Builtin("_range(from; to; step)"),
    Builtin(
      "range($to)", "_range(0; $to; 1)", "The numbers from 0 up to, but not including, a number.",
      ("[range(3)]", "null", ["[0, 1, 2]"])),
    Builtin(
      "range($from; $to)", "_range($from; $to; 1)", "The numbers from one number up to, but not including, another.",
      ("[range(2; 4)]", "null", ["[2, 3]"])),
    Builtin(
      "range($from; $to; $step)", "_range($from; $to; $step)", "Like `range($from; $to)`, with a step.",
      ("[range(0; 10; 4)]", "null", ["[0, 4, 8]"])),
    Builtin("first(f)", "_limit(1; f)", "The first result.", ("first(.[])", "[1, 2]", ["1"])),
    Builtin("last(f)", "reduce f as $one (null; $one)", "The last result.", ("last(.[])", "[1, 2]", ["2"])),
    Builtin(
      "isempty(f)", "label $done | (f | false, break $done), true", "Whether there is no result.",
      ("isempty(.[])", "[]", ["true"])),
    Builtin(
      "limit($count; f)", "if $count <= 0 then empty else _limit($count; f) end", "The first `$count` results.",
      ("[limit(2; .[])]", "[1, 2, 3]", ["[1, 2]"])),
    Builtin(
      "nth($index; f)",
      "if $index < 0 then error(\"Out of bounds negative array index\") else last(limit($index + 1; f)) end",
      "The result at an index, from 0.", ("nth(1; .[])", "[1, 2, 3]", ["2"])),
    Builtin(
      "until(test; f)", "def go: if test then . else f | go end; go", "Applies `f` repeatedly until the test is true.",
      ("until(. > 50; . * 2)", "1", ["64"])),
    Builtin(
      "while(test; f)", "def go: if test then ., (f | go) else empty end; go",
      "Applies `f` repeatedly, and gives each result while the test is true.",
      ("[while(. < 5; . * 2)]", "1", ["[1, 2, 4]"])),
    Builtin(
      "repeat(f)", "def go: ., (f | go); go", "Applies `f` repeatedly without end, and gives each result.",
      ("[limit(3; repeat(. * 2))]", "1", ["[1, 2, 4]"]), isNew: true),
    Builtin(
      "IN(source)", ". as $one | any(source; . == $one)", "Whether the input is one of the results of a source.",
      ("IN(1, 2)", "2", ["true"])),
    Builtin(
      "IN(these; those)", "any(these | IN(those); .)", "Whether some result of `these` is also a result of `those`.",
      ("IN(.[]; 2, 3)", "[1, 2]", ["true"])),
    Builtin(
      "INDEX(source; f)", "[source as $one | {key: ($one | f | tostring), value: $one}] | from_entries",
      "An object with the results of `source`; the name of each is the result of `f` for it.",
      ("INDEX(.[]; .id)", "[{\"id\": 1}]", ["{\"1\": {\"id\": 1}}"])),
    Builtin(
      "INDEX(f)", "INDEX(.[]; f)", "Like `INDEX(source; f)`, for the elements of a list.",
      ("INDEX(.id)", "[{\"id\": 1}]", ["{\"1\": {\"id\": 1}}"])),
    Builtin(
      "tostream",
      "def down($path): if (type == \"array\" or type == \"object\") and length > 0 then (keys_unsorted as $keys | ($keys[] as $key | .[$key] | down($path + [$key])), [$path + [$keys[-1]]]) else [$path, .] end; down([])",
      "Paths with their scalars, and the path of the last value of each container.", nil),
  ]
}
