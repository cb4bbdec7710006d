import ByteCodings
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Responses that are stored as files.
@Suite struct DownloadTests {
  static let schema = """
    schema:
      key: path
      fields:
        path: string
        bytes: integer
        media_type: string?
        sha256: string
        doc: { type: integer, value: "{{ doc.id }}" }
    """

  static func doc(_ id: Int, _ name: String = "a.pdf", _ more: String = "") -> String {
    #"{"id":\#(id),"name":"\#(name)"\#(more)}"# + "\n"
  }

  /// A flow with one request for each line of `docs.jsonl`.
  static func flow(
    _ rig: Rig, _ docs: String, _ keys: String = "", each: String = "",
    path: String = "files/{{ doc.id }}-{{ doc.name }}",
    http: String = ""
  ) throws -> DeclaredFlow {
    try rig.scratch.write(docs.utf8, to: "docs.jsonl")
    var lines = """
      each: { file: docs.jsonl, as: doc, key: id\(each) }
      download: "\(path)"
      \(keys)
      """
    if !keys.contains("schema:") { lines += "\n" + schema }
    if !keys.contains("resource:") { lines += "\nresource: \"/docs/{{ doc.id }}\"" }
    return try rig.flow(lines, http: http)
  }

  static func body(_ bytes: [UInt8], _ fields: String...) -> [ScriptedServer.Step] {
    let lines = fields.map { $0 + "\r\n" }.joined()
    return [.text("HTTP/1.1 200 OK\r\n\(lines)Content-Length: \(bytes.count)\r\n\r\n"), .send(bytes)]
  }

  /// The files below the root that are neither the storage's own nor those of the test.
  static func files(_ rig: Rig) -> [String] {
    rig.files.filter { !$0.hasPrefix(".reactor/") && !["docs.jsonl", "users.jsonl"].contains($0) }
  }

  static func line(_ path: String, _ bytes: [UInt8], _ type: String?, _ id: Int) -> String {
    let type = type.map { "\"\($0)\"" } ?? "null"
    return
      #"{"path":"\#(path)","bytes":\#(bytes.count),"media_type":\#(type),"sha256":"\#(SHA256Digest(of: bytes).hex)","doc":\#(id)}"#
      + "\n"
  }

  // MARK: - Files

  @Test func `each response becomes a file as it is, and a record about it`() async throws {
    let first: [UInt8] = [0, 1, 255, 13, 10, 0] + Array(repeating: 7, count: 3_000_000)
    try await Rig.with { rig in
      rig.answer { request in
        request.target == "/docs/1"
          ? Self.body(first, "Content-Type: application/PDF; name=x") : Self.body([])
      }
      let flow = try Self.flow(rig, Self.doc(1) + Self.doc(2, "b c.txt"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(Self.files(rig) == ["files/1-a.pdf", "files/2-b c.txt"])
      #expect(rig.scratch.bytes("files/1-a.pdf") == first)
      #expect(rig.scratch.bytes("files/2-b c.txt") == [])
      #expect(
        rig.result == Self.line("files/1-a.pdf", first, "application/pdf", 1)
          + Self.line("files/2-b c.txt", [], nil, 2))
      #expect(rig.server.requests.allSatisfy { $0["accept"] == "*/*" })
      #expect(run.outcome?.report.kept == 2)
    }
  }

  @Test func `the next run replaces what has changed, and leaves the rest`() async throws {
    try await Rig.with { rig in
      let content = Mutex<[String: [UInt8]]>(["/docs/1": [1, 2, 3], "/docs/2": [4]])
      rig.answer { request in Self.body(content.withLock { $0[request.target] } ?? []) }
      let flow = try Self.flow(rig, Self.doc(1) + Self.doc(2))
      #expect(await rig.run(flow).message == "")
      #expect(await rig.run(flow).source == .persistence)
      #expect(rig.server.requests.count == 2)
      await rig.letGo()
      // A file that is moved away is not requested again while the result is used.
      let inode = try rig.scratch.inode("files/2-a.pdf")
      try FileManager.default.removeItem(atPath: rig.scratch.path("files/1-a.pdf"))
      #expect(await rig.run(flow).source == .persistence)
      #expect(Self.files(rig) == ["files/2-a.pdf"])
      content.withLock { $0["/docs/1"] = [9] }
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(rig.scratch.bytes("files/1-a.pdf") == [9])
      #expect(try rig.scratch.inode("files/2-a.pdf") == inode)
      content.withLock { $0["/docs/2"] = [5, 6] }
      try rig.scratch.write(Self.doc(2).utf8, to: "docs.jsonl")
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(rig.scratch.bytes("files/2-a.pdf") == [5, 6])
      // The record of the first file is gone, the file stays.
      #expect(rig.result == Self.line("files/2-a.pdf", [5, 6], nil, 2))
      #expect(Self.files(rig) == ["files/1-a.pdf", "files/2-a.pdf"])
    }
  }

  @Test func `a flow without parents stores one file, without a schema and in any persistence`() async throws {
    try await Rig.with(Self.body([80, 75], "Content-Type: application/zip")) { rig in
      let text = rig.text("download: { path: files/all.zip }\nresource: /all")
        .replacing("    schema: { key: id, fields: { id: integer, name: string } }\n", with: "")
      let flow = try #require(rig.compile(text).flows.first)
      #expect(await rig.run(flow).message == "")
      #expect(rig.scratch.bytes("files/all.zip") == [80, 75])
      #expect(
        rig.result == Self.line("files/all.zip", [80, 75], "application/zip", 1).replacing(",\"doc\":1", with: ""))
      let other = try #require(
        rig.compile(text.replacing("    persistence: { path: users.jsonl, expires_after: 1h }\n", with: "")).flows.first
      )
      rig.answer(Self.body([1]))
      #expect(await rig.run(other).message == "")
      #expect(rig.scratch.bytes("files/all.zip") == [1])
    }
  }

  @Test func `a compressed transfer is stored decoded, within the bound`() async throws {
    let gzip: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 0x06, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
    ]
    try await Rig.with(Self.body(gzip, "Content-Encoding: gzip")) { rig in
      let flow1 = try Self.flow(rig, Self.doc(1))
      #expect(await rig.run(flow1).message == "")
      #expect(rig.scratch.text("files/1-a.pdf") == "abc")
      let bound = try Self.flow(rig, Self.doc(2), http: "max_bytes: 2B")
      #expect(await rig.run(bound, .fresh).message.contains("larger than 2 bytes"))
      #expect(Self.files(rig) == ["files/1-a.pdf"])
    }
  }

  // MARK: - Responses that give no file

  @Test(arguments: [
    ("500 Oh No", "", "status 500"), ("404 Not Found", "errors: [{ when: status == 404, do: skip }]", ""),
    ("204 No Content", "", ""),
  ])
  func `an error page is no file`(_ status: String, _ keys: String, _ message: String) async throws {
    try await Rig.with(answer(status, status.hasPrefix("204") ? "" : "<html>no</html>")) { rig in
      let run = await rig.run(try Self.flow(rig, Self.doc(1), keys))
      #expect(message.isEmpty ? run.message == "" : run.message.contains(message), "\(run.message)")
      #expect(Self.files(rig) == [])
      #expect(rig.result == (message.isEmpty ? "" : nil))
    }
  }

  @Test func `a body that is cut short is requested again, and the file begins anew`() async throws {
    try await Rig.with { rig in
      let times = Mutex(0)
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"
      let whole = [UInt8](repeating: 1, count: 2_000_000)
      rig.answer { _ in
        let time = times.withLock { times in
          times += 1
          return times
        }
        return time < 3
          ? [.text(head), .send([UInt8](repeating: 9, count: 1_500_000)), .close] : [.text(head), .send(whole)]
      }
      let flow = try Self.flow(rig, Self.doc(1))
      #expect(await rig.run(flow).message == "")
      #expect(rig.scratch.bytes("files/1-a.pdf") == whole)
      #expect(rig.waits.all.count == 2)
      times.withLock { $0 = -9 }
      let short = await rig.run(try Self.flow(rig, Self.doc(2)), .fresh)
      #expect(short.message.contains("cut short"))
      #expect(times.withLock { $0 } == -6)
      #expect(Self.files(rig) == ["files/1-a.pdf"])
      #expect(rig.scratch.names().filter { $0.contains("tmp") } == [])
      let never = await rig.run(try Self.flow(rig, Self.doc(2), "retry: none"), .fresh)
      #expect(never.message.contains("cut short"))
      #expect(times.withLock { $0 } == -5)
    }
  }

  @Test func `the old file stays until the body is whole, and nothing else after a cancellation`() async throws {
    try await Rig.with(Self.body([4, 2])) { rig in
      let flow = try Self.flow(rig, Self.doc(1))
      #expect(await rig.run(flow).message == "")
      let old = rig.result
      rig.answer([
        .text("HTTP/1.1 200 OK\r\nContent-Length: \(4 << 20)\r\n\r\n"),
        .send([UInt8](repeating: 1, count: 3 << 20)), .hold,
      ])
      let task = Task { await rig.run(flow, .fresh) }
      // More than what is held in memory has been staged.
      #expect(await rig.server.wait { _ in Self.files(rig).contains { $0.hasPrefix("files/.reactor-tmp.") } })
      #expect(rig.scratch.bytes("files/1-a.pdf") == [4, 2])
      task.cancel()
      #expect(await task.value.error?.kind == .cancelled)
      #expect(Self.files(rig) == ["files/1-a.pdf"])
      #expect(rig.scratch.bytes("files/1-a.pdf") == [4, 2])
      #expect(rig.result == old)
    }
  }

  @Test(arguments: [
    ("where: record.bytes > 1", ""), ("where: \"coalesce(record.media_type, '') == 'text/html'\"", ""),
  ])
  func `a record that is left out has no file`(_ keys: String, _ result: String) async throws {
    try await Rig.with(Self.body([1], "Content-Type: text/plain")) { rig in
      let flow2 = try Self.flow(rig, Self.doc(1), keys)
      #expect(await rig.run(flow2).message == "")
      #expect(rig.result == result)
      #expect(Self.files(rig) == [])
    }
  }

  @Test func `a record that is rejected has no file`() async throws {
    try await Rig.with { rig in
      rig.answer { $0.target == "/docs/1" ? Self.body([1]) : Self.body([1, 2], "Content-Type: text/plain") }
      let schema = "schema: { fields: { path: string, media_type: string } }"
      let flow = try Self.flow(rig, Self.doc(1) + Self.doc(2), schema)
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(Self.files(rig) == ["files/2-a.pdf"])
      #expect(run.outcome?.report.rejected == 1)
    }
  }

  // MARK: - Hostile paths

  @Test(arguments: [
    ("", "is empty"), ("a/b", "contains a slash"), ("..", "begins with a dot"), (".bashrc", "begins with a dot"),
    ("../../etc/passwd", "contains a slash"), (#"..\\x"#, "contains a slash"),
    (#"a\u0000b"#, "contains a hidden character"), (#"a\nb"#, "contains a hidden character"),
    (#"\u202egpj.exe"#, "contains a hidden character"),
    (" a", "begins or ends with a space"), (String(repeating: "x", count: 201), "has more than 200 bytes"),
  ])
  func `a value that cannot be a name fails its record, before any request`(_ name: String, _ words: String)
    async throws
  {
    try await Rig.with(Self.body([1])) { rig in
      let flow = try Self.flow(
        rig, Self.doc(1) + Self.doc(2, name), each: ", on_error: skip, max_rejected: 50%", path: "files/{{ doc.name }}")
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(Self.files(rig) == ["files/a.pdf"])
      #expect(rig.server.requests.count == 1)
      let strict = try Self.flow(rig, Self.doc(2, name), each: ", on_error: fail", path: "files/{{ doc.name }}")
      let failed = await rig.run(strict, .fresh)
      #expect(failed.message.contains("the file has no path: 'doc.name' \(words)"), "\(failed.message)")
      #expect(failed.error?.key == "download.path" && failed.error?.location != nil && failed.error?.help != nil)
    }
  }

  @Test func `values that are too long together are refused`() async throws {
    try await Rig.with(Self.body([1])) { rig in
      let docs = Self.doc(1, String(repeating: "x", count: 200))
      let flow = try Self.flow(rig, docs, each: ", on_error: fail", path: "files/{{ doc.name }}{{ doc.name }}")
      let run = await rig.run(flow)
      #expect(run.message.contains("too long for a file system"), "\(run.message)")
      #expect(rig.server.requests.isEmpty)
    }
  }

  @Test func `only files that a download has stored are replaced`() async throws {
    try await Rig.with(Self.body([1])) { rig in
      try rig.scratch.makeFolder("files")
      try rig.scratch.write("mine".utf8, to: "files/1-a.pdf")
      let flow = try Self.flow(rig, Self.doc(1), each: ", on_error: fail")
      let run = await rig.run(flow)
      #expect(
        run.message.hasSuffix(
          "files/1-a.pdf exists, but no download has stored it (move it away, or choose another path)"))
      #expect(rig.scratch.text("files/1-a.pdf") == "mine")
      #expect(rig.result == nil)
      // The result of another flow.
      let result = try rig.flow("resource: /users\npersistence: files/2-a.json")
      rig.answer(ok(#"[{"id":1,"name":"x"}]"#))
      #expect(await rig.run(result).message == "")
      rig.answer(Self.body([1]))
      let other = try Self.flow(rig, Self.doc(2, "a.json"), each: ", on_error: fail")
      #expect(await rig.run(other).message.contains("no download has stored it"))
      #expect(rig.scratch.text("files/2-a.json")?.contains("x") == true)
    }
  }

  @Test func `links and folders in the path are refused`() async throws {
    try await Rig.with(Self.body([1])) { rig in
      try rig.scratch.makeFolder("files")
      try rig.scratch.makeFolder("outside")
      let manager = FileManager.default
      try manager.createSymbolicLink(
        atPath: rig.scratch.path("files/1-a.pdf"), withDestinationPath: rig.scratch.path("outside/x"))
      try rig.scratch.makeFolder("files/2-a.pdf")
      try manager.createSymbolicLink(
        atPath: rig.scratch.path("linked"), withDestinationPath: rig.scratch.path("outside"))
      for (id, path, words) in [
        (1, "files/{{ doc.id }}-{{ doc.name }}", "link"), (2, "files/{{ doc.id }}-{{ doc.name }}", "folder"),
        (3, "linked/{{ doc.id }}", "link"),
      ] {
        let run = await rig.run(try Self.flow(rig, Self.doc(id), each: ", on_error: fail", path: path), .fresh)
        #expect(run.message.contains(words), "\(run.message)")
      }
      #expect(try manager.contentsOfDirectory(atPath: rig.scratch.path("outside")) == [])
    }
  }

  @Test func `two records with one path fail the flow, which names both`() async throws {
    try await Rig.with(Self.body([1])) { rig in
      for each in [", concurrency: 1", ", concurrency: 4"] {
        let docs = (1...6).map { Self.doc($0, $0 == 5 ? "n2" : "n\($0)") }.joined()
        let flow = try Self.flow(rig, docs, each: each, path: "files/{{ doc.name }}")
        let run = await rig.run(flow)
        #expect(
          run.message == #"two records have the same file, files/n2: {"id":2,"name":"n2"} and {"id":5,"name":"n2"}"#,
          "\(run.message)")
        #expect(run.error?.help == "add a field that differs to 'download.path', such as an id")
        #expect(rig.result == nil)
        // The next attempt begins anew.
        try rig.scratch.write(Self.doc(1, "n1").utf8, to: "docs.jsonl")
        #expect(await rig.run(flow).message == "")
        try FileManager.default.removeItem(atPath: rig.scratch.path("users.jsonl"))
      }
    }
  }

  // MARK: - Combinations

  @Test func `the result of a job can be a file`() async throws {
    let server = JobServer(["running", "done"])
    server.answer("GET /exports/JOB/1", Self.body([1, 2], "Content-Type: application/pdf"))
    try await JobTests.with(server) { rig in
      let keys = JobTests.keys("", "download: { path: files/export.pdf }\n\(Self.schema)")
        .replacing("        doc: { type: integer, value: \"{{ doc.id }}\" }\n", with: "")
        .replacing("    doc: { type: integer, value: \"{{ doc.id }}\" }", with: "")
      let flow3 = try rig.flow(keys)
      #expect(await rig.run(flow3).message == "")
      #expect(rig.scratch.bytes("files/export.pdf") == [1, 2])
    }
  }

  @Test func `only changed parents are asked for again`() async throws {
    try await Rig.with { rig in
      rig.answer { Self.body(Array($0.target.utf8)) }
      let keys =
        "\(Self.schema.replacing("key: path", with: "key: doc"))\npersistence: { path: users.jsonl, mode: merge }"
      let flow = try Self.flow(rig, Self.doc(1) + Self.doc(2), keys, each: ", only: changed")
      #expect(await rig.run(flow).message == "")
      try rig.scratch.write((Self.doc(1) + Self.doc(2, "b")).utf8, to: "docs.jsonl")
      #expect(await rig.run(flow).message == "")
      // The parents of one run are requested at once.
      let targets = rig.server.requests.map(\.target)
      #expect(targets.prefix(2).sorted() == ["/docs/1", "/docs/2"] && targets.dropFirst(2) == ["/docs/2"])
      #expect(Self.files(rig) == ["files/1-a.pdf", "files/2-a.pdf", "files/2-b"])
      #expect(rig.result?.contains("files/2-a.pdf") == false)
    }
  }

  @Test(arguments: [
    ("records: $.data", "'records' reads the response"), ("decode: csv", "'decode' reads the response"),
    ("pages: { by: page, query: page }", "'pages' reads the response"),
    ("expect: { total: $.total }", "'expect.total' reads the response"),
    ("field_groups: { fields: [id, a], max: 1, by: $.id }", "'field_groups' reads the response"),
    (
      "each: { flow: docs, as: doc, batch: 3 }\nresource: /docs\ndownload: \"files/{{ length(doc) }}\"",
      "'batch' gets one response for 3 records"
    ),
    ("download: files/all.pdf", "all files would have the same path"),
    ("resource: { method: POST, path: /g, body: { graphql: \"{ a }\" } }", "the response to a GraphQL request is JSON"),
    ("download: \"flows/{{ doc.id }}.yaml\"", "the files would be among the flow files in 'flows'"),
    (
      "download: \"files/{{ doc.name }}\"\npersistence: files/all.jsonl",
      "a downloaded file could get the same path as the result of flow 'shop.files', files/all.jsonl"
    ),
  ])
  func `what reads the response cannot be used`(_ keys: String, _ words: String) async throws {
    try await Rig.with { rig in
      var lines = keys.split(separator: "\n").map(String.init)
      for usual in [
        "each: { flow: docs, as: doc }", "resource: \"/docs/{{ doc.id }}\"", "download: \"files/{{ doc.id }}.pdf\"",
      ]
      where !lines.contains(where: { $0.prefix { $0 != ":" } == usual.prefix { $0 != ":" } }) {
        lines.append(usual)
      }
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)" }
        flows:
          docs: { resource: /docs }
          files:
        \(lines.map { "    \($0)" }.joined(separator: "\n"))

        """
      let problems = rig.compile(text).diagnostics.diagnostics
      #expect(problems.contains { $0.message.hasPrefix(words) && $0.help != nil }, "\(problems.map(\.message))")
    }
  }

  @Test func `two flows with one path are refused, and so is a path with nested values of both`() async throws {
    try await Rig.with(Self.body([1])) { rig in
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)" }
        flows:
          a: { each: { values: [1, 2], as: n }, resource: "/a/{{ n }}", download: "files/{{ n }}" }
          b: { each: { values: [1, 2], as: n }, resource: "/b/{{ n }}", download: "files/{{ n }}" }

        """
      #expect(rig.compile(text).locations.first?.hasPrefix("flow.duplicate-output@") == true)
      let other = rig.compile(
        text.replacing(
          "/b/{{ n }}\", download: \"files/{{ n }}", with: "/b/{{ n }}\", download: \"files/{{ string(n) }}"))
      #expect(other.locations == [])
      let runs = [await rig.run(other.flows[0]), await rig.run(other.flows[1])]
      #expect(
        runs.map { $0.message.contains("two records have the same file, files/1: 1 of shop.a and 1") } == [false, true])
    }
  }

  @Test func `the description says where the files are`() async throws {
    try await Rig.with { rig in
      let flow = try Self.flow(rig, Self.doc(1), "resource: { url: \"{{ doc.url }}\" }")
      let text = flow.explanation.items.map { "\($0.heading): \($0.text)" }.joined(separator: "\n")
      #expect(text.contains("4 files: files/{{ doc.id }}-{{ doc.name }}, one for each response, as it is received"))
      #expect(text.contains("  URL: from a value; credentials are sent only to \(rig.server.url)"))
    }
  }
}
