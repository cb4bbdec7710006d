import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Testing
import TestSupport

/// Items that failed, kept with their reason and asked for again alone.
@Suite struct RetryRejectedTests {
  private typealias Sending = SendingTests

  private static let key = "idempotency: Idempotency-Key"

  private static func flow(
    _ rig: Rig, each: String = "concurrency: 1", _ more: String = "", isRetry: Bool = false
  ) throws -> DeclaredFlow {
    try rig.flow(
      Sending.keys(each: each, request: key, more), top: Sending.top,
      inputs: isRetry ? Sending.retrying() : FlowCompiler.Inputs())
  }

  private static func ids(_ letters: [JSONValue]) -> [Int64?] { letters.map { $0["each"]?["person"]?["id"]?.int64 } }

  @Test func `an item that fails is kept with reason, status, request and itself`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2], reason: "unwanted"))
      let run = await rig.run(try Self.flow(rig))
      #expect(run.error == nil && run.kept == 2 && run.outcome?.report.rejected == 1)
      let letter = try #require(try Sending.letters(rig).first)
      #expect(letter["flow"]?.string == "shop.users" && letter["index"]?.int64 == 1)
      #expect(letter["rule"]?.string == "request" && letter["status"]?.int64 == 422)
      #expect(
        letter["reason"]?.string?.contains("422") == true && letter["reason"]?.string?.contains("unwanted") == true)
      #expect(letter["request"]?["method"]?.string == "POST")
      #expect(letter["request"]?["url"]?.string == "\(rig.server.url)/people")
      #expect(
        letter["request"]?["key"]?.string == rig.server.requests.filter { $0.method == "POST" }[1]["idempotency-key"])
      #expect(letter["each"]?["person"]?["city"]?.string == "Oslo")
    }
  }

  @Test func `only these are sent again, under the same key, and leave the file when they are done`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [1, 2]))
      #expect(await rig.run(try Self.flow(rig)).kept == 1)
      #expect(Self.ids(try Sending.letters(rig)) == [1, 2])
      let first = rig.server.requests.filter { $0.method == "POST" }
      // The records that they were made of may be gone by now.
      try rig.scratch.write("".utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2]))
      let run = await rig.run(try Self.flow(rig, isRetry: true))
      #expect(run.error == nil && run.kept == 1 && run.outcome?.report.rejected == 1)
      let second = rig.server.requests.filter { $0.method == "POST" }.dropFirst(3)
      #expect(second.map { $0["idempotency-key"] } == first.prefix(2).map { $0["idempotency-key"] })
      #expect(second.map(\.body) == first.prefix(2).map(\.body))
      #expect(Self.ids(try Sending.letters(rig)) == [2])
      #expect(rig.result == "{\"id\":3}\n{\"id\":1}\n")
      rig.answer(Sending.server())
      #expect(await rig.run(try Self.flow(rig, isRetry: true)).kept == 1)
      #expect(rig.scratch.text("bad.jsonl") == "")
      #expect(rig.result == "{\"id\":3}\n{\"id\":1}\n{\"id\":2}\n")
    }
  }

  @Test func `with nothing to send again nobody is asked and nothing changes`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server())
      // Before the first run there is no file of rejected records at all.
      #expect(await rig.run(try Self.flow(rig, isRetry: true)).error == nil)
      #expect(rig.result == nil)
      #expect(await rig.run(try Self.flow(rig)).kept == 3)
      let (before, inode) = (rig.server.requests.count, try rig.scratch.inode("users.jsonl"))
      let run = await rig.run(try Self.flow(rig, isRetry: true))
      #expect(run.error == nil && run.kept == 0)
      let after = try rig.scratch.inode("users.jsonl")
      #expect(rig.server.requests.count == before && after == inode)
    }
  }

  @Test func `sending again does not make the rest of the result younger`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2]))
      _ = await rig.run(try Self.flow(rig))
      rig.clock.advance(by: .seconds(3000))
      rig.answer(Sending.server())
      #expect(await rig.run(try Self.flow(rig, isRetry: true)).save == .saved)
      #expect(await rig.run(try Self.flow(rig)).source == .persistence)
      rig.clock.advance(by: .seconds(700))
      #expect(await rig.run(try Self.flow(rig)).miss == .expired)
    }
  }

  @Test func `batches that failed go together again`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(answer("500 Internal Server Error", "{}"))
      let failed = await rig.run(try Self.flow(rig, each: "batch: 2, concurrency: 1"))
      #expect(failed.error?.status == 500 && failed.message.hasPrefix("all 3 records failed; the first: POST "))
      #expect(failed.events.contains { if case .pruned(let report) = $0 { report.rejected == 3 } else { false } })
      #expect(Self.ids(try Sending.letters(rig)) == [1, 2, 3] && rig.result == nil)
      let first = rig.server.requests.filter { $0.method == "POST" }
      rig.answer(ok("{\"id\":7}"))
      #expect(await rig.run(try Self.flow(rig, each: "batch: 2, concurrency: 1", isRetry: true)).kept == 2)
      let second = rig.server.requests.filter { $0.method == "POST" }.dropFirst(2)
      #expect(first.count == 2 && second.map { $0["idempotency-key"] } == first.map { $0["idempotency-key"] })
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `a run that does not ask for them leaves them`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [1, 3]))
      _ = await rig.run(try Self.flow(rig))
      #expect(Self.ids(try Sending.letters(rig)) == [1, 3])
      let fewer = Sending.people.split(separator: "\n").prefix(2).joined(separator: "\n")
      try rig.scratch.write(fewer.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2]))
      _ = await rig.run(try Self.flow(rig), .fresh)
      #expect(Set(Self.ids(try Sending.letters(rig)).compactMap { $0 }) == [2, 3])
    }
  }

  @Test func `a run that ends early leaves what it did not come to`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(answer("422 Unprocessable Content", "{}"))
      _ = await rig.run(try Self.flow(rig))
      rig.answer(answer("410 Gone", "{}"))
      let stopping = "errors: [{ when: status == 410, do: stop }]"
      _ = await rig.run(try Self.flow(rig, stopping, isRetry: true))
      #expect(Self.ids(try Sending.letters(rig)).count == 2)
    }
  }

  @Test func `the responses are kept before the items leave the file`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2]))
      _ = await rig.run(try Self.flow(rig))
      let old = try #require(rig.scratch.bytes("bad.jsonl"))
      let path = rig.scratch.path("bad.jsonl")
      let sends = Sending.server()
      rig.answer { request in
        // Nothing can be put in the place of a folder that is not empty.
        if request.method == "POST" {
          try? FileManager.default.removeItem(atPath: path)
          try? FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
        }
        return sends(request)
      }
      let run = await rig.run(try Self.flow(rig, isRetry: true))
      #expect(run.error?.kind == .persistence)
      #expect(rig.result == "{\"id\":1}\n{\"id\":3}\n{\"id\":2}\n")
      try FileManager.default.removeItem(atPath: path)
      try rig.scratch.write(old, to: "bad.jsonl")
      rig.answer(sends)
      #expect(await rig.run(try Self.flow(rig, isRetry: true)).error == nil)
      let keys = rig.server.requests.filter { $0.method == "POST" }.map { $0["idempotency-key"] }
      #expect(keys.count == 5 && keys[3] == keys[1] && keys[4] == keys[1])
    }
  }

  @Test func `secrets that a server echoes are not in the file`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      let word = "s3cr3t-word"
      rig.answer(Sending.server(refusing: [1], reason: "not \(word) \(Data(word.utf8).base64EncodedString())"))
      var inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret(word)])
      inputs.timeout = 20
      let keys = Sending.keys(request: "headers: { X-Key: \"{{ secrets.KEY }}\" }")
      _ = await rig.run(try rig.flow(keys, top: Sending.top + "\nsecrets: [KEY]", inputs: inputs))
      let text = try #require(rig.scratch.text("bad.jsonl"))
      #expect(text.contains("422") && !text.contains("s3cr3t") && !text.contains("czNjcjN0"))
    }
  }

  @Test func `requests that only read have their failed parents there too`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer { request in
        request.target == "/p/2" ? answer("404 Not Found", "{}") : ok("[{\"id\":1,\"name\":\"n\"}]")
      }
      let keys = "each: { file: people.jsonl }\nresource: \"/p/{{ parent.id }}\"\nrejected: bad.jsonl"
      #expect(await rig.run(try rig.flow(keys)).kept == 2)
      let letters = try Sending.letters(rig)
      #expect(letters.map { $0["each"]?["parent"]?["id"]?.int64 } == [2] && letters[0]["status"]?.int64 == 404)
      rig.answer(ok("[{\"id\":2,\"name\":\"n\"}]"))
      #expect(await rig.run(try rig.flow(keys, inputs: Sending.retrying())).kept == 1)
      #expect(rig.server.requests.last?.target == "/p/2" && rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test func `items of a flow that was changed are refused, and stay`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Sending.people.utf8, to: "people.jsonl")
      rig.answer(Sending.server(refusing: [2]))
      _ = await rig.run(try Self.flow(rig))
      let before = rig.scratch.text("bad.jsonl")
      let keys = Sending.keys(request: Self.key).replacing("as: person", with: "as: human")
      let run = await rig.run(try rig.flow(keys, top: Sending.top, inputs: Sending.retrying()))
      #expect(run.message.contains("contains items of 'person', but the flow now sends a request for each 'human'"))
      #expect(rig.scratch.text("bad.jsonl") == before)
    }
  }
}
