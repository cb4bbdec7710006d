import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import StreamCompression
import Synchronization
import Testing
import TestSupport

/// Flows whose responses are in other formats than JSON.
@Suite struct DecodeTests {
  private static let table = "id;name\n1;Ada\nx;Ben\n3\n4;\"Dora;\"\n"

  private static func keys(_ decode: String, _ rest: String...) -> String {
    (["decode: \(decode)"] + rest).joined(separator: "\n")
  }

  @Test func `rows are mapped like records of JSON, and bad rows are rejected records`() async throws {
    try await Rig.with(ok(Self.table)) { rig in
      let keys = Self.keys("{ format: csv, delimiter: \";\" }", "rejected: out/bad.jsonl")
      let run = await rig.run(try rig.flow(keys))
      #expect(rig.result == "{\"id\":1,\"name\":\"Ada\"}\n{\"id\":4,\"name\":\"Dora;\"}\n")
      #expect(
        run.outcome?.report.rejections.map(\.description) == [
          #"record 1 at /id: expected an integer, found the string "x""#,
          "record 2: line 4 has 1 field, and the table has 2 columns",
        ])
      let lines = try #require(rig.scratch.text("out/bad.jsonl")).split(separator: "\n").map {
        try JSONValue(parsing: Array($0.utf8))
      }
      #expect(lines.map { $0["rule"]?.string } == ["integer", "format"])
      #expect(lines.map { $0["index"]?.int64 } == [1, 2])
      #expect(lines[1]["record"]?.string == "3" && lines[0]["record"]?["name"]?.string == "Ben")
    }
  }

  @Test(arguments: [
    ("csv", "id;name\n1;A\n", "no column of the table is in the schema: the header is 'id;name'", "delimiter: \";\""),
    (
      "csv", "id\tname\n", "no column of the table is in the schema: the header is 'id\\u{9}name'", "delimiter: \"\\t\""
    ),
    (
      "csv", "nr,label\n1,A\n", "no column of the table is in the schema: the header is 'nr,label'",
      "compare the names"
    ),
  ]) func `a table without a column of the schema is an error, and the old result stays`(
    _ format: String, _ body: String, _ message: String, _ help: String
  ) async throws {
    try await Rig.with(ok("id,name\n1,A\n")) { rig in
      let keys = """
        resource: /users
        decode: \(format)
        schema: { fields: { id: integer?, name: { type: string, default: none } } }
        persistence: users.jsonl
        """
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      rig.answer(ok(body))
      let run = await rig.run(flow, .fresh)
      #expect(run.message == message)
      #expect(run.error?.help?.contains(help) == true, "\(run.error?.help ?? "")")
      #expect(rig.scratch.text("users.jsonl") == "{\"id\":1,\"name\":\"A\"}\n")
      // A program may rename the columns, and one column is enough.
      rig.answer(ok(body))
      let renamed = try rig.flow(keys + "\nreshape: { each: \"{id: 7}\" }")
      #expect(await rig.run(renamed, .fresh).message == "")
      rig.answer(ok("other,name\n1,A\n"))
      #expect(await rig.run(flow, .fresh).message == "")
    }
  }

  @Test func `a bad row fails a strict flow, and the old result stays`() async throws {
    try await Rig.with(ok("id,name\n1,A\n")) { rig in
      let flow = try rig.flow(Self.keys("csv", "prune: false"))
      #expect(await rig.run(flow).save == .saved)
      rig.answer(ok("id,name\n1,A\n2\n"))
      let run = await rig.run(flow, .fresh)
      #expect(run.message == "line 3 has 1 field, and the table has 2 columns" && run.error?.recordIndex == 1)
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
    }
  }

  @Test func `transforms and conditions apply, and rejected rows are counted once`() async throws {
    try await Rig.with(ok("{\"d\":{\"id\":1,\"name\":\"a\"}}\n{\"d\":\n{\"d\":{\"id\":2,\"name\":\"b\"}}\n")) { rig in
      let keys = Self.keys("jsonl", "reshape: { each: .d }", "where: record.id > 1", "rejected: out/bad.jsonl")
      let run = await rig.run(try rig.flow(keys))
      #expect(rig.result == "{\"id\":2,\"name\":\"b\"}\n")
      #expect(
        run.outcome?.report.rejections.map(\.description) == [
          "record 1: line 2 is not JSON: the text ends where a value should be at byte 5"
        ])
      #expect(rig.scratch.text("out/bad.jsonl")?.contains(#""record":"{\"d\":""#) ?? false)
    }
  }

  @Test func `pages of tables are followed, but not from a row that cannot be read`() async throws {
    try await Rig.with { rig in
      let isDamaged = Latch()
      rig.answer { request in
        request.target.contains("after=2")
          ? ok("id,name\n3,C\n")
          : request.target.contains("after=3")
            ? ok("id,name\n") : ok(isDamaged.value ? "id,name\n1,A\n2\n" : "id,name\n1,A\n2,B\n")
      }
      let flow = try rig.flow(Self.keys("csv", "pages: { by: cursor, from_last: $.id, query: after }"))
      #expect(await rig.run(flow).kept == 3)
      isDamaged.value = true
      #expect(
        await rig.run(flow, .fresh).message
          == "the last record of the page cannot be read, so the next page is unknown")
      #expect(rig.result?.split(separator: "\n").count == 3)
    }
  }

  @Test func `XML is read by the path of the records, with lists by the schema`() async throws {
    let feed = """
      <feed next="2"><total>2</total><entry id="1"><name>A</name><tag>x</tag></entry>
      <entry id="2"><name>B</name><tag>x</tag><tag>y</tag><line><sku>s</sku></line></entry></feed>
      """
    try await Rig.with(ok(feed)) { rig in
      let keys = Self.keys(
        "xml", "records: $.feed.entry", "expect: { total: $.feed.total }",
        "schema: { key: id, fields: { id: { from: \"$['@id']\", type: integer }, name: string, "
          + "tags: { from: $.tag, type: [string] }, "
          + "lines: { from: $.line, type: list, of: { type: object, fields: { sku: string } }, default: [] }, "
          + "first: { from: \"$.line[0].sku\", type: string? } } }")
      _ = await rig.run(try rig.flow(keys))
      #expect(
        rig.result == """
          {"id":1,"name":"A","tags":["x"],"lines":[],"first":null}
          {"id":2,"name":"B","tags":["x","y"],"lines":[{"sku":"s"}],"first":"s"}

          """)
    }
  }

  @Test func `a compressed file is read`() async throws {
    let bytes = try Compressor(.gzip).finish(Array("{\"id\":1,\"name\":\"A\"}\n".utf8)[...])
    let steps: [ScriptedServer.Step] = [
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .send(bytes),
    ]
    try await Rig.with(steps) { rig in
      let run = await rig.run(try rig.flow(Self.keys("{ format: jsonl, unpack: gzip }")))
      #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
      #expect(run.outcome?.bytes == bytes.count)
    }
  }

  @Test func `unpacked bytes count for max_bytes`() async throws {
    let bytes = try Compressor(.gzip).finish([UInt8](repeating: 0x0A, count: 1 << 20)[...])
    let steps: [ScriptedServer.Step] = [
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .send(bytes),
    ]
    try await Rig.with(steps) { rig in
      let run = await rig.run(try rig.flow(Self.keys("{ format: jsonl, unpack: gzip }"), http: "max_bytes: 100kB"))
      #expect(run.message == "the response unpacks to more than 100000 bytes (max_bytes)")
      #expect(rig.result == nil)
    }
  }

  @Test func `rows are parents of requests, and a cursor goes on from them`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        if request.target.hasPrefix("/notes") { return ok("n\n\(request.target.last.map(String.init) ?? "")\n") }
        return ok(
          request.target.contains("since=2") ? "id,at\n3,2023-01-03\n" : "id,at\n1,2023-01-01\n2,2023-01-02\nx\n")
      }
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)", timeout: 20s }
        flows:
          users:
            resource: /users
            decode: csv
            schema: { key: id, fields: { id: integer, at: date } }
            cursor: { field: at, query: since }
            persistence: { path: users.jsonl, mode: merge }
            rejected: users.rejected.jsonl
          notes:
            each: { flow: users, as: user, add: { user: "{{ user.id }}" } }
            resource: { path: /notes, query: { of: "{{ user.id }}" } }
            decode: csv
            persistence: notes.jsonl

        """
      let flows = rig.compile(text).flows
      let users = try #require(flows.first { $0.plan.origin.name == "users" })
      #expect(await rig.run(users).kept == 2)
      let notes = try #require(flows.first { $0.plan.origin.name == "notes" })
      _ = await rig.run(notes)
      #expect(
        rig.scratch.text("notes.jsonl")
          == "{\"n\":\"1\",\"user\":1}\n{\"n\":\"2\",\"user\":2}\n")
      #expect(await rig.run(users).kept == 1)
      #expect(rig.result?.split(separator: "\n").count == 3)
    }
  }

  @Test(arguments: ["json", "csv", "{ format: jsonl, unpack: gzip }"])
  func `a page in place of data is refused with its title`(_ decode: String) async throws {
    try await Rig.with(ok("<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>")) { rig in
      let run = await rig.run(try rig.flow(Self.keys(decode)))
      #expect(run.message.hasPrefix("the response is an HTML page: 'Sign in', not "), "\(run.message)")
      #expect(run.error?.kind == .parser && rig.result == nil)
    }
  }

  @Test func `the format is explained, and a result of another format is not used`() async throws {
    try await Rig.with(ok("1,A\n")) { rig in
      let keys = Self.keys("{ format: csv, header: false, columns: [id, name] }")
      let flow = try rig.flow(keys)
      let words = flow.plan.explanation.items.first { $0.heading == "  decode" }?.text
      #expect(words == "csv, delimiter ',', quote '\"', columns: id, name, utf-8")
      #expect(await rig.run(flow).save == .saved)
      #expect(await rig.run(try rig.flow(keys)).source == .persistence)
      rig.answer(ok("1\tB\n"))
      #expect(await rig.run(try rig.flow(keys.replacing("csv", with: "tsv"))).source == .network)
      #expect(rig.result == "{\"id\":1,\"name\":\"B\"}\n")
      // JSON is the default: naming it changes nothing.
      rig.answer(ok("[{\"id\":1,\"name\":\"C\"}]"))
      _ = await rig.run(try rig.flow(), .fresh)
      #expect(await rig.run(try rig.flow("decode: json")).source == .persistence)
    }
  }
}
