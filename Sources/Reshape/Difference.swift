/// A deliberate difference from jq 1.6.
///
/// One table of differences serves the reference page and the tests.
package struct Difference: Sendable {
  /// A sentence that describes the difference.
  package let what: String
  package let program: String
  package let input: String
  /// The results here, in JSON; nil for an error.
  package let results: [String]?
  /// The behaviour of jq 1.6.
  package let jq: String

  package static let all: [Difference] = [
    .init(
      what: "Numbers that are passed on keep their digits.", program: ".id", input: "{\"id\": 12345678901234567890}",
      results: ["12345678901234567890"], jq: "12345678901234567000"),
    .init(
      what: "Numbers keep their digits when they become texts, too.", program: "tostring", input: "1.10",
      results: ["\"1.10\""],
      jq: "\"1.1\""),
    .init(
      what: "Numbers that are passed on compare by their exact values.", program: ".[0] == .[1]",
      input: "[9007199254740993, 9007199254740992]", results: ["false"], jq: "true"),
    .init(
      what: "`else` may be left out, as in jq 1.7: the input is the result.", program: "if . > 1 then \"big\" end",
      input: "1", results: ["1"], jq: "refused"),
    .init(
      what: "`try` catches only errors of its body, as in jq 1.7: errors after it are not caught.",
      program: "try ((1?) | error(\"x\")) catch .", input: "null", results: ["\"x\""], jq: "no result"),
    .init(
      what: "`error(null)` is an error like any other, as in jq 1.7.", program: "try error(null) catch .",
      input: "null", results: ["null"], jq: "no result"),
    .init(
      what: "An assignment without a result removes all of its elements, as in jq 1.7.",
      program: "(.[] | select(. >= 2)) |= empty", input: "[1, 2, 3]", results: ["[1]"], jq: "[1,3]"),
    .init(
      what: "`limit(0; f)` has no results, as in jq 1.7.", program: "[limit(0; 1, 2)]", input: "null", results: ["[]"],
      jq: "[1]"),
    .init(
      what: "An index with a fraction is rounded down, as in jq 1.7.", program: ".[1.7]", input: "[1, 2, 3]",
      results: ["2"], jq: "null"),
    .init(
      what: "`repeat` begins with its input, as its description says.", program: "[limit(3; repeat(. * 2))]",
      input: "1", results: ["[1,2,4]"], jq: "[2,2,2]"),
    .init(
      what: "With `g` an empty match at the end is found too, as in jq 1.7.", program: "[match(\"\"; \"g\").offset]",
      input: "\"ab\"", results: ["[0,1,2]"], jq: "[0,1]"),
    .init(
      what: "`gsub` with `^` replaces once, as in jq 1.7.", program: "gsub(\"^a\"; \"b\")", input: "\"aaa\"",
      results: ["\"baa\""], jq: "\"bbb\""),
    .init(
      what: "`@uri` keeps the unreserved signs of RFC 3986 only, as in jq 1.7.", program: "@uri", input: "\"a!\"",
      results: ["\"a%21\""], jq: "\"a!\""),
    .init(
      what: "`@html` writes an apostrophe as `&#39;`, which is also valid in HTML 4.", program: "@html", input: "\"'\"",
      results: ["\"&#39;\""], jq: "\"&apos;\""),
    .init(
      what: "`indices` counts Unicode scalars, as in jq 1.7.", program: "indices(\"b\")", input: "\"éb\"",
      results: ["[1]"], jq: "[2]"),
    .init(
      what: "`from_entries` writes names that are not texts as JSON, as in jq 1.7.", program: "from_entries",
      input: "[{\"key\": 1, \"value\": 2}, {\"key\": false}]", results: ["{\"1\":2,\"false\":null}"], jq: "an error"),
    .init(
      what: "A path is made of steps: a constant or variable has no path, even where it is equal to the input.",
      program: "1 |= 2", input: "1", results: nil, jq: "2"),
    .init(
      what: "`reduce` and `foreach` may find paths, as in jq 1.7.", program: "[path(reduce 1 as $x (.; .a))]",
      input: "{\"a\": 1}", results: ["[[\"a\"]]"], jq: "an error"),
    .init(
      what: "White space in a format of `strptime` needs a space in the text.", program: "strptime(\"%d %b %Y\")",
      input: "\"05Mar2015\"", results: nil, jq: "[2015,2,5,0,0,0,4,63]"),
    .init(
      what: "`%Z` reads `UTC`, `GMT` or an offset; jq ignores any other zone.", program: "strptime(\"%Y-%m-%d %Z\")",
      input: "\"2015-03-05 EST\"", results: nil, jq: "[2015,2,5,0,0,0,4,63]"),
    .init(
      what:
        "Patterns have no look-around, no back references and no possessive repetition; in exchange each is matched in linear time.",
      program: "test(\"a(?=b)\")", input: "\"ab\"", results: nil, jq: "true"),
    .init(
      what:
        "`?//`, modules, `$ENV`, `env`, `input`, `now`, `debug` and everything else that uses more than the input are refused when the program is parsed.",
      program: "input", input: "null", results: nil, jq: "the next input"),
  ]
}
