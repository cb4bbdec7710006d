import FieldTypes
import FlowCompiler
import FlowTesting
import JSONSyntax
import ReactorCore
import Records
import Storage
import Testing
import TestSupport

@testable import FlowRuntime

@Suite struct FormatTests {
  private static let answer = #"""
    [{"id": "9007199254740993", "name": "Zo\u00eb, \"Z\"", "price": 12.50, "paid": true, "at": 1700000000,
      "tags": ["a", "b\nc"], "geo": {"lat": 1.5, "extra": 0}},
     {"id": 2, "name": "", "price": "1e2", "paid": false, "at": 1700000000.5, "tags": [], "geo": null, "note": null}]
    """#

  private static let schema = """
    schema:
      key: id
      fields:
        id: integer
        name: string
        price: decimal
        paid: boolean
        at: { type: timestamp, format: epoch_s }
        tags: [string]
        geo: { type: object, optional: true, fields: { lat: number } }
        note: string?
        from: { type: string, default: shop }
    """

  private static let first =
    #"{"id":9007199254740993,"name":"Zoë, \"Z\"","price":"12.50","paid":true,"at":"2023-11-14T22:13:20Z","#
    + #""tags":["a","b\nc"],"geo":{"lat":1.5},"note":null,"from":"shop"}"#
  private static let second =
    #"{"id":2,"name":"","price":"1e2","paid":false,"at":"2023-11-14T22:13:20.5Z","tags":[],"geo":null,"note":null,"#
    + #""from":"shop"}"#

  private static let csv =
    "id,name,price,paid,at,tags,geo,note,from\r\n"
    + "9007199254740993,\"Zoë, \"\"Z\"\"\",12.50,true,2023-11-14T22:13:20Z,\"[\"\"a\"\",\"\"b\\nc\"\"]\","
    + "\"{\"\"lat\"\":1.5}\",,shop\r\n"
    + "2,\"\",1e2,false,2023-11-14T22:13:20.5Z,[],,,shop\r\n"

  private static let files: [(String, String)] = [
    ("jsonl", "\(first)\n\(second)\n"), ("json", "[\n\(first),\n\(second)\n]\n"), ("csv", csv),
    ("jsonl.gz", "\(first)\n\(second)\n"), ("json.gz", "[\n\(first),\n\(second)\n]\n"), ("csv.gz", csv),
    ("jsonl.zst", "\(first)\n\(second)\n"), ("json.zst", "[\n\(first),\n\(second)\n]\n"), ("csv.zst", csv),
  ]

  @Test(arguments: files)
  func `records are stored by the extension and read back the same`(_ ending: String, _ text: String) async throws {
    try await Rig.with(ok(Self.answer)) { rig in
      let keys = Self.schema + "\npersistence: { path: users.\(ending), expires_after: never }"
      let run = await rig.run(try rig.flow(keys))
      #expect(run.outcome?.report.rejections.map(\.description) == [])
      #expect(rig.scratch.text("users.\(ending)") == text)
      #expect(await rig.run(try rig.flow(keys)).source == .persistence)
    }
  }

  @Test func `without a schema records are persisted as received`() async throws {
    try await Rig.with(ok(#"[ {"b": 1.0, "a": [1, null]}, "x", 12345678901234567890 , null ]"#)) { rig in
      let text = rig.text("persistence: users.jsonl").replacing(#/    schema: .*\n/#, with: "")
      let flow = try #require(rig.compile(text).flows.first)
      #expect(await rig.run(flow).kept == 4)
      #expect(rig.result == "{\"b\":1.0,\"a\":[1,null]}\n\"x\"\n12345678901234567890\nnull\n")
    }
  }

  @Test(arguments: ["[]", "{}"])
  func `no records make a whole file of each format`(_ body: String) async throws {
    try await Rig.with(ok(body)) { rig in
      for (ending, text) in [("jsonl", ""), ("json", "[]\n"), ("csv", "id,name\r\n")] {
        let run = await rig.run(try rig.flow("records: $[*]\npersistence: users.\(ending)"))
        #expect(run.kept == 0)
        #expect(rig.scratch.text("users.\(ending)") == text)
      }
    }
  }

  @Test(arguments: ["users.json", "users.jsonl", "users.csv"])
  func `what a persistence saved is loaded again with its values`(_ name: String) async throws {
    let scratch = try Scratch()
    let root = OutputRoot(path: scratch.folder, durability: .fast)
    let schema = RecordSchema(
      name: "user",
      fields: [
        FieldMapping(name: "id", from: try JSONPath(parsing: "$.id"), type: .integer, missing: .required),
        FieldMapping(name: "name", from: try JSONPath(parsing: "$.name"), type: .string, missing: .optional),
      ], key: ["id"])
    let path = try OutputPath(parsing: name)
    let persistence = InDiskPersistence(
      root: root, path: { _ in path }, key: { _ in 1 },
      form: RecordSetForm(
        path: try RecordPath(parsing: name), root: root, schema: CompiledSchema(schema),
        observer: { _ in }
      ).form, wallClock: ManualClock().wallClock)
    let records: [JSONValue] = try [
      JSONValue(parsing: Array(#"{"id":1,"name":"A, \"B\"\r\nC"}"#.utf8)),
      JSONValue(parsing: Array(#"{"id":-2,"name":null}"#.utf8)),
      JSONValue(parsing: Array(#"{"id":3,"name":""}"#.utf8)),
    ]
    let lines = records.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) + "\n" }.joined()
    let given = RecordSet(schema: schema, count: 3, format: .jsonLines, content: .memory(Array(lines.utf8)))
    let resource = Resource(path: "/users", method: .GET)
    #expect(try await given.values() == records)
    #expect(try await persistence.save(given, for: resource).values() == records)
    guard case .hit(let loaded) = try await persistence.load(for: resource) else {
      Issue.record("nothing loaded")
      return
    }
    #expect(loaded.count == 3)
    #expect(try await loaded.values() == records)
    await root.close()
  }
}
