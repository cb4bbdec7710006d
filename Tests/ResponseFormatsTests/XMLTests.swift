import FlowModel
import Testing

@Suite struct XMLTests {
  private static let feed = """
    <?xml version="1.0" encoding="UTF-8"?>
    <a:feed xmlns:a="http://a.example" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" total="3">
      <title>All &amp; more</title>
      <list>
        <a:entry id="1"><name>Zo&#235;</name><tag>x</tag><tag>y</tag><city/></a:entry>
        <entry id="2"> text <name xsi:nil="true"/><tag>z</tag><geo lat="1"><p><![CDATA[<b>]]></p></geo></entry>
        <note>between</note>
      </list>
      <next>p2</next>
      <list><entry>3</entry></list>
    </a:feed>
    """
  private static let path = ["feed", "list", "entry"]
  private static let records = [
    #"{"@id":"1","name":"Zoë","tag":["x","y"],"city":null}"#,
    ##"{"@id":"2","name":null,"tag":["z"],"geo":{"@lat":"1","p":"<b>"},"#text":"text"}"##, #""3""#,
  ]

  @Test func `elements become records, whatever the chunks`() async {
    let bytes = Array(Self.feed.utf8)
    for chunk in 1...bytes.count {
      #expect(
        await Decoding.of(bytes, as: .init(.xml), at: Self.path, lists: [["tag"]], chunk: chunk)
          == Decoding(records: Self.records))
    }
  }

  @Test func `a document that was cut is an error`() async {
    let bytes = Array(Self.feed.utf8)
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: .init(.xml), at: Self.path)
      #expect(decoding.error != nil, "\(end): \(decoding)")
    }
  }

  @Test func `the elements around the records are there too`() async {
    // The root as the only record, and the whole document as one.
    let whole = await Decoding.of("<r a='1'><b>2</b></r>", as: .init(.xml))
    #expect(whole.records == [#"{"r":{"@a":"1","b":"2"}}"#])
    let decoding = await Decoding.of("<r a='1'><b>2</b><c><d/></c></r>", as: .init(.xml), at: ["r"])
    #expect(decoding.records == [#"{"@a":"1","b":"2","c":{"d":null}}"#])
  }

  @Test func `a list without elements has no records, but a wrong name is an error`() async {
    #expect(await Decoding.of("<feed><title>x</title></feed>", as: .init(.xml), at: ["feed", "entry"]) == Decoding())
    for (text, path) in [
      ("<feed><entry/><entry/></feed>", ["feed", "item"]), ("<rss><entry/></rss>", ["feed", "entry"]),
      ("<feed><list2><entry/></list2></feed>", ["feed", "list", "entry"]),
    ] {
      let decoding = await Decoding.of(text, as: .init(.xml), at: path)
      #expect(decoding.error?.hasPrefix("no records: the response contains nothing at $.") ?? false, "\(decoding)")
    }
  }

  @Test func `prefixes are kept on demand`() async {
    let text = "<f><e a:id='1'><dc:title>x</dc:title><title>y</title></e></f>"
    #expect(
      await Decoding.of(text, as: .init(.xml), at: ["f", "e"]).records == [#"{"@id":"1","title":["x","y"]}"#])
    #expect(
      await Decoding.of(text, as: ResponseFormat(.xml) { $0.keepsPrefixes = true }, at: ["f", "e"]).records
        == [#"{"@a:id":"1","dc:title":"x","title":"y"}"#])
  }

  @Test(arguments: [
    ("", "the response is empty where XML should be"),
    ("{}", "the response is not XML: not well-formed (invalid token) in line 1; it begins with '{}'"),
    ("<a><e>1</e></b>", "the response is not well-formed XML: mismatched tag in line 1"),
    ("<a><e>&x;</e></a>", "the response is not well-formed XML: undefined entity in line 1"),
    ("<a>\n<e>1", "the response ends in the middle of the XML document, in line 2"),
    (
      "<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a><e>&x;</e></a>",
      "the response has a document type declaration, which is not supported (line 1)"
    ),
    (
      "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x'><a/>",
      "the response has a document type declaration, which is not supported (line 1)"
    ),
    (String(repeating: "<a>", count: 201), "elements are nested deeper than 200 (line 1)"),
  ]) func `a wrong document is an error that says where`(_ text: String, _ message: String) async {
    #expect(await Decoding.of(text, as: .init(.xml), at: ["a", "e"]).error == message)
    // The message quotes as much as there is.
    let known = message.split(separator: "; it begins with").first ?? ""
    #expect(await Decoding.of(text, as: .init(.xml), at: ["a", "e"], chunk: 1).error?.hasPrefix(known) ?? false)
  }

  @Test func `declared encodings are read`() async {
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a><e>".utf8) + [0xE9] + Array("</e></a>".utf8)
    #expect(await Decoding.of(latin, as: .init(.xml), at: ["a", "e"]).records == [#""é""#])
    let windows = Array("<?xml version='1.0' encoding='windows-1252'?><a><e>".utf8) + [0x80] + Array("</e></a>".utf8)
    #expect(await Decoding.of(windows, as: .init(.xml), at: ["a", "e"]).records == [#""€""#])
    let unknown = Array("<?xml version='1.0' encoding='x-none'?><a/>".utf8)
    #expect(await Decoding.of(unknown, as: .init(.xml), at: ["a"]).error?.contains("unknown encoding") ?? false)
  }

  @Test func `a tag without an end is bounded`() async {
    let endless = Array("<a><e x='".utf8) + [UInt8](repeating: 0x78, count: 40 << 20)
    #expect(
      await Decoding.of(endless, as: .init(.xml), at: ["a", "e"]).error
        == "a tag or comment of the response is larger than 32 MiB")
  }
}
