import FlowModel
import Testing

@Suite struct LineTests {
  private static let lines = "{\"id\":1,\"s\":\"a\\n\"}\r\n\n  [1, {\"b\": 2}] \n\"text\"\n42\n{\"id\":2}\n"
  private static let values = [#"{"id":1,"s":"a\n"}"#, #"[1,{"b":2}]"#, #""text""#, "42", #"{"id":2}"#]

  @Test func `lines are records, whatever the chunks`() async {
    for chunk in 1...Self.lines.utf8.count {
      #expect(await Decoding.of(Self.lines, as: .init(.jsonLines), chunk: chunk) == Decoding(records: Self.values))
    }
    #expect(await Decoding.of("\u{FEFF}{}\n", as: .init(.jsonLines)) == Decoding(records: ["{}"]))
    #expect(await Decoding.of("", as: .init(.jsonLines)) == Decoding())
  }

  @Test func `a bad line is rejected with its number and does not harm the others`() async {
    let bad =
      Array("{\"id\":1}\n{\"id\":\n\"open\n{\"id\":2} {\"id\":3}\n{\"a\":\n1}\n\u{E9}\n".utf8) + [0xFF, 0x0A]
      + Array("{\"id\":4}\n".utf8)
    for chunk in 1...bad.count {
      let decoding = await Decoding.of(bad, as: .init(.jsonLines), chunk: chunk)
      #expect(decoding.records == [#"{"id":1}"#, #"{"id":4}"#])
      #expect(decoding.error == nil)
      #expect(
        decoding.rejected.map { String($0.prefix { $0 != "J" }) } == [
          "1: line 2 is not ", "2: line 3 is not ", "3: line 4 is not ", "4: line 5 is not ", "5: line 6 is not ",
          "6: line 7 is not ", "7: line 8 is not ",
        ])
      guard decoding.rejected.count == 7 else { continue }
      #expect(decoding.rejected[2].hasSuffix(#"text after the end of the value at byte 9 | "{\"id\":2} {\"id\":3}""#))
      #expect(decoding.rejected[6].hasSuffix(#"| "\#u{FFFD}""#))
    }
  }

  @Test func `lines that were cut give an error, or exactly the lines before the cut`() async {
    let bytes = Array(Self.lines.utf8)
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: .init(.jsonLines))
      #expect(decoding.error != nil || Self.values.starts(with: decoding.records), "\(end): \(decoding)")
      #expect(decoding.rejected == [])
    }
    #expect(
      await Decoding.of("{\"a\":1}\n{\"a\":", as: .init(.jsonLines)).error
        == "the response ends in the middle of line 2: the text ends where a value should be at byte 5")
  }

  @Test func `a sequence is read text by text`() async {
    let text = "\u{1E}{\"id\":1}\n\u{1E}\u{1E}{\n\"id\": 2\n}\n\u{1E}{\"id\":\n\u{1E}3\n\u{1E}4\u{1E}{\"id\":5}\n"
    for chunk in 1...text.utf8.count {
      let decoding = await Decoding.of(text, as: .init(.jsonSequence), chunk: chunk)
      #expect(decoding.records == [#"{"id":1}"#, #"{"id":2}"#, "3", #"{"id":5}"#])
      #expect(
        decoding.rejected == [
          #"2: text 3 is not JSON: the text ends where a value should be at byte 7 | "{\"id\":\n""#,
          #"4: text 5 is not JSON: a number or a word needs a line end after it (RFC 7464) | "4""#,
        ])
      #expect(decoding.error == nil)
    }
    #expect(
      await Decoding.of("{}\n", as: .init(.jsonSequence)).error
        == "the response is not a JSON text sequence: it does not begin with a record separator (0x1E)")
  }

  @Test func `a sequence that was cut gives an error, or exactly the texts before the cut`() async {
    let bytes = Array("\u{1E}{\"id\":1}\n\u{1E}12\n\u{1E}true\n\u{1E}\"a\"\n".utf8)
    let values = [#"{"id":1}"#, "12", "true", #""a""#]
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: .init(.jsonSequence))
      #expect(decoding.error != nil || values.starts(with: decoding.records), "\(end): \(decoding)")
    }
  }

  @Test func `plain lines are records with a text`() async {
    for chunk in 1...12 {
      #expect(
        await Decoding.of("a \"b\"\r\n\nc\t\nd", as: .init(.lines), chunk: chunk)
          == Decoding(records: [#"{"line":"a \"b\""}"#, #"{"line":""}"#, #"{"line":"c\t"}"#, #"{"line":"d"}"#]))
    }
  }

  @Test(arguments: ResponseFormat.Name.allCases) func `an HTML page is refused with its title`(
    _ name: ResponseFormat.Name
  ) async {
    let page = "\r\n<!-- x --><!DOCTYPE html>\n<html lang=en><head><TITLE class=a>\n Sign &amp; in\n</title>"
    for chunk in [1, 7, 1000] {
      let decoding = await Decoding.of(page, as: .init(name), at: name == .xml ? ["feed", "entry"] : [], chunk: chunk)
      #expect(decoding.error?.hasPrefix("the response is an HTML page: 'Sign & in', not ") ?? false, "\(decoding)")
      #expect(decoding.records == [])
    }
  }
}
