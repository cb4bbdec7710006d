import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONPathParsingTests {
  @Test(arguments: [
    "$", "$.a", "$.a.b[0]['c']", "$ .a", "$\n[0]\t.b", "$[ 'a' , \"b\" ]", "$.*", "$[*]", "$..*", "$..a", "$..[0,1]",
    "$..['a']", "$[-1]", "$[0]", "$[9007199254740991]", "$[-9007199254740991]", "$[:]", "$[::]", "$[1:]", "$[:1]",
    "$[1:2:3]", "$[ 1 : 2 : 3 ]", "$[::-1]", "$[5:1:-2]", "$._a", "$.é", "$.a1", "$.☺", "$['\\u00e9\\uD834\\udd1e']",
    "$['\\b\\f\\n\\r\\t\\/\\\\\\'']", "$[\"\\\"'\"]", "$[?@]", "$[?@.a]", "$[? @.a ]", "$[?@.a,?@.b,0]", "$[?!@.a]",
    "$[?! @.a]", "$[?!(@.a == 1)]", "$[?(@.a)]", "$[?((@.a)&&(@.b))]", "$[?@.a==1]", "$[?1==@.a]", "$[?@.a == $.b]",
    "$[?@.a=='x']", "$[?@.a==true||@.b==false&&@.c==null]", "$[?@.a==-0]", "$[?@.a==-0.5e+10]", "$[?@.a==1E2]",
    "$[?@['a'][0]==1]", "$[?@ [0] .a==1]", "$[?@[?@.a>1]]", "$[?@..a]", "$[?@.*]", "$[?$.a]", "$[?length(@.a)>1]",
    "$[?length('abc')==3]", "$[?length(value(@.*))==3]", "$[?count(@.*)==count($..*)]", "$[?match(@.a,'b.*')]",
    "$[?search( @.a , \"b\" )]", "$[?!match(@.a, $.pattern)]", "$[?value(@..a)=='b']", "$[?count(@['a','b'])>1]",
    "$.length", "$.true", "$.null.and.or.in", "$[?@.a<1&&@.a<=1&&@.a>1&&@.a>=1&&@.a!=1]",
    "$[0] ['a'] .b ..c", "$[?@.a==9999999999999999999999999999]",
  ])
  func `a query of the grammar is taken`(_ text: String) throws {
    #expect(try JSONPath(parsing: text).text == text)
  }

  @Test(arguments: [
    ("", "empty", 0), (" $", "white space before", 0), ("$ ", "white space after", 1), ("a", "write '$.a'", 0),
    ("@.a", "only inside a filter", 0), (".a", "starts with '$'", 0), ("/a/b", "dots between names", 0),
    ("$a", "'.', '[' or the end", 1), ("$.", "ends after '.'", 2), ("$..", "ends after '..'", 3),
    ("$...a", "'...' is not known", 3), ("$. a", "white space after '.'", 2), ("$.. a", "white space after '..'", 3),
    ("$.1", "cannot start with a digit", 2), ("$.'a'", "must be in brackets", 2),
    ("$.[0]", "no '.' is allowed before", 2),
    ("$.a-b", "['a-b']", 3), ("$.&", "a name or '*' must follow", 2), ("$.a)", "not ')'", 3),
    ("$.a.length()", "only in filters", 10), ("$]", "']' without", 1), ("$[]", "empty brackets", 2),
    ("$[ ]", "empty brackets", 3), ("$[", "ends inside", 2), ("$[0", "']' is missing", 3), ("$[0 1]", "',' or ']'", 4),
    ("$[0,]", "must follow ','", 4), ("$[,0]", "was expected, not ','", 2), ("$[a]", "['a']", 2),
    ("$[a-b]", "['a-b']", 2), ("$[(@.length-1)]", "[-1] selects the last", 2), ("$[@.a]", "must be a filter", 2),
    ("$[$.a]", "must be a filter", 2), ("$[+1]", "cannot start with '+'", 2), ("$[01]", "leading zeros", 2),
    ("$[-0]", "'-0'", 2),
    ("$[-01]", "leading zeros", 2), ("$[1.0]", "whole number", 2), ("$[1e2]", "whole number", 2),
    ("$[- 1]", "digits must follow '-'", 3), ("$[9007199254740992]", "outside", 2),
    ("$[-9007199254740992]", "outside", 2), ("$[231584178474632390847141970017375815706539969331281]", "outside", 2),
    ("$[1:01]", "leading zeros", 4), ("$[1:2:-0]", "'-0'", 6), ("$[1:2:3:4]", "',' or ']'", 7),
    ("$[:::]", "',' or ']'", 4), ("$['a]", "opened at offset 2", 5), ("$['a\\x']", "not an escape", 4),
    ("$['\\\"']", "only the quote", 3), ("$[\"\\'\"]", "only the quote", 3), ("$['\\u12']", "four hexadecimal", 3),
    ("$['\\uD800']", "without a low one", 3), ("$['\\uD800\\u0041']", "without a low one", 3),
    ("$['\\uDC00']", "without a high one", 3), ("$['\\U0041']", "not an escape", 3), ("$['\n']", "U+000A in quotes", 3),
    ("$['a\\", "in the middle of an escape", 4), ("$[“a”]", "['“a”']", 2),
  ])
  func `a selector outside the grammar is refused with a reason and an offset`(
    _ text: String, _ reason: String, _ offset: Int
  ) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "")")
    #expect(error?.offset == offset, "\(text): \(error?.message ?? "")")
  }

  @Test(arguments: [
    ("$[?]", "missing before ']'", 3), ("$[?@.a", "']' is missing", 6), ("$[?(@.a]", "opened at offset 3", 7),
    ("$[?@.a=1]", "'=' must be written '=='", 6), ("$[?@.a===1]", "'===' must be written '=='", 6),
    ("$[?@.a!==1]", "'!==' must be written '!='", 6), ("$[?@.a<>1]", "'<>' must be written '!='", 6),
    ("$[?@.a=~'b']", "match(", 6), ("$[?@.a&@.b]", "'&&'", 6), ("$[?@.a|@.b]", "'||'", 6),
    ("$[?@.a and @.b]", "'and' must be written '&&'", 7), ("$[?@.a or @.b]", "'or' must be written '||'", 7),
    ("$[?@.a in ['b']]", "'in' must be written", 7), ("$[?@.a+1==2]", "have no arithmetic", 6),
    ("$[?@.a==1==true]", "cannot be chained", 9), ("$[?!@.a==1]", "needs parentheses", 3), ("$[?!!@.a]", "'!!'", 4),
    ("$[?!1]", "a literal alone", 4), ("$[?(@.a)==1]", "in parentheses cannot be compared", 3),
    ("$[?1==(@.a)]", "in parentheses cannot be compared", 6), ("$[?true]", "a literal alone", 3),
    ("$[?'a']", "a literal alone", 3), ("$[?1]", "a literal alone", 3), ("$[?@.a&&true]", "a literal alone", 8),
    ("$[?true||@.a]", "a literal alone", 3), ("$[?(1)]", "a literal alone", 4), ("$[?@.a==]", "missing before ']'", 8),
    ("$[?==1]", "was expected, not '='", 3), ("$[?@.a==True]", "written true", 8),
    ("$[?@.a==None]", "written null", 8), ("$[?@.a==b]", "'b' is not known", 8), ("$[?a==1]", "'a' is not known", 3),
    ("$[?@.a==.5]", "a number with a digit", 8), ("$[?@.a==1.]", "digits must follow '.'", 10),
    ("$[?@.a==01]", "leading zeros", 8), ("$[?@.a==1e]", "digits must follow the 'e'", 10),
    ("$[?@.a==+1]", "cannot start with '+'", 8), ("$[?@.a==- 1]", "digits must follow '-'", 9),
    ("$[?@.a==1eE1]", "digits must", 10),
    ("$[?@.a==[1]]", "a list or object", 8), ("$[?@.a=={}]", "a list or object", 8),
    ("$[?@.*==1]", "several nodes", 3), ("$[?@..a==1]", "several nodes", 3), ("$[?1==@[0,1]]", "several nodes", 6),
    ("$[?@[0:1]==1]", "several nodes", 3), ("$[?$[?@.a]==1]", "several nodes", 3), ("$[? ]", "missing before ']'", 4),
    ("$[?@.a==@.b ==1]", "cannot be chained", 12), ("$[?.a]", "starts with '@'", 3),
    ("$[?@.a ||]", "missing before ']'", 9),
    ("$[?@.a && && @.b]", "was expected, not '&'", 10),
  ])
  func `a filter outside the grammar is refused with a reason and an offset`(
    _ text: String, _ reason: String, _ offset: Int
  ) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "")")
    #expect(error?.offset == offset, "\(text): \(error?.message ?? "")")
  }

  @Test(arguments: [
    ("$[?length(@.a)]", "returns a value", 3), ("$[?count(@.*)]", "returns a value", 3),
    ("$[?value(@.*)]", "returns a value", 3), ("$[?!length(@.a)]", "returns a value", 4),
    ("$[?match(@.a,'b')==true]", "returns true or false", 3),
    ("$[?1==search(@.a,'b')]", "returns true or false", 6),
    ("$[?length(@.*)<3]", "several nodes", 10), ("$[?length(@.a==1)<3]", "a test is not a value", 10),
    ("$[?length((@.a))<3]", "a test is not a value", 10), ("$[?length(match(@.a,'b'))<3]", "true or false", 10),
    ("$[?count(1)==1]", "count takes a query", 9), ("$[?count((@.*))==1]", "count takes a query", 9),
    ("$[?count(length(@))==1]", "count takes a query", 9), ("$[?value('a')==1]", "value takes a query", 9),
    ("$[?length()==1]", "one argument, not 0", 3), ("$[?length(@,@)==1]", "one argument, not 2", 3),
    ("$[?match(@.a)]", "two arguments, not 1", 3), ("$[?match(@.*,'b')]", "several nodes", 9),
    ("$[?match(@.a,@.*)]", "several nodes", 13), ("$[?size(@.a)==1]", "no function 'size'", 3),
    ("$[?Length(@.a)==1]", "no function 'Length'", 3), ("$[?length (@.a)==1]", "must directly follow", 9),
    ("$[?length==1]", "must directly follow", 9), ("$[?length(@.a]", "',' or ')'", 13),
    ("$[?length(@.a,)==1]", "missing before ')'", 14),
    ("$[?length(,@.a)==1]", "missing before ','", 10), ("$[?match(@.a,'(a{999}){999}')]", "repetitions", 13),
  ])
  func `a function that is ill-typed is refused with a reason and an offset`(
    _ text: String, _ reason: String, _ offset: Int
  ) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(parsing: text) }
    #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "")")
    #expect(error?.offset == offset, "\(text): \(error?.message ?? "")")
  }

  @Test func `every cut or changed query is taken or refused with an offset inside it`() throws {
    let seeds = [
      "$.a['b'][0][1:2:-1]..*[?@.c == 'd' && !(length(@.e) > -1.5e2) || match(@['f'], \"g\\u00e9\")]",
      "$[?count($..['x','y']) != 2, ?value(@.a) <= null][ -1 , \"\\\\\" ]",
    ]
    let signs = Array("$@.*[](),:?!&|=<>'\"\\-+01 eaul\n\u{e9}")
    var generator = SeededGenerator(9535)
    for seed in seeds {
      let characters = Array(seed)
      for length in 0...characters.count { try check(String(characters[..<length])) }
      for _ in 0..<4000 {
        var changed = characters
        for _ in 0...Int.random(in: 0...2, using: &generator) {
          let index = Int.random(in: 0..<changed.count, using: &generator)
          let sign = signs.randomElement(using: &generator) ?? "$"
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: changed[index] = sign
          case 1: changed.insert(sign, at: index)
          default: changed.remove(at: index)
          }
        }
        try check(String(changed))
      }
    }

    func check(_ text: String) throws {
      do throws(JSONPathError) {
        let path = try JSONPath(parsing: text)
        // A query that is taken can be run.
        _ = try? path.values(in: .array([.object([:]), .string("x")]))
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
        #expect(!error.message.isEmpty && !error.message.hasSuffix("."))
      }
    }
  }

  @Test func `a pattern that can never match is a warning, not an error`() throws {
    let path = try JSONPath(parsing: "$[?match(@.a, '\\\\d+') || search(@.b, 1)]")
    #expect(path.warnings.map(\.offset) == [14, 37])
    #expect(path.warnings.first?.message.contains("[0-9]") == true)
    #expect(try JSONPath(parsing: "$[?match(@.a, '[0-9]+')]").warnings.isEmpty)
  }

  @Test func `queries are equal when written alike`() throws {
    #expect(try JSONPath(parsing: "$.a") == JSONPath(parsing: "$.a"))
    #expect(try JSONPath(parsing: "$.a") != JSONPath(parsing: "$['a']"))
    #expect(try JSONPath(parsing: "$.\u{e9}") != JSONPath(parsing: "$.e\u{301}"))
  }
}
