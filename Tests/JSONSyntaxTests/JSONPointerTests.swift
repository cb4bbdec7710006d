import JSONSyntax
import Testing

@Suite struct JSONPointerTests {
  @Test(
    arguments: [
      ("", []), ("/", [""]), ("/a", ["a"]), ("/a/0", ["a", "0"]), ("/a~1b/~0", ["a/b", "~"]), ("/~01", ["~1"]),
      ("//", ["", ""]),
      ("/é/ ", ["é", " "]),
    ] as [(String, [String])])
  func `a pointer reads and writes`(_ text: String, _ tokens: [String]) throws {
    let pointer = try JSONPointer(parsing: text)
    #expect(pointer.tokens == tokens)
    #expect(pointer.description == text)
  }

  @Test(arguments: [("a", 0), ("/~", 1), ("/a~2", 2), ("/a~", 2), ("#/a", 0)])
  func `what is no pointer is refused with its location`(_ text: String, _ offset: Int) {
    let error = #expect(throws: JSONPathError.self) { try JSONPointer(parsing: text) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    ("/list/0", "1"), ("/list/1/x", "2"), ("/list/-", nil), ("/list/2", nil), ("/list/00", nil), ("/list/01", nil),
    ("/list/+1", nil), ("/list/-1", nil),
    ("/0", "3"), ("/", "4"), ("/a~1b", "5"), ("/text/0", nil), ("/list/99999999999999999999", nil), ("/absent", nil),
    ("/text", "\"s\""),
  ])
  func `a pointer finds its value`(_ text: String, _ expected: String?) throws {
    let document = try json(#"{"list":[1,{"x":2}],"0":3,"":4,"a/b":5,"text":"s"}"#)
    #expect(try JSONPointer(parsing: text).value(in: document)?.description == expected)
    #expect(try JSONPointer(parsing: "").value(in: document) == document)
  }

  @Test func `steps make a pointer unless they count from the end`() {
    #expect(JSONPointer([.name("a/b"), .index(2)])?.description == "/a~1b/2")
    #expect(JSONPointer([.index(-1)]) == nil)
  }
}
