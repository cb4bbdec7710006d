import FieldTypes
import JSONSyntax
import ReactorCore
import Synchronization
import Testing

@testable import Records

/// Records that do not fit, given whole to whoever asks.
@Suite struct RejectedRecordTests {
  private let schema = RecordSchema(
    name: "item",
    fields: [
      FieldMapping(name: "id", from: .member("id"), type: .integer),
      FieldMapping(name: "tags", from: .member("tags"), type: .list(.string), missing: .optional),
    ])

  private final class Box: Sendable {
    let records = Mutex<[RejectedRecord]>([])
  }

  private func read(
    _ text: String, _ selection: RecordSelection = .at([]), isStrict: Bool = false, chunk: Int = 7, window: Int = 16
  ) async throws -> (rejected: [RejectedRecord], report: PruneReport?) {
    let box = Box()
    var limits = RecordLimits()
    limits.windowBytes = window
    let reader = RecordReader(
      plan: MappingPlan(schema), selection: selection, isStrict: isStrict, limits: limits,
      onRejected: { record in box.records.withLock { $0.append(record) } })
    let bytes = Array(text.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: chunk).map { Array(bytes[$0..<min($0 + chunk, bytes.count)]) }
    let outcome = try? await reader.read(ResponseBody(Chunks(chunks))) { (_) throws(ReactorError) in }
    return (box.records.withLock { $0 }, outcome?.report)
  }

  private actor Chunks: ByteSource {
    private var chunks: [[UInt8]]
    init(_ chunks: [[UInt8]]) { self.chunks = chunks.reversed() }
    func next() async throws(ReactorError) -> [UInt8]? { chunks.popLast() }
    nonisolated func cancel() {}
  }

  private static let mixed = """
    [ {"id" : 1}, {"id":"x y", "n": 1.50e+3 , "s":"a\\n\\u00e4 b" }, 7 , null, { "id":2 },
      {"id":3,"tags":["a" , null]} ]
    """

  @Test(arguments: [1, 3, 7, 64, 4096])
  func `each bad record comes whole, as it was but for white space, whatever the pieces`(_ chunk: Int) async throws {
    let (rejected, report) = try await read(Self.mixed, chunk: chunk)
    #expect(rejected.map(\.index) == [1, 2, 3, 5])
    #expect(
      rejected.map { String(decoding: $0.json, as: UTF8.self) } == [
        #"{"id":"x y","n":1.50e+3,"s":"a\n\u00e4 b"}"#, "7", "null", #"{"id":3,"tags":["a",null]}"#,
      ])
    #expect(rejected.map(\.pointer) == ["/id", "/id", "/id", "/tags/1"])
    #expect(rejected.map(\.rule) == ["integer", "required", "required", "required"])
    #expect(rejected.map(\.reason) == report?.rejections.map(\.reason))
    #expect(rejected.allSatisfy { !$0.isCut })
    #expect(report?.kept == 2)
  }

  @Test func `they come from members, lines, single records and queries too`() async throws {
    let members = try await read(#"{"a":{"id":1},"b":{"id":true}}"#, .elements([])).rejected
    #expect(members.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id":true}"#])
    let lines = try await read("{\"id\":1}\n{\"id\": [] }\n{}", .lines).rejected
    #expect(lines.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id":[]}"#, "{}"])
    let single = try await read(#"{"id" : "x"}"#).rejected
    #expect(single.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id":"x"}"#])
    let query = RecordSelection(try JSONPath(parsing: "$..x"))
    let found = try await read(#"{"x":{"id":1},"y":{"x":{"id":1.5}}}"#, query).rejected
    #expect(found.map(\.index) == [1])
    #expect(found.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id":1.5}"#])
  }

  @Test func `a strict reading gives the one that ends it`() async throws {
    let (rejected, report) = try await read(Self.mixed, isStrict: true)
    #expect(rejected.map(\.index) == [1])
    #expect(report == nil)
  }

  @Test func `all are given, also those that the report no longer lists`() async throws {
    let (rejected, report) = try await read("[" + String(repeating: "{},", count: 299) + "{}]", window: 256)
    #expect(rejected.count == 300)
    #expect(rejected.map(\.index) == Array(0..<300))
    #expect(rejected.allSatisfy { $0.reason == "'id' is required, but absent" })
    #expect(report?.rejections.count == 100)
  }

  @Test func `a large one is cut between two characters`() async throws {
    let start = #"{"id":"x","text":""#
    // Two bytes each, so that the limit falls inside one of them.
    let fill = String(repeating: "ä", count: RejectedRecord.longest)
    let (rejected, _) = try await read("[\(start)\(fill)\"}]", chunk: 4096, window: 4096)
    let record = try #require(rejected.first)
    #expect(start.utf8.count % 2 == 0)
    #expect(record.isCut)
    #expect(record.size == start.utf8.count + fill.utf8.count + 2)
    #expect(record.json.count == RejectedRecord.longest)
    let odd = try await read("[\(start)a\(fill)\"}]", chunk: 4096, window: 4096).rejected
    #expect(odd.first?.json.count == RejectedRecord.longest - 1)
    #expect(odd.first.flatMap { String(validating: $0.json, as: UTF8.self) }?.hasSuffix("ä") == true)
  }
}
