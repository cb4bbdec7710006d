import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Results that are asked for again only when the server has another version.
@Suite struct ConditionalTests {
  private static let body = #"[{"id":1,"name":"A"},{"id":2,"name":"B"}]"#
  private static let tag = "ETag: \"v1\""
  private static let date = "Last-Modified: Sat, 21 Nov 2026 06:00:00 GMT"

  /// A server that answers 304 to who has its version, and counts.
  private static func script(_ fields: String...) -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
    { request in
      let isSame =
        request["If-None-Match"] != nil || request["If-Modified-Since"] != nil
      guard isSame else { return answer("200 OK", body, fields) }
      return [.text("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")]
    }
  }

  private func asked(_ rig: Rig) -> [ScriptedServer.Request] { rig.server.requests.filter { $0.method == "GET" } }

  @Test(arguments: [[tag], [date], [tag, date], ["ETag: W/\"v1\""]])
  func `an expired result that is still right only gets a new age`(_ fields: [String]) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let sent = fields.map {
          $0.split(separator: ":", maxSplits: 1).last.map { $0.dropFirst() }.map(String.init) ?? ""
        }
        let wanted = [request["If-None-Match"], request["If-Modified-Since"]].compactMap { $0 }
        guard wanted == sent else { return answer("200 OK", Self.body, fields) }
        return [.text("HTTP/1.1 304 Not Modified\r\n\r\n")]
      }
      let flow = try rig.flow()
      #expect(await rig.run(flow).source == .network)
      let before = try FileManager.default.attributesOfItem(atPath: rig.scratch.path("users.jsonl"))
      for _ in 0..<3 {
        rig.clock.advance(by: .seconds(3601))
        let run = await rig.run(flow)
        #expect(run.message == "")
        #expect(run.source == .notModified)
        #expect(run.miss == .expired)
        #expect(run.save == .saved)
        #expect(run.kept == 2)
        #expect(await rig.run(flow).source == .persistence)
      }
      let after = try FileManager.default.attributesOfItem(atPath: rig.scratch.path("users.jsonl"))
      #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
      #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
      #expect(asked(rig).count == 4)
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test func `another version replaces the result and its validators`() async throws {
    try await Rig.with(answer("200 OK", Self.body, [Self.tag])) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(3601))
      rig.answer(answer("200 OK", #"[{"id":3,"name":"C"}]"#, ["ETag: \"v2\""]))
      #expect(await rig.run(flow).source == .network)
      #expect(rig.result == "{\"id\":3,\"name\":\"C\"}\n")
      rig.clock.advance(by: .seconds(3601))
      _ = await rig.run(flow)
      #expect(asked(rig).map { $0["If-None-Match"] } == [nil, "\"v1\"", "\"v2\""])
    }
  }

  @Test func `--fresh=validate asks for changes of what is not expired, and --fresh for everything`() async throws {
    try await Rig.with { rig in
      rig.answer(Self.script(Self.tag))
      let flow = try rig.flow()
      _ = await rig.run(flow)
      #expect(await rig.run(flow, .revalidate).source == .notModified)
      #expect(await rig.run(flow, .fresh).source == .network)
      #expect(asked(rig).map { $0["If-None-Match"] != nil } == [false, true, false])
    }
  }

  private static let unconditional: [(first: String, second: String, damage: Bool)] = [
    ("conditional: false", "conditional: false", false),
    ("", "resource: { path: /users, headers: { Authorization: Bearer other } }", false),
    ("", "resource: { path: /users, query: { a: b } }", false),
    ("", "schema: { fields: { id: integer } }", false),
    ("", "persistence: { path: users.jsonl, mode: append }", false),
    ("", "resource: { path: /users, method: POST }", false),
    ("", "", true),
  ]

  @Test(arguments: unconditional)
  func `what is not the same result, untouched, is asked for as a whole`(
    _ first: String, _ second: String, _ damage: Bool
  ) async throws {
    try await Rig.with { rig in
      rig.answer(Self.script(Self.tag))
      let flow = try rig.flow(first)
      _ = await rig.run(flow)
      if damage { try "{}".write(toFile: rig.scratch.path("users.jsonl"), atomically: false, encoding: .utf8) }
      let other = try rig.flow(second)
      let run = await rig.run(other, .revalidate)
      #expect(run.source == .network, "\(run.message)")
      #expect(rig.server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }
  }

  @Test(arguments: [
    "ETag: v1", "ETag: \"a\"b\"", "ETag: ", "ETag: W/v1", "ETag: \"v1", "ETag: v1\"", "ETag: \"", "ETag: W/\"",
  ])
  func `a tag that is none is not sent back`(_ field: String) async throws {
    try await Rig.with(answer("200 OK", Self.body, [field])) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      _ = await rig.run(flow, .revalidate)
      #expect(asked(rig).count == 2)
      #expect(rig.server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }
  }

  @Test func `a note that is cut at any byte costs a whole response and nothing else`() async throws {
    try await Rig.with { rig in
      rig.answer(Self.script(Self.tag))
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(3601))
      #expect(await rig.run(flow).source == .notModified)
      let path = rig.scratch.path(".reactor.stamps")
      let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let lines = whole.split(separator: 0x0A)
      #expect(lines.count == 2)
      var sources: Set<FetchSource> = []
      for length in stride(from: 0, to: whole.count, by: 3) {
        await rig.letGo()
        try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
        let run = await rig.run(flow)
        #expect(run.message == "")
        #expect(run.kept == 2)
        #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"name\":\"B\"}\n")
        if let source = run.source { sources.insert(source) }
      }
      // Without a note all is asked for; with the first, which has expired, only for changes.
      #expect(sources == [.network, .notModified])
    }
  }

  @Test func `a 304 that nobody asked for is an error`() async throws {
    try await Rig.with([.text("HTTP/1.1 304 Not Modified\r\n\r\n")]) { rig in
      let run = await rig.run(try rig.flow())
      #expect(run.error?.status == 304)
      #expect(rig.result == nil)
    }
  }

  @Test func `rejected records of the kept result stay`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        guard request["If-None-Match"] == nil else { return [.text("HTTP/1.1 304 Not Modified\r\n\r\n")] }
        return answer("200 OK", #"[{"id":1,"name":"A"},{"id":"x"}]"#, [Self.tag])
      }
      let flow = try rig.flow("rejected: bad.jsonl\nexpect: { min: 1 }")
      _ = await rig.run(flow)
      let before = rig.scratch.text("bad.jsonl")
      #expect(await rig.run(flow, .revalidate).source == .notModified)
      #expect(rig.scratch.text("bad.jsonl") == before)
      #expect(before?.isEmpty == false)
    }
  }
}
