import JSONSyntax
import Testing

@Suite struct JSONPathSelectionTests {
  private static let shop = """
    {"name":"corner","open":true,"items":[
      {"id":1,"title":"pen","price":2.5,"tags":["blue","fine"]},
      {"id":2,"title":"ink","price":10,"tags":[]},
      {"id":3,"title":"pad","price":10.0,"stock":{"north":4,"south":0}}],
     "owner":{"name":"Ada","id":null}}
    """

  @Test(arguments: [
    ("$.name", #"["corner"]"#), ("$['name']", #"["corner"]"#), ("$.absent", "[]"), ("$.name.length", "[]"),
    ("$.items[0].id", "[1]"), ("$.items[-1].id", "[3]"), ("$.items[3]", "[]"), ("$.items[-4]", "[]"),
    ("$.items['0']", "[]"), ("$[0]", "[]"), ("$.items[*].id", "[1,2,3]"), ("$.items.*.title", #"["pen","ink","pad"]"#),
    ("$.items[0,2,0].id", "[1,3,1]"), ("$.items[0]['title','id','x']", #"["pen",1]"#), ("$.owner.*", #"["Ada",null]"#),
    ("$.name.*", "[]"), ("$..id", "[1,2,3,null]"), ("$..name", #"["corner","Ada"]"#), ("$..stock..*", "[4,0]"),
    ("$.items[*].tags[0]", #"["blue"]"#), ("$..tags[*]", #"["blue","fine"]"#), ("$..[1].title", #"["ink"]"#),
    ("$..['id','name']", #"["corner",1,2,3,null,"Ada"]"#), ("$.items[1:].id", "[2,3]"), ("$.items[::-1].id", "[3,2,1]"),
    ("$.items[?@.tags].id", "[1,2]"), ("$.items[?@.tags[0]].id", "[1]"), ("$.items[?!@.stock].id", "[1,2]"),
    ("$.items[?@.price==10].id", "[2,3]"), ("$.items[?@.price<$.items[1].price].id", "[1]"),
    ("$.items[?count(@.*)==4].id", "[1,2,3]"), ("$.items[?length(@.tags)>=0].id", "[1,2]"),
    ("$.items[?value(@..north)==4].id", "[3]"), ("$.items[?match(@.title,'p.+')].id", "[1,3]"),
    ("$.items[?@.tags[?@=='fine']].id", "[1]"), ("$[?@.name=='Ada'].name", #"["Ada"]"#),
    ("$.items[?@.id==2,?@.id==1,0].id", "[2,1,1]"), ("$.items[?@.id>1&&@.price==10||@.id==1].id", "[1,2,3]"),
  ])
  func `a query selects what RFC 9535 says`(_ query: String, _ expected: String) throws {
    // RFC 9535 leaves the order of members open; ours is the order of the text.
    #expect(text(try JSONPath(parsing: query).values(in: json(Self.shop))) == expected)
  }

  @Test(arguments: [
    ("$[1:3]", "[1,2]"), ("$[5:]", "[5,6]"), ("$[1:5:2]", "[1,3]"), ("$[5:1:-2]", "[5,3]"),
    ("$[::-1]", "[6,5,4,3,2,1,0]"),
    ("$[:]", "[0,1,2,3,4,5,6]"), ("$[-2:]", "[5,6]"), ("$[:-5]", "[0,1]"), ("$[-100:2]", "[0,1]"),
    ("$[3:100]", "[3,4,5,6]"),
    ("$[100:]", "[]"), ("$[3:1]", "[]"), ("$[1:3:-1]", "[]"), ("$[::0]", "[]"), ("$[1:2:0]", "[]"),
    ("$[100::-3]", "[6,3,0]"), ("$[:2:-1]", "[6,5,4,3]"), ("$[2::-1]", "[2,1,0]"), ("$[-1:-4:-1]", "[6,5,4]"),
    ("$[2:-100:-1]", "[2,1,0]"), ("$[::9007199254740991]", "[0]"), ("$[::-9007199254740991]", "[6]"),
    ("$[-9007199254740991:9007199254740991:3]", "[0,3,6]"), ("$[0:0]", "[]"), ("$[1:2,0,-1:]", "[1,0,6]"),
  ])
  func `a slice selects what RFC 9535 says`(_ query: String, _ expected: String) throws {
    #expect(text(try JSONPath(parsing: query).values(in: json("[0,1,2,3,4,5,6]"))) == expected)
  }

  @Test func `a slice of an empty list and of other kinds selects nothing`() throws {
    for document in ["[]", "{}", "1", "\"abc\"", "null"] {
      #expect(try JSONPath(parsing: "$[::-1]").values(in: json(document)).isEmpty)
      #expect(try JSONPath(parsing: "$[0:2]").values(in: json(document)).isEmpty)
    }
  }

  @Test func `descendants come parents first and in list order`() throws {
    let document = try json("[[[1,2],3],[4,[5]]]")
    #expect(text(try JSONPath(parsing: "$..*").values(in: document)) == "[[[1,2],3],[4,[5]],[1,2],3,1,2,4,[5],5]")
    #expect(text(try JSONPath(parsing: "$..[0]").values(in: document)) == "[[[1,2],3],[1,2],1,4,5]")
  }

  @Test func `names are compared by scalars, not by canonical equivalence`() throws {
    let document = try json(#"{"\#u{e9}":1}"#)
    #expect(try JSONPath(parsing: "$.\u{e9}").values(in: document).count == 1)
    #expect(try JSONPath(parsing: "$.e\u{301}").values(in: document).isEmpty)
  }

  @Test func `a deep document is searched without recursion`() throws {
    let deep = String(repeating: "[", count: 250) + "{\"a\":1}" + String(repeating: "]", count: 250)
    #expect(try JSONPath(parsing: "$..a").values(in: json(deep)).count == 1)
    #expect(try JSONPath(parsing: "$..*").nodes(in: json(deep)).last?.location.steps.count == 251)
    // Deeper than the parser takes, built in code.
    var value = JSONValue.integer(1)
    for _ in 0..<20_000 { value = .array([value]) }
    #expect(try JSONPath(parsing: "$..*").values(in: value).count == 20_000)
  }
}
