import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  private func compact(_ value: JSONValue) -> String { String(decoding: JSONWriter.bytes(value), as: UTF8.self) }

  @Test(arguments: [
    "null", "true", "false", "1", "-0", "1.10", "1E+2", "123456789012345678901234567890", "\"\"", "[]", "{}", "[[],{}]",
    "[1,[2,3],\"a\"]",
    #"{"b":1,"a":{"c":[null]}}"#, #""\"\\\b\f\n\r\t""#, #""\u0000\u0001\u001f""#, "\"é☺𝄞/\u{7f}\u{2028}\u{2029}\"",
    #"{"\n":1}"#,
  ])
  func `compact text reads back and writes the same`(_ text: String) throws {
    #expect(compact(try json(text)) == text)
  }

  @Test func `only what must be escaped is escaped`() throws {
    #expect(compact(try json(#""\u0061\/\u00e9\u2028\u007f\u000a""#)) == "\"a/é\u{2028}\u{7f}\\n\"")
  }

  @Test func `pretty text has a line for each element and member`() throws {
    let value = try json(#"{"a":[1,{"b":[]}],"c":{},"d":"x"}"#)
    let expected = """
      {
        "a": [
          1,
          {
            "b": []
          }
        ],
        "c": {},
        "d": "x"
      }
      """
    #expect(String(decoding: JSONWriter.bytes(value, style: .pretty), as: UTF8.self) == expected)
    #expect(JSONWriter.bytes(.array([]), style: .pretty) == Array("[]".utf8))
  }

  @Test(arguments: 0..<40)
  func `what is written reads back, in both styles`(_ seed: Int) throws {
    var generator = SeededGenerator(UInt64(seed) &+ 1000)
    let value = JSONValue.random(depth: 5, using: &generator)
    for style in [JSONWriter.Style.compact, .pretty] {
      let back = try JSONValue(parsing: JSONWriter.bytes(value, style: style))
      #expect(back.isEquivalent(to: value))
      #expect(compact(back) == compact(value))
    }
  }

  @Test func `text is appended to what is there`() {
    var bytes = Array("x=".utf8)
    JSONWriter.write(.array([.bool(true)]), into: &bytes)
    JSONWriter.write("a\"", into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"x=[true]"a\"""#)
  }

  @Test func `a very deep value is written without recursion`() {
    var value = JSONValue.null
    for _ in 0..<20_000 { value = .array([value]) }
    #expect(JSONWriter.bytes(value).count == 40_004)
  }

  @Test func `descriptions are compact and bounded`() throws {
    #expect(try json(#"{"a": [1, "x"]}"#).description == #"{"a":[1,"x"]}"#)
    #expect(try json("12").debugDescription == "number 12")
    let long = JSONValue.string(String(repeating: "é", count: 1_000_000))
    #expect(long.description.utf8.count <= 1_003)
    #expect(long.description.hasSuffix("é…"))
    let many = JSONValue.array(Array(repeating: long, count: 1000))
    #expect(many.debugDescription.utf8.count <= 220)
    for limit in 0..<12 {
      let excerpt = try json(#"["aé𝄞b"]"#).excerpt(limit: limit)
      #expect(excerpt.utf8.count <= limit + 3 && excerpt.hasSuffix("…") && !excerpt.contains("\u{FFFD}"))
    }
    #expect(try json(#"["aé𝄞b"]"#).excerpt(limit: 12) == #"["aé𝄞b"]"#)
  }
}
