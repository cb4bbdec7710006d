import Testing

@testable import JSONSyntax

@Suite struct IRegexpTests {
  private func matches(_ pattern: String, _ text: String, anywhere: Bool = false) throws -> Bool? {
    var budget = 1_000_000
    return try IRegexp(parsing: pattern).matches(text, anywhere: anywhere, budget: &budget)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("ab|cd", "cd"), ("a|", ""), ("|a", "a"), ("a*", ""), ("a*", "aaa"), ("a+", "a"),
    ("a?b", "b"),
    ("a{3}", "aaa"), ("a{2,}", "aaaa"), ("a{1,3}", "aa"), ("a{0}", ""), ("a{0,1}b", "b"), ("(ab)+", "abab"),
    ("(a|b)*c", "abbac"), ("(a*)*", "aaa"), ("(a*)+b", "aab"), ("()*x", "x"), ("(|a){3}", "aa"), (".", "é"),
    (".", "\u{2028}"),
    (".", "𝄞"), ("..", "e\u{301}"), ("[abc]", "b"), ("[a-c]", "b"), ("[^a-c]", "d"), ("[-a]", "-"), ("[a-]", "-"),
    ("[^-a]", "b"), ("[--]", "-"), ("[.]", "."), ("[*+?(){}|]", "("), ("[\\]\\[\\\\]", "]"), ("[\\--0]", "."),
    ("[a^]", "^"),
    ("[^]", "^"), ("[^^]", "a"), ("\\.\\*\\\\\\^", ".*\\^"), ("\\n\\r\\t", "\n\r\t"), ("[\\n]", "\n"), ("[$]", "$"),
    ("\\p{L}", "ж"), ("\\p{Lu}", "Ж"), ("\\P{Lu}", "ж"), ("\\p{Nd}+", "12٣"), ("[\\p{L}\\p{N}_]+", "aЖ1_"),
    ("[^\\p{L}]", "1"),
    ("[\\P{L}]", "1"), ("\\p{Zs}", " "), ("\\p{Sc}", "€"), ("\\p{P}", "!"), ("\\p{Cc}", "\u{1}"),
    ("\\p{Cn}", "\u{378}"),
    ("\\p{Co}", "\u{E000}"), ("\\p{Me}", "\u{488}"), ("^ab$", "ab"), ("^^ab$$", "ab"), ("(^a|b)c", "ac"),
    ("a($|b)", "a"),
    ("a,b-c/d:e@f~g", "a,b-c/d:e@f~g"), ("ab{2}c", "abbc"), ("(a{2}){2}", "aaaa"), ("[0-9]{4}-[0-9]{2}", "2024-05"),
  ])
  func `a pattern matches the whole text`(_ pattern: String, _ text: String) throws {
    #expect(try matches(pattern, text) == true)
  }

  @Test(arguments: [
    ("", "a"), ("a", "b"), ("a", "aa"), ("a+", ""), ("a{3}", "aa"), ("a{3}", "aaaa"), ("a{2,}", "a"),
    ("a{1,3}", "aaaa"),
    ("a{0}", "a"), (".", "\n"), (".", "\r"), (".", ""), (".", "ab"), ("[^a]", "a"), ("[^a]", ""), ("[a-c]", "d"),
    ("\\p{Lu}", "ж"), ("\\P{L}", "a"), ("[^\\P{L}]", "1"), ("\\p{Cs}?x", "x"), ("a^b", "ab"), ("a$b", "ab"),
    ("\u{e9}", "e\u{301}"),
    ("A", "a"), ("(a|b)*c", "abd"), ("ab|cd", "abd"),
  ])
  func `a pattern does not match the whole text`(_ pattern: String, _ text: String) throws {
    if pattern.contains("Cs") {
      #expect(throws: IRegexpError.self) { try IRegexp(parsing: pattern) }
    } else {
      #expect(try matches(pattern, text) == false)
    }
  }

  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("^a", "abc", true), ("c$", "abc", true), ("b$", "abc", false),
    ("", "", true),
    ("x*", "abc", true), ("b.d", "abcd", true), ("^$", "", true), ("^$", "a", false), ("(ab|bc)d", "abcd", true),
    ("d", "", false),
    ("𝄞", "a𝄞b", true), ("a{3}", "aabaaab", true), ("$", "abc", true),
  ])
  func `a pattern is found in a part of the text`(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try matches(pattern, text, anywhere: true) == expected)
  }

  @Test(arguments: [
    "(", ")", "a)", "(a", "[", "]", "a]", "[]", "[a", "[^", "[b-a]", "[a-c-e]", "[a--]", "[[]", "[a-\\p{L}]", "*", "+a",
    "?", "{", "}",
    "a{", "a{}", "a{,3}", "a{3,1}", "a{1", "a{1,", "a{x}", "a**", "a*?", "a++", "a{2}{3}", "a{2}+", "\\", "a\\", "\\d",
    "\\w", "\\s", "\\b",
    "\\1", "\\u0041", "\\x41", "\\$", "\\/", "\\\"", "\\a", "\\p", "\\pL", "\\p{", "\\p{}", "\\p{X}", "\\p{Lx}",
    "\\p{Letter}", "\\p{IsBasicLatin}",
    "\\p{^L}", "(?:a)", "(?=a)", "(?<n>a)", "(?i)a", "a{2 }", "a|*",
  ])
  func `what RFC 9485 does not know is refused`(_ pattern: String) {
    let error = #expect(throws: IRegexpError.self) { try IRegexp(parsing: pattern) }
    #expect(error?.isLimit == false)
  }

  @Test(arguments: ["(a{1000}){1000}", "((a{99}){99}){99}", "a{99999999999999999999}", "a{10001}", "(a{0,5000}){3}"])
  func `repetitions beyond the bound are refused at once`(_ pattern: String) {
    let error = #expect(throws: IRegexpError.self) { try IRegexp(parsing: pattern) }
    #expect(error?.isLimit == true)
  }

  @Test func `groups beyond the bound are refused`() {
    let error = #expect(throws: IRegexpError.self) {
      try IRegexp(parsing: String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000))
    }
    #expect(error?.isLimit == true)
  }

  @Test func `an empty group repeated a billion times costs nothing`() throws {
    #expect(try matches("(){1000000000}a", "a") == true)
  }

  @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*)(.*)(.*)(.*)(.*)b", "(a?){40}a{40}b"])
  func `no pattern takes more than its size times the length of the text`(_ pattern: String) throws {
    let compiled = try IRegexp(parsing: pattern)
    let text = String(repeating: "a", count: 2000)
    let bound = (compiled.size + 1) * 2001
    for anywhere in [false, true] {
      var budget = bound
      #expect(compiled.matches(text, anywhere: anywhere, budget: &budget) == false)
    }
    var little = 100
    #expect(compiled.matches(text, anywhere: false, budget: &little) == nil)
  }

  @Test(arguments: [
    ("L", "Ll", "a"), ("L", "Lm", "ʰ"), ("L", "Lo", "ª"), ("L", "Lt", "ǅ"), ("L", "Lu", "Z"), ("M", "Mc", "\u{903}"),
    ("M", "Me", "\u{488}"), ("M", "Mn", "\u{301}"), ("N", "Nd", "٣"), ("N", "Nl", "Ⅷ"), ("N", "No", "²"),
    ("P", "Pc", "_"),
    ("P", "Pd", "-"), ("P", "Pe", ")"), ("P", "Pf", "»"), ("P", "Pi", "«"), ("P", "Po", "!"), ("P", "Ps", "("),
    ("Z", "Zl", "\u{2028}"), ("Z", "Zp", "\u{2029}"), ("Z", "Zs", "\u{a0}"), ("S", "Sc", "€"), ("S", "Sk", "^"),
    ("S", "Sm", "+"),
    ("S", "So", "©"), ("C", "Cc", "\u{7f}"), ("C", "Cf", "\u{ad}"), ("C", "Cn", "\u{378}"), ("C", "Co", "\u{e000}"),
  ])
  func `a scalar is in its general category, its group and no other`(
    _ group: String, _ category: String, _ text: String
  ) throws {
    let names = [
      "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf",
      "Pi",
      "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C", "Cc", "Cf", "Cn", "Co",
    ]
    #expect(
      try names.filter { try matches("\\p{\($0)}", text) == true } == names.filter { $0 == group || $0 == category })
    #expect(
      try names.filter { try matches("\\P{\($0)}", text) == false } == names.filter { $0 == group || $0 == category })
  }
}
