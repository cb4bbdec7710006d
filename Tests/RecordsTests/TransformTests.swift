import FieldTypes
import Expressions
import JSONSyntax
import ReactorCore
import Records
import Reshape
import Synchronization
import TestSupport
import Testing

/// What a transform made of a response.
struct Transformed {
  var lines: [String]
  var report: PruneReport
  var envelope: String?

  /// `index pointer reason` of each rejection.
  var rejections: [String] { report.rejections.map { "\($0.index) \($0.pointer) \($0.reason)" } }

  init(
    _ text: String, _ transform: RecordTransform, _ schema: RecordSchema = .wholeRecords, at path: String? = nil,
    isStrict: Bool = false, windowBytes: Int = 256 << 10, piece: Int = .max
  ) async throws {
    let plan = MappingPlan(schema)
    var limits = RecordLimits()
    limits.windowBytes = windowBytes
    var reader = RecordReader(
      plan: plan, selection: RecordSelection(try path.map { try JSONPath(parsing: $0) }), isStrict: isStrict,
      limits: limits, transform: transform)
    reader.needsEnvelope = true
    let out = RecordOutput(plan, format: .jsonLines)
    let bytes = Array(text.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: min(piece, max(bytes.count, 1))).map {
      Array(bytes[$0..<min(bytes.count, $0 + min(piece, bytes.count))])
    }
    let outcome = try await reader.read(ResponseBody(Pieces(pieces))) { (batch) throws(ReactorError) in
      out.append(batch)
    }
    lines = String(decoding: out.finish(), as: UTF8.self).split(separator: "\n").map(String.init)
    report = outcome.report
    envelope = outcome.envelope.map { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite struct TransformTests {
  private func condition(_ text: String, _ type: ExpressionType = .dynamic) throws -> RecordTransform {
    RecordTransform(condition: try Expression(parsing: text), recordType: type)
  }

  private func path(_ text: String) throws -> JSONPath { try JSONPath(parsing: text) }

  private func template(_ expressions: String...) throws -> ExpressionTemplate {
    ExpressionTemplate(try expressions.map { .expression(try Expression(parsing: $0)) })
  }

  /// A schema with one computed field after the read ones.
  private func computed(
    _ fields: [(String, FieldType)], _ name: String, _ type: FieldType, _ value: ExpressionTemplate,
    _ missing: FieldMapping.MissingPolicy = .required
  ) throws -> RecordSchema {
    var schema = try schema(fields)
    schema.fields.append(
      FieldMapping(name: name, from: JSONPath(singular: [.name(name)]), type: type, missing: missing, value: value))
    return schema
  }

  // MARK: - Conditions

  @Test(arguments: [1, 7, 64, .max])
  func `records that are not wanted are neither kept nor rejected`(_ piece: Int) async throws {
    let text = #"{"total":5,"data":[{"id":1},{"id":"x"},{"id":3},{"id":4},{"id":5}]}"#
    let made = try await Transformed(
      text, condition("record.id % 2 == 1", .object(["id": .int])), schema([("id", .integer)]), at: "$.data",
      windowBytes: 1, piece: piece)
    #expect(made.lines == [#"{"id":1}"#, #"{"id":3}"#, #"{"id":5}"#])
    #expect(made.rejections == [#"1 /id expected an integer, found the string "x""#])
    #expect(made.report.kept == 3 && made.report.filtered == 1 && made.report.total == 5)
    #expect(made.envelope == #"{"total":5,"data":[]}"#)
  }

  @Test func `a condition on the source alone is asked before the record is mapped`() async throws {
    let text = #"[{"type":"user","id":1},{"type":"bot","id":"none"},{"type":"user","id":"2"}]"#
    let made = try await Transformed(text, condition("source.type == 'user'"), schema([("id", .integer)]))
    #expect(made.lines == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(made.rejections == [] && made.report.filtered == 1)
  }

  @Test func `records without a schema are judged as they came`() async throws {
    let made = try await Transformed(#"[{"a":1,"b":{"c":true}},{"a":2,"b":{"c":false}}, 7]"#, condition("record.b.c"))
    #expect(made.lines == [#"{"a":1,"b":{"c":true}}"#])
    #expect(made.rejections.count == 1 && made.rejections.first?.hasPrefix("2  'where' cannot be evaluated: ") == true)
  }

  @Test func `a condition that gives no boolean rejects the record`() async throws {
    let made = try await Transformed(#"[{"a":"yes"}]"#, condition("record.a"))
    #expect(made.rejections == ["0  'where' must give true or false, found string"])
  }

  @Test func `a strict reading ends at the first record that cannot be judged`() async throws {
    let error = await #expect(throws: ReactorError.self) {
      try await Transformed(#"[{"a":true},{"a":1},{"a":2}]"#, condition("record.a"), isStrict: true)
    }
    #expect(error?.recordIndex == 1)
  }

  // MARK: - Changes

  @Test(arguments: [
    (#"{"a":{"b":1,"c":{"d":2}},"e":[{"f":1}],"g":{}}"#, 0, "_", #"{"a_b":1,"a_c_d":2,"e":[{"f":1}],"g":{}}"#),
    (#"{"a":{"b":1,"c":{"d":2}}}"#, 1, ".", #"{"a.b":1,"a.c":{"d":2}}"#),
    (#"{"":{"b":1}}"#, 0, "_", #"{"_b":1}"#), ("[1]", 0, "_", "[1]"), ("7", 0, "_", "7"),
  ])
  func `inner objects are flattened`(_ text: String, _ depth: Int, _ separator: String, _ line: String) async throws {
    let change = RecordChange(flatten: .init(separator: separator, depth: depth == 0 ? nil : depth))
    let made = try await Transformed("[\(text)]", RecordTransform(change: change))
    #expect(made.lines == [line])
  }

  @Test func `members that would get one name reject the record`() async throws {
    let change = RecordChange(flatten: .init())
    let made = try await Transformed(#"[{"a":{"b":1}},{"a_b":1,"a":{"b":2}}]"#, RecordTransform(change: change))
    #expect(made.lines == [#"{"a_b":1}"#])
    #expect(made.rejections == ["1 /a_b 'flatten' would give two members the name 'a_b'"])
  }

  @Test(arguments: [
    ("$.a", "b", #"{"a":1,"x":2}"#, #"{"b":1,"x":2}"#), ("$.a.c", "d", #"{"a":{"c":1}}"#, #"{"a":{"d":1}}"#),
    ("$.a[-1].c", "d", #"{"a":[{"c":1},{"c":2}]}"#, #"{"a":[{"c":1},{"d":2}]}"#),
    ("$.no", "b", #"{"a":1}"#, #"{"a":1}"#),
    ("$.a", "a", #"{"a":1}"#, #"{"a":1}"#), ("$.a.b", "c", #"{"a":1}"#, #"{"a":1}"#),
  ])
  func `members are renamed in their position`(_ from: String, _ to: String, _ text: String, _ line: String)
    async throws
  {
    let change = RecordChange(rename: [.init(try path(from).singularSteps ?? [], to: to)])
    let made = try await Transformed("[\(text)]", RecordTransform(change: change))
    #expect(made.lines == [line])
  }

  @Test func `a name that is taken rejects the record`() async throws {
    let change = RecordChange(rename: [.init([.name("a")], to: "b")])
    let made = try await Transformed(#"[{"a":1,"b":2}]"#, RecordTransform(change: change))
    #expect(made.rejections == ["0 /a 'a' cannot be renamed to 'b', because this name already exists"])
  }

  @Test(arguments: [
    (["$.a"], #"{"a":1,"b":2}"#, #"{"b":2}"#),
    (["$..secret"], #"{"a":{"secret":1,"b":[{"secret":2}]}}"#, #"{"a":{"b":[{}]}}"#),
    (["$.l[0]", "$.l[2]"], #"{"l":[1,2,3,4]}"#, #"{"l":[2,4]}"#),
    (["$.l[?@.x]"], #"{"l":[{"x":1},{"y":1}]}"#, #"{"l":[{"y":1}]}"#),
    (["$.a[*].b", "$.a"], #"{"a":[{"b":1}],"c":1}"#, #"{"c":1}"#), (["$.none"], #"{"a":1}"#, #"{"a":1}"#),
  ])
  func `what paths select is removed`(_ paths: [String], _ text: String, _ line: String) async throws {
    let change = RecordChange(remove: try paths.map { try path($0) })
    let made = try await Transformed("[\(text)]", RecordTransform(change: change))
    #expect(made.lines == [line])
  }

  @Test func `members are added in order, over the record so far and the record as it came`() async throws {
    let change = RecordChange(
      flatten: .init(), remove: [try path("$.b")],
      add: [
        .init("sum", .template(try template("record.a_x + 1"))),
        .init("twice", .template(try template("record.sum * 2"))),
        .init("was", .template(try template("source.a"))),
        .init("const", .object([.init("k", .array([.constant(.null)]))])),
      ])
    let made = try await Transformed(#"[{"a":{"x":1},"b":0},[1],{"c":1}]"#, RecordTransform(change: change))
    #expect(made.lines == [#"{"a_x":1,"sum":2,"twice":4,"was":{"x":1},"const":{"k":[null]}}"#])
    #expect(made.rejections.first == "1  members can only be added to an object, found an array")
    #expect(made.rejections.last?.hasPrefix("2 /sum 'sum' cannot be added: ") == true)
  }

  // MARK: - Computed fields

  @Test func `fields are computed from others, in the order in which they need each other`() async throws {
    var schema = try computed(
      [("a", .integer)], "quarter", .number, template("float(record.half) / 2.0"))
    schema.fields.insert(
      FieldMapping(
        name: "half", from: JSONPath(singular: []), type: .integer, value: try template("source.a / 2")), at: 0)
    schema.fields.append(
      FieldMapping(
        name: "label", from: JSONPath(singular: []), type: .string,
        value: ExpressionTemplate([.text("<"), .expression(try Expression(parsing: "record.a")), .text(">")])))
    let type = ExpressionType.object(["half": .int, "a": .int, "quarter": .double, "label": .string])
    let made = try await Transformed(#"[{"a":8}]"#, RecordTransform(recordType: type), schema)
    #expect(made.lines == [#"{"half":4,"a":8,"quarter":2.0,"label":"<8>"}"#], "\(made.rejections)")
  }

  @Test(arguments: [
    (FieldType.integer, #""42""#, "42"), (.integer, "42.0", "42"), (.number, #""1.5""#, "1.5"),
    (.decimal, "1.50", #""1.50""#),
    (.boolean, #""true""#, "true"), (.timestamp(.epochSeconds), "0", #""1970-01-01T00:00:00Z""#),
    (.date, #""2024-01-31""#, #""2024-01-31""#), (.list(.integer), #"[1,"2"]"#, "[1,2]"),
    (.json, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (.enumeration(["a"]), #""a""#, #""a""#),
    (.uuid, #""00000000-0000-0000-0000-00000000000A""#, #""00000000-0000-0000-0000-00000000000a""#),
  ])
  func `a declared type converts without loss`(_ type: FieldType, _ value: String, _ kept: String) async throws {
    let schema = try computed([("id", .integer)], "v", type, template("source.x"))
    let made = try await Transformed("[{\"id\":1,\"x\":\(value)}]", RecordTransform(), schema)
    #expect(made.lines == ["{\"id\":1,\"v\":\(kept)}"])
    #expect(made.rejections == [])
  }

  @Test func `what does not fit rejects the record at its position in the response`() async throws {
    let schema = try computed([("id", .integer)], "v", .integer, template("source.x"))
    let made = try await Transformed(
      #"[{"id":"?"},{"id":1,"x":"4.5"},{"id":2,"x":5},{"id":3},{"id":4,"x":null}]"#, RecordTransform(), schema)
    #expect(made.lines == [#"{"id":2,"v":5}"#])
    #expect(made.report.rejected == 4 && made.report.total == 5)
    #expect(made.rejections.map { $0.prefix(4) } == ["0 /i", "1 /v", "3 /v", "4 /v"])
    #expect(
      made.rejections[1]
        == #"1 /v the computed value of 'v' does not match: expected an integer, found the string "4.5""#)
    #expect(made.rejections[3] == "4 /v 'v' is required, but null")
  }

  @Test func `a missing value is null where the field is optional, or its default`() async throws {
    let optional = try computed([("id", .integer)], "v", .integer, template("source.x"), .optional)
    #expect(try await Transformed(#"[{"id":1}]"#, RecordTransform(), optional).lines == [#"{"id":1,"v":null}"#])
    let fallback = try computed([("id", .integer)], "v", .integer, template("source.x"), .default(.integer(7)))
    #expect(try await Transformed(#"[{"id":1}]"#, RecordTransform(), fallback).lines == [#"{"id":1,"v":7}"#])
  }

  @Test func `a condition sees computed fields`() async throws {
    let schema = try computed([("id", .integer)], "twice", .integer, template("record.id * 2"))
    let made = try await Transformed(
      #"[{"id":1},{"id":2},{"id":3}]"#, condition("record.twice > 2", .object(["id": .int, "twice": .int])), schema)
    #expect(made.lines == [#"{"id":2,"twice":4}"#, #"{"id":3,"twice":6}"#])
    #expect(made.report.filtered == 1)
  }

  @Test func `a condition sees the default of a computed field`() async throws {
    let schema = try computed([("id", .integer)], "v", .integer, template("source.x"), .default(.integer(7)))
    let made = try await Transformed(#"[{"id":1},{"id":2,"x":3}]"#, condition("record.v == 7"), schema)
    #expect(made.lines == [#"{"id":1,"v":7}"#])
    #expect(made.rejections == [] && made.report.filtered == 1)
  }

  @Test func `a member that no field reads does not reject a record that is judged`() async throws {
    let made = try await Transformed(
      #"[{"id":1,"x":"\ud800"},{"id":2}]"#, condition("record.id == 1"), schema([("id", .integer)]))
    #expect(made.lines == [#"{"id":1}"#])
    #expect(made.rejections == [] && made.report.filtered == 1)
  }

  @Test func `a record that cannot be judged is rejected as it came`() async throws {
    let rejected = Mutex<[RejectedRecord]>([])
    let reader = RecordReader(
      plan: MappingPlan(try computed([("id", .integer)], "v", .list(.integer), template("source.x"))),
      selection: .at([]), isStrict: false, onRejected: { record in rejected.withLock { $0.append(record) } },
      transform: RecordTransform())
    let text = #"[{"id": 1, "x": [2, "y"]}, {"id": 2, "x": [1.0]}]"#
    let outcome = try await reader.read(ResponseBody(Pieces([Array(text.utf8)]))) { _ in }
    let record = try #require(rejected.withLock { $0.first })
    #expect(outcome.report.kept == 1 && outcome.report.rejected == 1)
    #expect(record.index == 0 && record.pointer == "/v/1" && record.rule == "integer")
    #expect(record.reason == #"the computed value of 'v' does not match: expected an integer, found the string "y""#)
    #expect(String(decoding: record.json, as: UTF8.self) == #"{"id":1,"x":[2,"y"]}"#)
  }

  // MARK: - Programs

  @Test(
    arguments: [
      (".groups[].m[]", nil, #"{"groups":[{"m":[{"id":1}]},{"m":[{"id":2},{"id":3}]}]}"#, 3),
      (".groups", nil, #"{"groups":[{"id":1},{"id":2}]}"#, 2),
      ("{data: .groups}", "$.data[*]", #"{"groups":[{"id":1}]}"#, 1),
      ("empty", nil, "{}", 0), (".", "$..id", #"{"a":[{"id":1},{"id":2}]}"#, 2),
    ] as [(String, String?, String, Int)])
  func `the results of a program are answers`(_ program: String, _ path: String?, _ text: String, _ count: Int)
    async throws
  {
    let made = try await Transformed(text, RecordTransform(responseProgram: try Reshape(parsing: program)), at: path)
    #expect(made.lines.count == count && made.report.kept == count)
    #expect(made.envelope == text)
  }

  @Test func `a program that fails on the response fails the reading`() async throws {
    let error = await #expect(throws: ReactorError.self) {
      try await Transformed(#"{"a":1}"#, RecordTransform(responseProgram: try Reshape(parsing: ".a[]")))
    }
    #expect(error?.message.hasPrefix("the response cannot be reshaped: ") == true)
    let lost = await #expect(throws: ReactorError.self) {
      try await Transformed(#"{"a":1}"#, RecordTransform(responseProgram: try Reshape(parsing: ".")), at: "$.b")
    }
    #expect(lost?.message == "no records: the reshaped response contains nothing at $.b")
  }

  @Test func `a program gives none, one or several records for one`() async throws {
    let transform = RecordTransform(recordProgram: try Reshape(parsing: ".id as $id | .lines[] | {id: $id, n: .}"))
    let made = try await Transformed(
      #"[{"id":1,"lines":[1,2]},{"id":2,"lines":[]},{"id":3,"lines":7},{"id":"x","lines":[3]},{"id":5,"lines":[4]}]"#,
      transform, schema([("id", .integer), ("n", .integer)]))
    #expect(made.lines == [#"{"id":1,"n":1}"#, #"{"id":1,"n":2}"#, #"{"id":5,"n":4}"#])
    #expect(made.report.filtered == 1 && made.report.total == 5)
    #expect(made.rejections.map { $0.prefix(2) } == ["2 ", "3 "])
    #expect(made.rejections.first?.hasPrefix("2  reshape: ") == true)
  }

  // MARK: - Amounts

  @Test(arguments: ["where", "source", "computed", "change", "program", "answer", "none"])
  func `a hundred thousand records go through in flat memory`(_ stage: String) async throws {
    // The response that a program gets whole is held.
    let count = stage == "answer" ? 5_000 : 100_000
    var transform: RecordTransform? = RecordTransform(recordType: .object(["id": .int, "name": .string]))
    var fields = try schema([("id", .integer), ("name", .string)])
    switch stage {
    case "where": transform?.condition = try Expression(parsing: "record.id >= 0")
    case "source": transform?.condition = try Expression(parsing: "source.id >= 0")
    case "computed":
      fields = try computed([("id", .integer), ("name", .string)], "label", .string, template("upper(record.name)"))
    case "change":
      transform?.change = RecordChange(
        flatten: .init(), rename: [.init([.name("in_x")], to: "x")], remove: [try path("$.pad")],
        add: [.init("k", .template(try template("record.id + 1")))])
    case "program": transform?.recordProgram = try Reshape(parsing: "{id, name}")
    case "answer": transform?.responseProgram = try Reshape(parsing: ".[]")
    default: transform = nil
    }
    let plan = MappingPlan(fields)
    let reader = RecordReader(plan: plan, selection: .at([]), isStrict: true, transform: transform)
    var written = 0
    let out = RecordOutput(plan, format: .jsonLines)
    let before = PeakMemory.begin()
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try await reader.read(ResponseBody(People(count))) { (batch) throws(ReactorError) in
      out.append(batch)
      written += out.takePiece()?.count ?? 0
    }
    let time = clock.now - start
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    print("transform \(stage): \(Int(Double(count) / seconds)) records/s")
    #expect(outcome.report.kept == count && outcome.report.rejected == 0)
    #expect(written > 0 || stage == "answer")
    #expect(PeakMemory.kilobytes - before < 16_000)
  }
}

/// A response of many records that is made while it is read, so that nothing of it is held.
private actor People: ByteSource {
  private let count: Int
  private var made = 0

  init(_ count: Int) { self.count = count }

  func next() async throws(ReactorError) -> [UInt8]? {
    guard made < count else { return nil }
    var text = made == 0 ? "[" : ""
    for id in made..<min(made + 500, count) {
      text +=
        #"{"id":\#(id),"name":"n\#(id)","in":{"x":1},"pad":"aaaaaaaaaaaaaaaaaaaa"}"# + (id + 1 < count ? "," : "]")
    }
    made = min(made + 500, count)
    return Array(text.utf8)
  }

  nonisolated func cancel() {}
}
