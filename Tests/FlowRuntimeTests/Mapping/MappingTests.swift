import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Records
import Testing
import TestSupport

@Suite struct MappingTests {
  private static let people = #"""
    {"total":3,"data":[{"id":1,"name":"Ann","address":{"city":"Rome"},"tags":[{"n":"a"},{"n":"b"}]},
    {"id":2,"name":"Bob","address":{"city":"Oslo"},"tags":[]},{"id":3,"name":"Cy","address":{"city":"Rome"},"tags":[{"n":"c"}]}]}
    """#

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var keys: String
    var lines: [String]
    var answer = MappingTests.people
    var top = ""

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "where over mapped records", keys: "records: $.data\nwhere: record.id > 1\nexpect: { total: $.total }",
      lines: [#"{"id":2,"name":"Bob"}"#, #"{"id":3,"name":"Cy"}"#]),
    Case(
      name: "where over the source", keys: "records: $.data\nwhere: \"{{ source.address.city == 'Rome' }}\"",
      lines: [#"{"id":1,"name":"Ann"}"#, #"{"id":3,"name":"Cy"}"#]),
    Case(
      name: "where with a variable", keys: "records: $.data\nwhere: source.address.city == vars.city",
      lines: [#"{"id":2,"name":"Bob"}"#], top: "vars: { city: Oslo }"),
    Case(
      name: "computed fields",
      keys: """
        records: $.data
        where: record.id < 3
        schema:
          fields:
            id: integer
            name: string
            label: { value: "{{ record.name }} <{{ vars.city }}>" }
            next: { value: "{{ record.id + 1 }}" }
            after: { value: "{{ record.next + 1 }}", type: decimal }
            home: { value: "{{ source.address.city }}", type: string }
        """,
      lines: [
        #"{"id":1,"name":"Ann","label":"Ann <Oslo>","next":2,"after":"3","home":"Rome"}"#,
        #"{"id":2,"name":"Bob","label":"Bob <Oslo>","next":3,"after":"4","home":"Oslo"}"#,
      ], top: "vars: { city: Oslo }"),
    Case(
      name: "changes",
      keys: """
        records: $.data
        schema: { fields: { id: integer, town: string, tags: json, from: string } }
        where: record.id == 1
        change:
          flatten: true
          rename: { $.address_city: town }
          remove: ["$.tags[0]"]
          add: { from: "{{ vars.city }}-{{ record.id }}" }
        """, lines: [#"{"id":1,"town":"Rome","tags":[{"n":"b"}],"from":"Oslo-1"}"#], top: "vars: { city: Oslo }"),
    Case(
      name: "wildcards in a field",
      keys:
        "records: $.data\nschema: { fields: { id: integer, tags: { type: [string], from: \"$.tags[*].n\" } } }",
      lines: [#"{"id":1,"tags":["a","b"]}"#, #"{"id":2,"tags":[]}"#, #"{"id":3,"tags":["c"]}"#]),
    Case(
      name: "wildcards in records", keys: "records: $.data[*].tags[*]\nschema: { fields: { n: string } }",
      lines: [#"{"n":"a"}"#, #"{"n":"b"}"#, #"{"n":"c"}"#]),
    Case(
      name: "a variable in the place of the records",
      keys: "records: \"$['{{ vars.place }}'][*]\"\nschema: { fields: { id: integer } }",
      lines: [#"{"id":1}"#], answer: #"{"o'x\\y":[{"id":1}]}"#, top: "vars: { place: \"o'x\\\\y\" }"),
    Case(
      name: "a program for the response", keys: "reshape: \".data[] | {id, name: .address.city}\"",
      lines: [#"{"id":1,"name":"Rome"}"#, #"{"id":2,"name":"Oslo"}"#, #"{"id":3,"name":"Rome"}"#]),
    Case(
      name: "a program for each record",
      keys: "records: $.data\nreshape: { each: \".id as $i | .tags[] | {id: $i, name: .n}\" }",
      lines: [#"{"id":1,"name":"a"}"#, #"{"id":1,"name":"b"}"#, #"{"id":3,"name":"c"}"#]),
  ])
  func `records come out as declared`(_ example: Case) async throws {
    try await Rig.with(ok(example.answer)) { rig in
      let flow = try rig.flow(example.keys, top: example.top)
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(run.outcome?.report.rejected == 0)
      #expect(rig.result?.split(separator: "\n").map(String.init) == example.lines)
    }
  }

  @Test(arguments: [
    ("where: record.idd > 1", "expression.unknown-name@7:19"), ("where: record.id", "expression.type@7:12"),
    ("where: coalesce(source.a, 1) +", "expression.syntax"), ("where: parent.id == 1", "template.unknown-root@7:12"),
    ("where: secrets.KEY == 'x'", "template.secret-not-allowed"),
    ("where: vars.citty == 'x'", "template.unknown-variable@7:17"),
    ("reshape: \".a | .b[\"", "reshape.syntax"), ("reshape: { each: \".a | nope\" }", "reshape.syntax@7:28"),
    ("change: { remove: [$.a, b] }", "flow.invalid-path@7:29"),
    ("change: { add: { x: \"{{ recrd.x }}\" } }", "template.unknown-root@7:29"),
    ("records: \"$.data[{{ vars.city }}]\"", "flow.invalid-path@7:14"),
    ("schema: { fields: { id: integer, x: { value: \"{{ record.idd }}\" } } }", "expression.unknown-name@7:61"),
    ("schema: { fields: { id: integer, x: { value: \"{{ parent.id }}\" } } }", "template.unknown-root@7:54"),
    ("schema: { fields: { id: integer, x: { value: \"{{ vars.citty }}\" } } }", "expression.unknown-name@7:59"),
    (
      "schema: { fields: { x: { value: \"{{ record.y }}\" }, y: { value: \"{{ record.x }}\" } } }",
      "schema.computed-cycle@7:37"
    ),
    ("schema: { fields: { x: { value: \"{{ 1 }}\", type: boolean } } }", "expression.type@7:41"),
    ("schema: { fields: { o: { type: object, fields: { x: { value: \"a\" } } } } }", "schema.nested-value@7:66"),
  ])
  func `what is wrong is told at its location when the file is loaded`(_ keys: String, _ location: String) async throws
  {
    try await Rig.with { rig in
      let locations = rig.compile(rig.text(keys, top: "vars: { city: Oslo }\nsecrets: [KEY]")).locations
      #expect(locations.count == 1 && locations.first?.hasPrefix(location) == true, "\(locations)")
    }
  }

  @Test func `a variable without a value is told where the records need it`() async throws {
    try await Rig.with { rig in
      let top = "vars: { city: { type: string } }"
      for keys in ["where: source.city == vars.city", "records: \"$['{{ vars.city }}']\""] {
        #expect(
          rig.compile(rig.text(keys, top: top)).locations.map { $0.split(separator: "@")[0] } == [
            "template.unset-variable"
          ])
      }
    }
  }

  @Test func `a persisted result is only taken for the same changes`() async throws {
    try await Rig.with(ok(Self.people)) { rig in
      let top = "vars: { city: Oslo }"
      let keys = "records: $.data\nwhere: source.address.city == vars.city"
      for (keys, top, source) in [
        (keys, top, FetchSource.network), (keys, top, .persistence), (keys, "vars: { city: Rome }", .network),
        ("records: $.data", top, .network),
      ] {
        let run = await rig.run(try rig.flow(keys, top: top))
        #expect(run.source == source)
      }
    }
  }

  @Test func `pages count the records that came, not those that are kept`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let start = request.target.contains("skip=2") ? 2 : request.target.contains("skip=4") ? 4 : 0
        let ids = (start..<min(start + 2, 4)).map { "{\"id\":\($0),\"name\":\"n\"}" }.joined(separator: ",")
        return ok("{\"data\":[\(ids)]}")
      }
      let run = await rig.run(
        try rig.flow("records: $.data\nwhere: record.id == 3\npages: { by: offset, query: skip }"))
      #expect(run.message == "" && run.kept == 1)
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a rejected record is told by its location in the response`() async throws {
    try await Rig.with(ok(Self.people)) { rig in
      let run = await rig.run(
        try rig.flow(
          "records: $.data\nschema: { fields: { id: integer, n: { value: \"{{ source.tags[0].n }}\", type: string } } }"
        ))
      #expect(run.outcome?.report.rejections.map(\.index) == [1])
      #expect(run.outcome?.report.rejections.first?.pointer == "/n")
    }
  }

  @Test func `what is rejected on the way is kept as it came`() async throws {
    try await Rig.with(ok(Self.people)) { rig in
      let run = await rig.run(
        try rig.flow(
          "records: $.data\nrejected: bad.jsonl\nchange: { flatten: true }\n"
            + "schema: { fields: { id: integer, n: { value: \"{{ source.tags[0].n }}\", type: string } } }"))
      #expect(run.kept == 2)
      let line = rig.scratch.text("bad.jsonl") ?? ""
      #expect(line.contains(#""index":1,"pointer":"/n","rule":"value","#), "\(line)")
      #expect(
        line.contains(#""record":{"id":2,"name":"Bob","address":{"city":"Oslo"},"tags":[]}"#), "\(line)")
    }
  }

  @Test func `fields are computed from the parent's record`() async throws {
    try await Rig.with(ok(#"[{"id":7,"name":"x"}]"#)) { rig in
      let keys = """
        each: { values: [eu, us], as: region }
        resource: "/{{ region }}/users"
        where: region != 'us' || record.id == 7
        schema: { fields: { id: integer, place: { value: "{{ region }}-{{ record.id }}" } } }
        """
      let run = await rig.run(try rig.flow(keys))
      #expect(run.message == "")
      #expect(rig.result == #"{"id":7,"place":"eu-7"}"# + "\n" + #"{"id":7,"place":"us-7"}"# + "\n")
    }
  }

  @Test func `the mapping of a flow is there before a request, and gives what the run persists`() async throws {
    try await Rig.with(ok(Self.people)) { rig in
      let keys = """
        records: $.data
        schema: { fields: { id: integer, city: { from: $.address.city, type: string }, next: { value: "{{ record.id + 1 }}" } } }
        """
      let flow = try rig.flow(keys)
      let parsed = try Parser.array(of: flow.mapping, under: "data").parse(Array(Self.people.utf8))
      #expect(rig.result == nil)
      #expect(try parsed.model.map { try $0.string("city") } == ["Rome", "Oslo", "Rome"])
      #expect(parsed.model.allSatisfy { $0["next"] == nil })
      let whole = try rig.flow(keys.replacingOccurrences(of: ", next: { value: \"{{ record.id + 1 }}\" }", with: ""))
      _ = await rig.run(whole)
      let lines = try Parser.array(of: whole.mapping, under: "data").parse(Array(Self.people.utf8)).model
        .map { String(decoding: JSONWriter.bytes($0.json), as: UTF8.self) + "\n" }
      #expect(rig.result == lines.joined())
    }
  }

  @Test func `the plan names what is done with records`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        """
        records: $.data
        reshape: { each: ".lines[]" }
        where: source.id > 1
        change: { flatten: { depth: 1 }, rename: { $.a: b }, remove: $.c, add: { d: "{{ record.b }}" } }
        schema: { fields: { id: integer, twice: { value: "{{ record.id * 2 }}" } } }
        """)
      let text = flow.explanation.items.map { "\($0.heading.trimmingCharacters(in: .whitespaces)): \($0.text)" }
      for line in [
        "reshape: each record by .lines[]", "field: twice: integer computed: {{ record.id * 2 }}",
        "change: flatten 1 level with '_'", "change: rename $.a to b", "change: remove $.c",
        "change: add d: {{ record.b }}", "where: source.id > 1 (before it is mapped); others are left out",
      ] { #expect(text.contains(line), "\(text)") }
    }
  }
}
