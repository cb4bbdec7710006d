import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import TestSupport
import Testing

@Suite struct RecordReaderTests {
  private let id = FieldType.integer

  struct Place: CustomTestStringConvertible, Sendable {
    var path: String?
    var text: String
    /// The ids of the records; nil when the reading fails.
    var ids: [Int]?

    init(_ path: String?, _ text: String, _ ids: [Int]?) {
      self.path = path
      self.text = text
      self.ids = ids
    }

    var testDescription: String { "\(path ?? "(whole)") of \(text)" }
  }

  @Test(arguments: [
    Place(nil, #"[{"id":1},{"id":2}]"#, [1, 2]),
    Place(nil, "[]", []),
    Place(nil, #" {"id":1} "#, [1]),
    Place("$", #"[{"id":1}]"#, [1]),
    Place("$[*]", #"[{"id":1}]"#, [1]),
    Place("$.data", #"{"a":{"data":0},"data":[{"id":1}],"b":[1,{"c":2}]}"#, [1]),
    Place("$.data[*]", #"{"data":[{"id":1},{"id":2}]}"#, [1, 2]),
    Place("$.data", #"{"data":{"id":7}}"#, [7]),
    Place("$.data", #"{"data":null}"#, []),
    Place("$.data", #"{"data":[]}"#, []),
    Place("$.data[*]", #"{"data":{"x":{"id":1},"y":{"id":2}}}"#, [1, 2]),
    Place("$.data[*]", #"{"data":{}}"#, []),
    Place("$.a.b[1].c", #"{"a":{"b":[{"c":[{"id":1}]},{"c":[{"id":2}]}]}}"#, [2]),
    Place("$['d\\u0061ta']", #"{"d\u0061ta":[{"id":1}]}"#, [1]),
    Place("$..deep[*]", #"{"a":[{"deep":[{"id":1}]},{"deep":[{"id":2}]}]}"#, [1, 2]),
    Place("$.rows[?@.ok]", #"{"rows":[{"id":1,"ok":1},{"id":2}]}"#, [1]),
    Place("$.rows[-1]", #"{"rows":[{"id":1},{"id":2}]}"#, [2]),
    Place("$.data", #"{"dota":[{"id":1}]}"#, nil),
    Place("$.data[*]", #"{"data":5}"#, nil),
    Place("$.a.b", #"{"a":[{"b":[]}]}"#, nil),
    Place("$.a[3]", #"{"a":[1]}"#, nil),
    Place("$..none", #"{"a":1}"#, nil),
    Place("$.data", #"{"data":[{"id":1}],"data":[{"id":2}]}"#, nil),
    Place(nil, "", nil),
    Place(nil, "  ", nil),
    Place(nil, "<html>", nil),
    Place(nil, #"[{"id":1},]"#, nil),
    Place(nil, #"[{"id":1}"#, nil),
    Place(nil, #"[{"id":1}] x"#, nil),
    Place(nil, #"[{"id":1},{"id":2}}"#, nil),
    Place(nil, #"[{"id":1,"n":01}]"#, nil),
    Place(nil, #"[{"id":1,"n":"\x"}]"#, nil),
    Place(nil, #"[{"id":1,"n":tru}]"#, nil),
    Place(nil, "[{\"id\":1,\"n\":\"a\nb\"}]", nil),
  ])
  func `records are found at a position, or the response is refused`(_ position: Place) async throws {
    let bytes = Array(position.text.utf8)
    let fields = try schema([("id", .integer)])
    let expected = position.ids.map { $0.map { "{\"id\":\($0)}" } }
    let whole = try? await Reading([bytes], fields, at: position.path)
    #expect(whole?.lines == expected)
    // However the response arrives, the outcome is the same: every cut, with windows that end at every byte.
    var limits = RecordLimits()
    limits.windowBytes = 1
    for cut in 0...bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      let reading = try? await Reading(pieces, fields, at: position.path, limits: limits)
      #expect(reading?.lines == expected, "cut at \(cut)")
    }
    let drip = try? await Reading(bytes.map { [$0] }, fields, at: position.path, limits: limits)
    #expect(drip?.lines == expected)
  }

  @Test func `a record that is not an object is mapped from its root`() async throws {
    let fields = try schema([("name", .string)], from: ["name": "$"])
    let reading = try await Reading(#"{"repositories":["a","b"]}"#, fields, at: "$.repositories")
    #expect(reading.lines == [#"{"name":"a"}"#, #"{"name":"b"}"#])
  }

  @Test func `a pair in an array is mapped by index`() async throws {
    let fields = try schema(
      [("at", .timestamp(.epochSeconds)), ("value", .string)], from: ["at": "$[0]", "value": "$[1]"])
    let reading = try await Reading(#"[[1714564800, "+Inf"], [1714564815.5, "2"]]"#, fields)
    #expect(
      reading.lines == [
        #"{"at":"2024-05-01T12:00:00Z","value":"+Inf"}"#, #"{"at":"2024-05-01T12:00:15.5Z","value":"2"}"#,
      ])
  }

  @Test func `without a schema records are kept whole and compact`() async throws {
    let reading = try await Reading(#"[ { "b" : 1 , "a" : "\u00e9" } , 2.50, "x" ]"#, .wholeRecords)
    #expect(reading.lines == [#"{"b":1,"a":"é"}"#, "2.50", #""x""#])
  }

  @Test func `a strict reading ends at the first bad record with its position`() async throws {
    let fields = try schema([("id", .integer)])
    let error = await #expect(throws: ReactorError.self) {
      try await Reading(#"[{"id":1},{"id":"x"},{"id":true}]"#, fields, isStrict: true)
    }
    #expect(error?.kind == .parser)
    #expect(error?.recordIndex == 1)
    #expect(error?.pointer == "/id")
    #expect(error?.message == #"expected an integer, found the string "x""#)
  }

  @Test func `a missing position names what is there`() async throws {
    let error = await #expect(throws: ReactorError.self) {
      try await Reading(#"{"result":{"rows":[1,2,3],"total":3}}"#, schema([("id", .integer)]), at: "$.result.data")
    }
    #expect(
      error?.message
        == "no records: the response contains nothing at $.result.data; $.result has the members rows, total")
  }

  @Test(arguments: [nil, "$.items", "$..items"] as [String?])
  func `JSON Lines in position of JSON are recognised`(_ path: String?) async throws {
    let text = Array("{\"id\":1,\"items\":[{\"id\":1}]}\n{\"id\":2,\"items\":[]}\n".utf8)
    let error = await #expect(throws: ReactorError.self) {
      try await Reading([text], schema([("id", .integer)]), at: path)
    }
    #expect(error?.message.hasPrefix("the response is JSON Lines") == true, "\(String(describing: error))")
    #expect(error?.help?.contains("decode: jsonl") == true)
  }

  @Test func `a response that is not JSON shows how it begins`() async throws {
    let error = await #expect(throws: ReactorError.self) {
      try await Reading("html \u{1B}[31m", schema([("id", .integer)]))
    }
    #expect(
      error?.message == "the response is not JSON: expected a value at byte 0; it begins with 'html \\u{1b}[31m'")
  }

  @Test func `the rest of the response is given without its records`() async throws {
    let reading = try await Reading(
      #"{"total": 2, "data": [{"id":1},{"id":2}], "next": {"cursor": "x"}}"#, schema([("id", .integer)]),
      at: "$.data", needsEnvelope: true)
    #expect(reading.envelope == #"{"total": 2, "data": [], "next": {"cursor": "x"}}"#)
  }

  /// Whatever surrounds the records, in pieces that end anywhere.
  @Test(arguments: [7, 4_096, 1 << 20])
  func `the outline of a response has its long values left out`(_ size: Int) async throws {
    let long = String(repeating: "a ", count: 3_000)
    let space = String(repeating: " ", count: 6_000)
    let text =
      "{\"text\":\"\(long)\",\(space)\"list\":[\"\(long)\"],\"object\" : {\"a\":\"\(long)\"}\(space),"
      + "\"number\":1\(String(repeating: "0", count: 5_000)),\"data\":\(space)[{\"id\":1},{\"id\":2}]\(space),"
      + "\"meta\":{\"next\":\"b\",\"list\":[1]}}"
    let bytes = Array(text.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    var limits = RecordLimits()
    limits.windowBytes = 64
    let reading = try await Reading(pieces, schema([("id", .integer)]), at: "$.data", limits: limits)
    #expect(reading.lines.count == 2)
    let outline = #"{"text":"","list":[],"object":{},"number":null,"data":[],"meta":{"next":"b","list":[1]}}"#
    #expect(reading.outline == (try JSONValue(parsing: Array(outline.utf8))))
  }

  @Test(arguments: [
    ("[1,2]", "$", nil), ("null", "$", nil), (#"{"data":[]}"#, "$.data", #"{"data":[]}"#),
    (#"{"n":1,"a":[{"data":[{"id":1}]}]}"#, "$.a[0].data", #"{"n":1,"a":[{"data":[]}]}"#),
    (#"{"n":1,"data":{"a":{"id":1}}}"#, "$.data[*]", #"{"n":1,"data":{}}"#),
  ])
  func `a response has an outline where it is an object`(_ text: String, _ path: String, _ outline: String?)
    async throws
  {
    let reading = try await Reading(text, schema([("id", .integer)]), at: path)
    #expect(reading.outline == (try outline.map { try JSONValue(parsing: Array($0.utf8)) }))
  }

  /// Without the long ones too it may be too much to hold.
  @Test func `a response with members without end has no outline`() async throws {
    let members = (0..<9_000).map { "\"m\($0)\":1," }.joined()
    let reading = try await Reading("{\(members)\"data\":[{\"id\":1}]}", schema([("id", .integer)]), at: "$.data")
    #expect(reading.outline == nil)
    #expect(reading.lines == [#"{"id":1}"#])
  }

  @Test func `a record over the limit is refused`() async throws {
    var limits = RecordLimits()
    limits.heldBytes = 1000
    limits.windowBytes = 100
    let letters = Array(repeating: UInt8(ascii: "a"), count: 90)
    let pieces = [Array("[{\"id\":1,\"x\":\"".utf8)] + Array(repeating: letters, count: 20)
    let fields = try schema([("id", .integer)])
    let error = await #expect(throws: ReactorError.self) { try await Reading(pieces, fields, limits: limits) }
    #expect(error?.message.contains("larger than 1000 bytes") == true)
  }

  @Test(arguments: [255, 256, 257, 100_000])
  func `nesting is bounded by 256`(_ depth: Int) async throws {
    let brackets = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
    let text = #"{"id":1,"x":"# + brackets + "}"
    let reading = try? await Reading(text, schema([("id", .integer)]))
    #expect((reading != nil) == (depth <= 256))
  }

  @Test func `invalid UTF-8 is refused with its position`() async throws {
    let bytes = Array(#"[{"id":1,"x":""#.utf8) + [0xC3, 0x28] + Array(#""}]"#.utf8)
    let fields = try schema([("id", .integer)])
    let error = await #expect(throws: ReactorError.self) { try await Reading([bytes], fields) }
    #expect(error?.message.contains("not valid UTF-8 at byte 14") == true)
  }

  @Test func `rejections are counted all and kept up to a hundred`() async throws {
    let records = (0..<500).map { #"{"id":\#($0.isMultiple(of: 2) ? "\($0)" : "\"x\"")}"# }
    let text = "[" + records.joined(separator: ",") + "]"
    let reading = try await Reading(text, schema([("id", .integer)]))
    #expect(reading.report.total == 500)
    #expect(reading.report.rejected == 250)
    #expect(reading.report.rejections.map(\.index) == (0..<100).map { $0 * 2 + 1 })
  }

  @Test func `memory does not follow the response`() async throws {
    // 64 MB through a window of 256 KiB: the pieces are shared, so only the reader's own memory counts.
    let piece = Array((#"{"id":12345,"pad":""# + String(repeating: "é", count: 500) + #""},"#).utf8)
    let fields = try schema([("id", .integer)])
    let block = Array(repeating: piece, count: 256).flatMap { $0 }
    let pieces = [[UInt8(ascii: "[")]] + Array(repeating: block, count: 240) + [Array(#"{"id":1}]"#.utf8)]
    let before = PeakMemory.begin()
    let reading = try await Reading(pieces, fields)
    #expect(reading.report.kept == 240 * 256 + 1)
    #expect(PeakMemory.kilobytes - before < 16_000)
  }
}
