import Testing

@testable import ResponseFormats

@Suite struct MemberPatternTests {
  @Test(arguments: [
    ("*.csv", "a.csv", true), ("*.csv", "x/y/a.csv", true), ("*.csv", "a.csv.bak", false), ("*.csv", "a.CSV", false),
    ("x/*.csv", "x/a.csv", true), ("x/*.csv", "x/y/a.csv", false), ("/x.csv", "x.csv", true),
    ("/x.csv", "a/x.csv", false),
    ("/*.csv", "a/x.csv", false), ("a?.csv", "ab.csv", true),
    ("a?.csv", "a.csv", false),
    ("*a*b*", "xaxbx", true), ("*a*b*", "xbxa", false), ("", "a", false), ("*", "a", true),
    ("*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 5000), false),
  ]) func `patterns match names`(_ pattern: String, _ name: String, _ matches: Bool) {
    #expect(MemberPattern(pattern).matches(name) == matches)
  }
}
