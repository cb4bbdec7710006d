import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

@Suite struct BadResponseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [ScriptedServer.Step]
    var kind: ReactorError.Kind
    var reason: String
    var keys = ""
    var testDescription: String { name }
  }

  private static let good = #"[{"id":7,"name":"Gus"},{"id":8,"name":"Hal"}]"#

  private static func cut(_ body: String, _ fields: String...) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body), .close]
  }

  private static func packed(_ bytes: [UInt8]) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"), .send(bytes)]
  }

  /// `good`, packed.
  private static let gzip = Array(
    Data(base64Encoded: "H4sIAAAAAAAC/4uuVspMUbIy11HKS8xNVbJSci8tVqrVgYhawEU9EnOUamMBhTtlIy0AAAA=") ?? Data())

  private static let cases: [Case] = [
    Case(
      name: "cut by a close", steps: cut(String(good.dropLast(12)), "Content-Length: \(good.utf8.count)"),
      kind: .server, reason: "cut short"),
    Case(
      name: "all records there, but the length says more", steps: cut(good, "Content-Length: \(good.utf8.count + 1)"),
      kind: .server, reason: "cut short"),
    Case(
      name: "a length that cuts the text",
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: \(good.utf8.count - 1)\r\n\r\n\(good)"), .close],
      kind: .parser, reason: "broken JSON"),
    Case(
      name: "two differing lengths", steps: cut(good, "Content-Length: \(good.utf8.count)", "Content-Length: 3"),
      kind: .server, reason: "two different content-length"),
    Case(
      name: "chunks without their end",
      steps: cut(String(good.utf8.count, radix: 16) + "\r\n\(good)\r\n", "Transfer-Encoding: chunked"),
      kind: .server, reason: "cut short"),
    Case(name: "gzip cut in its trailer", steps: packed(gzip.dropLast(1)), kind: .server, reason: "cut short"),
    Case(name: "gzip cut in its data", steps: packed(Array(gzip.prefix(30))), kind: .server, reason: "cut short"),
    Case(
      name: "gzip with a wrong checksum", steps: packed(gzip.enumerated().map { $0 == gzip.count - 8 ? ~$1 : $1 }),
      kind: .server, reason: "damaged"),
    Case(
      name: "an unasked part", steps: answer("206 Partial Content", good, ["Content-Range: bytes 0-44/90"]),
      kind: .server, reason: "206"),
    Case(
      name: "HTML", steps: ok("<!doctype html><p>Please sign in"), kind: .parser,
      reason: "the response is an HTML page, not JSON"),
    Case(name: "an empty body", steps: ok(""), kind: .parser, reason: "the response is empty where JSON should be"),
    Case(name: "text after the end", steps: ok(good + "[]"), kind: .parser, reason: "broken JSON"),
    Case(
      name: "invalid UTF-8",
      steps: [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n[{\"id\":1,\"name\":\"An"), .send([0xFF, 0xFE]),
        .text("\"}]"),
      ], kind: .parser, reason: "UTF-8"),
    Case(
      name: "404", steps: answer("404 Not Found", #"{"error":"no such page"}"#), kind: .server,
      reason: #"the server answered with status 404: {"error":"no such page"}"#),
    Case(
      name: "500 with good records", steps: answer("500 Internal Server Error", good), kind: .server,
      reason: "status 500"),
    Case(
      name: "304 that nobody asked for", steps: [.text("HTTP/1.1 304 Not Modified\r\n\r\n")], kind: .server,
      reason: "304"),
    Case(name: "a close instead of a response", steps: [.close], kind: .server, reason: ""),
    Case(name: "a reset instead of a response", steps: [.reset], kind: .server, reason: ""),
    Case(
      name: "a response over its limit", steps: ok("[" + String(repeating: " ", count: 5000) + "]"), kind: .server,
      reason: "the response is larger than 4000 bytes (max_bytes)", keys: "http: { max_bytes: 4kB }"),
    Case(
      name: "a response that does not come in time", steps: [.hold], kind: .timeout, reason: "",
      keys: "http: { timeout: 100ms }"),
    Case(
      name: "a response that does not end in time",
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{\"id\":1,"), .hold], kind: .timeout, reason: "",
      keys: "http: { timeout: 100ms }"),
    Case(
      name: "no content where records are expected", steps: [.text("HTTP/1.1 204 No Content\r\n\r\n")], kind: .parser,
      reason: "expected at least 1 record, found 0", keys: "expect: { min: 1 }"),
    Case(
      name: "records in another place", steps: ok(#"{"items":[]}"#), kind: .parser,
      reason: "no records: the response contains nothing at $.data; $ has the members items",
      keys: "records: $.data[*]"),
  ]

  @Test(arguments: cases)
  func `nothing is stored, the old result stays, and nothing is left behind`(_ bad: Case) async throws {
    try await Rig.with(bad.steps) { rig in
      let flow = try rig.flow(bad.keys)
      let first = await rig.run(flow)
      #expect(first.error?.kind == bad.kind)
      #expect(bad.reason.isEmpty || first.message.contains(bad.reason), "\(first.message)")
      #expect(first.outcome == nil)
      #expect(rig.files == [])

      // The same again over an old result.
      rig.answer(ok(bad.keys.hasPrefix("records") ? #"{"data":\#(Self.good)}"# : Self.good))
      #expect(await rig.run(flow).save == .saved)
      let old = rig.result
      rig.answer(bad.steps)
      #expect(await rig.run(flow, .fresh).error?.kind == bad.kind)
      #expect(rig.result == old)
      #expect(rig.files == ["users.jsonl"])
      let offline = await rig.run(flow, .offline)
      #expect(offline.kept == 2)
      await rig.letGo()
      #expect(rig.scratch.names() == [".reactor.stamps", "users.jsonl"])
    }
  }

  @Test func `the samples are good but for their faults`() async throws {
    try await Rig.with(Self.packed(Self.gzip)) { rig in
      let run = await rig.run(try rig.flow())
      #expect(run.kept == 2)
      #expect(run.outcome?.bytes == Self.good.utf8.count)
      #expect(rig.result == "{\"id\":7,\"name\":\"Gus\"}\n{\"id\":8,\"name\":\"Hal\"}\n")
    }
  }

  @Test func `no content means no records, which is a result`() async throws {
    for status in ["204 No Content", "205 Reset Content"] {
      try await Rig.with([.text("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")]) { rig in
        let run = await rig.run(try rig.flow())
        #expect(run.kept == 0)
        #expect(run.save == .saved)
        #expect(rig.result == "")
      }
    }
  }

  @Test(
    arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"],
    ["", "records: $.data[*]\n", "schema: { fields: { id: integer } }\n"])
  func `an empty response confirms what was sent, unless the flow says what comes back`(
    _ method: String, _ keys: String
  ) async throws {
    try await Rig.with(ok("")) { rig in
      let usual = "resource: { method: \(method), path: /users }\nschema: {}\n"
      let text = rig.text(usual + keys).replacing("    schema: {}\n", with: "")
      let run = await rig.run(try #require(rig.compile(text).flows.first))
      if method == "GET" || !keys.isEmpty {
        #expect(run.message.contains("the response is empty where JSON should be"), "\(run.message)")
        #expect(rig.files == [])
      } else {
        #expect(run.message == "" && run.kept == 0)
        #expect(rig.result == "")
      }
    }
  }

  @Test func `a server that is not there fails the flow before its request`() async throws {
    try await Rig.with(ok(Self.good)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.server.stop()
      let other = try rig.flow("http: { base_url: \"http://127.0.0.1:1\" }\npersistence: other.jsonl")
      let run = await rig.run(other)
      #expect(run.error?.kind == .noConnectivity)
      #expect(!run.events.contains(.started(.request)))
      let unchecked = try rig.flow(
        "reachability: false\nhttp: { base_url: \"http://127.0.0.1:1\" }\npersistence: other.jsonl")
      #expect(await rig.run(unchecked).error?.kind == .noConnectivity)
      #expect(rig.files == ["users.jsonl"])
    }
  }
}
