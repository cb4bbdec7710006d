extension Builtin {
  /// Built-ins for lists, objects and paths.
  static let lists: [Builtin] = [
    Builtin(
      "select(test)", "if test then . else empty end", "The input if the test is true, otherwise no result.",
      ("map(select(. > 1))", "[1, 2, 3]", ["[2, 3]"])),
    Builtin(
      "map(f)", "[.[] | f]", "A list of the results of `f` for every element.", ("map(. + 1)", "[1, 2]", ["[2, 3]"])),
    Builtin(
      "map_values(f)", ".[] |= f",
      "The same container with every value changed; values for which `f` has no result are removed.",
      ("map_values(. + 1)", "{\"a\": 1}", ["{\"a\": 2}"])),
    Builtin(
      "recurse(f)", "def down: ., (f | down); down", "The input, the results of `f` for it, and so on for each result.",
      ("[recurse(if . < 3 then . + 1 else empty end)]", "1", ["[1, 2, 3]"])),
    Builtin(
      "recurse", "recurse(.[]?)", "The input and all values inside of it; also written `..`.",
      ("[.. | numbers]", "[1, [2]]", ["[1, 2]"])),
    Builtin(
      "recurse(f; test)", "def down: ., (f | select(test) | down); down",
      "Like `recurse(f)`, but only with results for which the test is true.",
      ("[recurse(. * .; . < 100)]", "2", ["[2, 4, 16]"])),
    Builtin("recurse_down", "recurse", "As `recurse`.", ("[recurse_down]", "[1]", ["[[1], 1]"])),
    Builtin(
      "keys", nil, "The sorted names of an object, or the indices of a list.",
      ("keys", "{\"b\": 1, \"a\": 2}", ["[\"a\", \"b\"]"])),
    Builtin(
      "keys_unsorted", nil, "The names of an object in their order, or the indices of a list.",
      ("keys_unsorted", "{\"b\": 1, \"a\": 2}", ["[\"b\", \"a\"]"])),
    Builtin(
      "has(key)", nil, "Whether the input has a name or an index.",
      ("map(has(\"a\"))", "[{\"a\": 1}, {}]", ["[true, false]"])),
    Builtin(
      "in(whole)", ". as $key | whole | has($key)", "Whether the input is a name or an index of another value.",
      ("in({\"a\": 1})", "\"a\"", ["true"])),
    Builtin(
      "contains(part)", nil,
      "Whether the input contains all of a value: a part of a text, elements of a list, members of an object, also nested.",
      ("contains({a: [\"x\"]})", "{\"a\": [\"xy\", 1], \"b\": 2}", ["true"])),
    Builtin(
      "inside(whole)", ". as $part | whole | contains($part)", "`contains` with input and argument exchanged.",
      ("inside(\"abc\")", "\"b\"", ["true"])),
    Builtin(
      "path(f)", nil, "The paths of the values that `f` finds.",
      ("[path(.a[])]", "{\"a\": [5, 6]}", ["[[\"a\", 0], [\"a\", 1]]"])),
    Builtin(
      "getpath(path)", nil, "The value at a path, or `null`.",
      ("getpath([\"a\", \"b\"])", "{\"a\": {\"b\": 1}}", ["1"])),
    Builtin(
      "setpath(path; value)", nil, "The input with a value at a path.",
      ("setpath([\"a\", 0]; 1)", "null", ["{\"a\": [1]}"])),
    Builtin(
      "delpaths(paths)", nil, "The input without the values at the paths.",
      ("delpaths([[\"a\"]])", "{\"a\": 1, \"b\": 2}", ["{\"b\": 2}"])),
    Builtin(
      "del(f)", "delpaths([path(f)])", "The input without the values that `f` finds.",
      ("del(.[0, 2])", "[1, 2, 3]", ["[2]"])),
    Builtin(
      "paths", "path(..) | if length > 0 then . else empty end", "The paths of all values inside of the input.",
      ("[paths]", "{\"a\": [1]}", ["[[\"a\"], [\"a\", 0]]"])),
    Builtin(
      "paths(test)", ". as $whole | paths | . as $path | if ($whole | getpath($path) | test) then . else empty end",
      "The paths of the values for which a test is true.",
      ("[paths(type == \"number\")]", "{\"a\": [1]}", ["[[\"a\", 0]]"])),
    Builtin(
      "leaf_paths", "paths(type != \"array\" and type != \"object\")", "The paths of all scalars.",
      ("[leaf_paths]", "{\"a\": [1]}", ["[[\"a\", 0]]"])),
    Builtin(
      "pick(f)", ". as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)))",
      "Only the values that `f` finds, at their paths.",
      ("pick(.a.b)", "{\"a\": {\"b\": 1, \"c\": 2}}", ["{\"a\": {\"b\": 1}}"]),
      isNew: true),
    Builtin(
      "to_entries", nil, "An object as a list of `{key, value}`.",
      ("to_entries", "{\"a\": 1}", ["[{\"key\": \"a\", \"value\": 1}]"])),
    Builtin(
      "from_entries", nil, "An object from a list of `{key, value}` or `{name, value}`.",
      ("from_entries", "[{\"name\": \"a\", \"value\": 1}]", ["{\"a\": 1}"])),
    Builtin(
      "with_entries(f)", "to_entries | map(f) | from_entries", "The object with `f` applied to its entries.",
      ("with_entries(.key |= \"x\" + .)", "{\"a\": 1}", ["{\"xa\": 1}"])),
    Builtin(
      "walk(f)", "def up: if type == \"object\" or type == \"array\" then map_values(up) else . end | f; up",
      "The input with `f` applied to every value, inner values first.",
      ("walk(if type == \"number\" then -. else . end)", "[1, [2]]", ["[-1, [-2]]"])),
    Builtin(
      "add", "reduce .[] as $one (null; . + $one)", "The sum of all elements.",
      ("map(add)", "[[1, 2], [\"a\", \"b\"], []]", ["[3, \"ab\", null]"])),
    Builtin(
      "any(source; test)", "label $done | (source | if test then true, break $done else empty end), false",
      "Whether the test is true for some value of a source.", ("any(.[]; . > 1)", "[1, 2]", ["true"])),
    Builtin(
      "any(test)", "any(.[]; test)", "Whether the test is true for some element.", ("any(. > 1)", "[1, 2]", ["true"])),
    Builtin("any", "any(.[]; .)", "Whether some element is true.", ("any", "[false, true]", ["true"])),
    Builtin(
      "all(source; test)", "label $done | (source | if test then empty else false, break $done end), true",
      "Whether the test is true for all values of a source.", ("all(.[]; . > 1)", "[1, 2]", ["false"])),
    Builtin(
      "all(test)", "all(.[]; test)", "Whether the test is true for all elements.", ("all(. > 0)", "[1, 2]", ["true"])),
    Builtin("all", "all(.[]; .)", "Whether all elements are true.", ("all", "[false, true]", ["false"])),
    Builtin(
      "flatten", "_flatten(1e9)", "The list with inner lists replaced by their elements.",
      ("flatten", "[1, [2, [3]]]", ["[1, 2, 3]"])),
    Builtin("_flatten(levels)"),
    Builtin(
      "flatten(levels)", "_flatten(levels)", "Like `flatten`, for this number of levels.",
      ("flatten(1)", "[1, [2, [3]]]", ["[1, 2, [3]]"])),
    Builtin(
      "sort", nil, "Sorted: null, false, true, numbers, texts, lists, objects.",
      ("sort", "[\"b\", 2, null, \"a\"]", ["[null, 2, \"a\", \"b\"]"])),
    Builtin(
      "sort_by(f)", "_sort_by(map([f]))", "The elements sorted by the results of `f`.",
      ("sort_by(-.)", "[1, 3, 2]", ["[3, 2, 1]"])
    ),
    Builtin(
      "group_by(f)", "_group_by(map([f]))", "Lists of elements with equal results of `f`, sorted by these results.",
      ("group_by(. % 2)", "[1, 2, 3]", ["[[2], [1, 3]]"])),
    Builtin("unique", nil, "The elements sorted, without repetitions.", ("unique", "[2, 1, 2]", ["[1, 2]"])),
    Builtin(
      "unique_by(f)", "_unique_by(map([f]))", "The first element of each group of `group_by(f)`.",
      ("unique_by(length)", "[\"a\", \"b\", \"cc\"]", ["[\"a\", \"cc\"]"])),
    Builtin("min", nil, "The minimum of the elements.", ("min", "[2, 1]", ["1"])),
    Builtin("max", nil, "The maximum of the elements.", ("max", "[2, 1]", ["2"])),
    Builtin(
      "min_by(f)", "_min_by(map([f]))", "The element with the smallest result of `f`.",
      ("min_by(.a)", "[{\"a\": 2}, {\"a\": 1}]", ["{\"a\": 1}"])),
    Builtin(
      "max_by(f)", "_max_by(map([f]))", "The element with the greatest result of `f`.",
      ("max_by(.a)", "[{\"a\": 2}, {\"a\": 1}]", ["{\"a\": 2}"])),
    Builtin(
      "reverse", "[.[length - 1 - range(0; length)]]", "The elements from the last to the first.",
      ("reverse", "[1, 2]", ["[2, 1]"])),
    Builtin(
      "transpose", "(map(length) | max // 0) as $width | [range(0; $width) as $index | [.[][$index]]]",
      "A list of rows as a list of columns.", ("transpose", "[[1, 2], [3]]", ["[[1, 3], [2, null]]"])),
    Builtin(
      "combinations", "if length == 0 then [] else .[0][] as $first | [$first] + (.[1:] | combinations) end",
      "All combinations of one element of each list.", ("[combinations]", "[[1, 2], [3]]", ["[[1, 3], [2, 3]]"])),
    Builtin(
      "combinations(count)", ". as $all | [range(count) | $all] | combinations",
      "All combinations of this number of elements of a list.",
      ("[combinations(2)]", "[0, 1]", ["[[0, 0], [0, 1], [1, 0], [1, 1]]"])),
    Builtin("first", ".[0]", "The first element.", ("first", "[1, 2]", ["1"])),
    Builtin("last", ".[-1]", "The last element.", ("last", "[1, 2]", ["2"])),
    Builtin("nth(index)", ".[index]", "The element at an index, from 0.", ("nth(1)", "[1, 2]", ["2"])),
  ]
}
