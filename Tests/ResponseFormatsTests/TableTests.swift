import FlowModel
import Testing

@Suite struct TableTests {
  private static let table = "id,name,note\r\n1,Zoë,\"a \"\"b\"\", c\"\r\n2,,\"\"\r\n\r\n3,\"two\nlines\",x\r\n"
  private static let records = [
    #"{"id":"1","name":"Zoë","note":"a \"b\", c"}"#, #"{"id":"2","name":null,"note":""}"#,
    #"{"id":"3","name":"two\nlines","note":"x"}"#,
  ]

  @Test func `rows become records of texts, whatever the chunks`() async {
    let bytes = Array(Self.table.utf8)
    for chunk in 1...bytes.count {
      #expect(await Decoding.of(bytes, as: .init(.csv), chunk: chunk) == Decoding(records: Self.records))
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func `every line end is one`(_ end: String) async {
    for chunk in [1, 100] {
      let text = "a,b\(end)1,2\(end)\(end)3,4"
      #expect(
        await Decoding.of(text, as: .init(.csv), chunk: chunk)
          == Decoding(records: [#"{"a":"1","b":"2"}"#, #"{"a":"3","b":"4"}"#]))
    }
  }

  @Test func `ragged and damaged rows are rejected with their text, whatever the chunks`() async {
    let text = "id,name\n1\n2,B,x\n3,C\n4,a \"b\" c\n5,\"d\" e, f\n6,\"f\ng\",h\n7,G\n"
    for chunk in 1...text.utf8.count {
      let decoding = await Decoding.of(text, as: .init(.csv), chunk: chunk)
      #expect(decoding.records == [#"{"id":"3","name":"C"}"#, #"{"id":"7","name":"G"}"#])
      #expect(
        decoding.rejected == [
          #"0: line 2 has 1 field, and the table has 2 columns | "1""#,
          #"1: line 3 has 3 fields, and the table has 2 columns | "2,B,x""#,
          #"3: line 5: a quote is inside a field that does not begin with a quote | "4,a \"b\" c""#,
          #"4: line 6: text follows a field in quotes | "5,\"d\" e, f""#,
          #"5: line 7 has 3 fields, and the table has 2 columns | "6,\"f\ng\",h""#,
        ])
      #expect(decoding.error == nil)
    }
  }

  @Test func `a table that was cut gives an error, or exactly the rows before the cut`() async {
    let bytes = Array(Self.table.utf8)
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: .init(.csv))
      // A cut inside the last field of a row looks like the end of the table: CSV has no end mark.
      let isWholeRow = decoding.error != nil || Self.records.starts(with: decoding.records)
      let cutFields = decoding.records.last.map { $0.contains(#""note":"#) } ?? false
      #expect(isWholeRow || cutFields, "\(end): \(decoding)")
      #expect(decoding.rejected == [])
    }
  }

  @Test func `the dialect is declared`() async {
    let semicolon = ResponseFormat(.csv) {
      ($0.delimiter, $0.quote, $0.hasHeader, $0.columns) = (0x3B, 0x27, false, ["id", "name"])
    }
    #expect(
      await Decoding.of("1;'a;''b'\n2;\"c\"\n", as: semicolon)
        == Decoding(records: [#"{"id":"1","name":"a;'b"}"#, #"{"id":"2","name":"\"c\""}"#]))
    let tabs = ResponseFormat(.tsv) { ($0.quote, $0.columns) = (nil, ["x", "y"]) }
    #expect(
      await Decoding.of("a\tb\n5\"\t\"6\n", as: tabs) == Decoding(records: [#"{"x":"5\"","y":"\"6"}"#]))
    #expect(
      await Decoding.of("a\tb\tc\n", as: tabs).error == "the header has 3 fields, and 'columns' names 2")
  }

  @Test(arguments: [
    ("", "the response is empty where the names of the columns should be"),
    ("\n\r\n", "the response is empty where the names of the columns should be"),
    ("a,b,a\n", "the header has the name 'a' twice, in columns 1 and 3"),
    ("a,,b\n", "column 2 of the header has no name"),
    ("a,b\n1,\"2\n", "the quote in line 2 is not closed: the response ends inside it"),
    ("a,b\n1,2\n3", "the response ends in the middle of line 3: it has 1 of 2 fields and no line end"),
    ("a,\"b\" c\n1,2\n", "the header cannot be read: line 1: text follows a field in quotes"),
    ("a,b\n1,\u{0}\n", nil),
  ]) func `a wrong table is an error that says where`(_ text: String, _ message: String?) async {
    for chunk in [1, 100] { #expect(await Decoding.of(text, as: .init(.csv), chunk: chunk).error == message) }
  }

  @Test func `encodings are declared, and wrong ones are errors`() async {
    func bytes(_ text: String, _ order: (UInt16) -> UInt16) -> [UInt8] {
      text.utf16.flatMap { unit in withUnsafeBytes(of: order(unit)) { Array($0) } }
    }
    let text = "a\n€ \u{1F600}é\n"
    let record = [#"{"a":"€ 😀é"}"#]
    let latin: [UInt8] = [0x61, 0x0A, 0xE9, 0x0A]
    let cases: [([UInt8], ResponseFormat.Encoding, [String], String?)] = [
      (Array(text.utf8), .utf8, record, nil), ([0xEF, 0xBB, 0xBF] + text.utf8, .utf8, record, nil),
      ([0xFF, 0xFE] + bytes(text, \.littleEndian), .utf16, record, nil),
      ([0xFE, 0xFF] + bytes(text, \.bigEndian), .utf16, record, nil), (bytes(text, \.bigEndian), .utf16, record, nil),
      (bytes(text, \.littleEndian), .utf16LittleEndian, record, nil), (latin, .latin1, [#"{"a":"é"}"#], nil),
      ([0x61, 0x0A, 0x80, 0x0A], .windows1252, [#"{"a":"€"}"#], nil),
      (latin, .utf8, [], "the response is not utf-8: the byte 0xe9 in line 2 does not begin a character"),
      (
        [0xFF, 0xFE] + bytes(text, \.littleEndian), .utf8, [],
        "the response is not utf-8: it begins with the byte order mark of utf-16"
      ),
      (
        [0xEF, 0xBB, 0xBF] + text.utf8, .latin1, [],
        "the response is not latin1: it begins with the byte order mark of utf-8"
      ),
      (
        [0x61, 0x0A, 0x81], .windows1252, [],
        "the response is not windows-1252: the byte 0x81 in line 2 is not a character of this encoding"
      ),
      (bytes("a\nb", \.bigEndian) + [0], .utf16, [], "the response ends in the middle of a character (line 2)"),
      ([0, 0x61, 0, 0x0A, 0xDC, 0], .utf16, [], "the response is not utf-16: line 2 has half of a surrogate pair"),
    ]
    for (body, encoding, records, error) in cases {
      for chunk in 1...body.count {
        let decoding = await Decoding.of(body, as: ResponseFormat(.csv) { $0.encoding = encoding }, chunk: chunk)
        #expect(decoding.records == records && decoding.error == error, "\(encoding) \(chunk): \(decoding)")
      }
    }
  }

  @Test func `long names do not multiply the memory`() async {
    // 64 Ki rows of two bytes with a name of 64 KiB are 4 GiB of JSON; read one piece after the other.
    let name = String(repeating: "n", count: 1 << 12)
    let text = name + "\n" + String(repeating: "1\n", count: 5000)
    let decoding = await Decoding.of(text, as: .init(.csv))
    #expect(decoding.records.count == 5000 && decoding.error == nil)
  }
}
