import JSONSyntax
import Testing

@Suite struct JSONPathFilterTests {
  /// Whether `$[?left op right]` selects the only element of a list that holds `{"o":…, "l":…}`.
  private func holds(_ condition: String) throws -> Bool {
    let document = try json(
      #"[{"o":{"x":"y","z":[1,{"w":null}]},"p":{"z":[1.0,{"w":null}],"x":"y"},"l":[2,3],"m":[3,2],"s":"a","n":null}]"#)
    return try !JSONPath(parsing: "$[?\(condition)]").values(in: document).isEmpty
  }

  @Test(arguments: [
    "1==1", "1==1.0", "100==1e2", "-0==0", "0.1==1e-1", "9007199254740993!=9007199254740992", "1<2", "2>1", "1<=1",
    "10>9", "'10'<'9'", "-2<-1", "9007199254740992<9007199254740993", "0.30000000000000004>0.3", "1e400>1e399",
    "'a'=='a'", "'a'<'b'", "'a'<'aa'", "''<'a'", "'Z'<'a'", "'a'<'\\u00e4'", "'\\uFFFD'<'\\uD834\\uDD1E'",
    "'\\u00e9'!='e\\u0301'", "'\\u00e9'>'e\\u0301'", "true==true", "true!=false", "null==null", "true<=true",
    "null>=null",
    "1!='1'", "1!=true", "0!=false", "null!=false", "@.o==@.o", "@.o==@.p", "@.o<=@.p", "@.l!=@.m", "@.l==@.l",
    "@.l>=@.l", "@.l!=@.o", "@.a==@.b", "@.a<=@.b", "@.a>=@.b", "@.a!=@.n", "@.a!=null", "@.n==null", "@.a!=1",
    "@.n", "!@.a", "@.o.x=='y'", "@.l[-1]==3", "$[0].s==@.s", "@.a==value(@.*)", "@.a==length(@.n)",
    "length(@.a)==length(1)", "!(1==2)", "1==2||2==2", "1==1&&2==2", "1==1||1==2&&1==3", "(1==2||2==2)&&3==3",
    "!(1==2&&2==2)", "@.l[?@==3]", "$", "@", "@.n||@.a",
  ])
  func `a condition holds`(_ condition: String) throws {
    #expect(try holds(condition))
  }

  @Test(arguments: [
    "1!=1.0", "1==2", "1==1.0000000000000000000001", "9007199254740993==9007199254740992", "1<1", "1>1", "'a'<1",
    "1<'a'", "'9'<10", "true<false",
    "false<true", "true>false", "null<1", "null<null", "@.o<@.p", "@.l<@.m", "@.l>@.m", "@.o!=@.p", "@.a<@.b",
    "@.a>@.b",
    "@.a<1", "1>=@.a", "@.a!=@.b", "@.a==null", "@.a==false", "@.a", "!@.n", "!@.s", "1==1&&1==2", "(1==1||1==2)&&1==2",
    "!(1==1)", "'\\u00e9'=='e\\u0301'", "''==null", "@.l==@.m", "0==false", "'1'==1", "@[?@==9]", "true==1",
  ])
  func `a condition does not hold`(_ condition: String) throws {
    #expect(try !holds(condition))
  }

  @Test func `a filter goes over members and elements and nothing else`() throws {
    let path = try JSONPath(parsing: "$[?@>1]")
    #expect(try text(path.values(in: json("[1,2,3]"))) == "[2,3]")
    #expect(try text(path.values(in: json(#"{"a":1,"b":2}"#))) == "[2]")
    for document in ["5", "\"abc\"", "null", "true"] { #expect(try path.values(in: json(document)).isEmpty) }
  }

  @Test(arguments: [
    ("length(@)==2", #"["ab","é!",[1,2],{"a":1,"b":2},"e\u0301"]"#), ("length(@)==1", #"["\u{1D11E}"]"#),
    ("length(@)==0", #"["",[],{}]"#), ("length(@)!=length(@)", "[]"),
  ])
  func `length counts scalars, elements and members`(_ condition: String, _ expected: String) throws {
    let document = try json(#"["ab","é!",[1,2],{"a":1,"b":2},"e\u0301","𝄞","",[],{},12,true,null]"#)
    let values = try JSONPath(parsing: "$[?\(condition)]").values(in: document)
    let wanted = try json(expected.replacing("\\u{1D11E}", with: "𝄞"))
    #expect(JSONValue.array(values).isEquivalent(to: wanted))
  }

  @Test func `count counts nodes and value takes a single one`() throws {
    let document = try json(#"[{"a":[1,1]},{"a":[1]},{"a":[]},{}]"#)
    #expect(text(try JSONPath(parsing: "$[?count(@.a[*])==2]").values(in: document)) == #"[{"a":[1,1]}]"#)
    #expect(text(try JSONPath(parsing: "$[?value(@.a[*])==1]").values(in: document)) == #"[{"a":[1]}]"#)
    #expect(try JSONPath(parsing: "$[?count(@['a','a'])==2]").values(in: document).count == 3)
  }

  @Test func `match covers the whole text and search a part`() throws {
    let document = try json(#"["abc","xabcx","ab",1,null,["abc"],"a\nc"]"#)
    #expect(text(try JSONPath(parsing: "$[?match(@,'a.c')]").values(in: document)) == #"["abc"]"#)
    #expect(text(try JSONPath(parsing: "$[?search(@,'a.c')]").values(in: document)) == #"["abc","xabcx"]"#)
    #expect(try JSONPath(parsing: "$[?match(@,1)]").values(in: document).isEmpty)
    #expect(try JSONPath(parsing: "$[?search(@,'a(')]").values(in: document).isEmpty)
    #expect(try JSONPath(parsing: "$[?search(1,'1')]").values(in: document).isEmpty)
  }

  @Test func `a pattern may come from the document`() throws {
    let document = try json(
      #"{"patterns":["a+","(","b"],"rows":[{"t":"aa","p":"a+"},{"t":"b","p":"("},{"t":"b","p":"b"}]}"#)
    #expect(try JSONPath(parsing: "$.rows[?match(@.t,@.p)]").values(in: document).count == 2)
    #expect(try JSONPath(parsing: "$.rows[?match(@.t,$.patterns[0])]").values(in: document).count == 1)
    #expect(try JSONPath(parsing: "$.rows[?match(@.t,$.absent)]").values(in: document).isEmpty)
  }
}
