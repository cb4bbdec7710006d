import FlowCompiler
import FlowModel
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

@Suite struct RejectedRecordsTests {
  private static let mixed =
    #"[{"id":1,"name":"A"},{"id":"x","name":"B"},7,{"id":4},{"id":5,"name":"E"}]"#
  private static let rejected = "rejected: out/bad.jsonl"
  private static let good = #"[{"id":1,"name":"A"}]"#

  private func letters(_ rig: Rig) throws -> [JSONValue] {
    let text = try #require(rig.scratch.text("out/bad.jsonl"))
    return try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test func `each rejected record is stored with its location, its rule, its request and itself`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow(Self.rejected)
      #expect(flow.rejectedPath == "out/bad.jsonl")
      #expect(await rig.run(flow).kept == 2)
      let letters = try letters(rig)
      #expect(letters.map { $0["index"]?.int64 } == [1, 2, 3])
      #expect(letters.map { $0["pointer"]?.string } == ["/id", "/id", "/name"])
      #expect(letters.map { $0["rule"]?.string } == ["integer", "required", "required"])
      #expect(
        rig.scratch.text("out/bad.jsonl")?.split(separator: "\n").first.map(String.init)
          == #"{"flow":"shop.users","page":1,"index":1,"pointer":"/id","rule":"integer","#
          + #""reason":"expected an integer, found the string \"x\"","request":{"method":"GET","#
          + #""url":"\#(rig.server.url)/users"},"record":{"id":"x","name":"B"}}"#)
      #expect(rig.files.sorted() == ["out", "out/bad.jsonl", "users.jsonl"].filter { rig.files.contains($0) })
    }
  }

  @Test func `all are kept, more than a report lists and more than memory holds at once`() async throws {
    let count = 20_000
    let body =
      "[" + (0..<count).map { #"{"id":"\#($0)x","name":"n"}"# }.joined(separator: ",") + ",{\"id\":1,\"name\":\"\"}]"
    try await Rig.with(ok(body)) { rig in
      let run = await rig.run(try rig.flow(Self.rejected))
      #expect(run.outcome?.report.rejected == count)
      let text = try #require(rig.scratch.text("out/bad.jsonl"))
      #expect(text.utf8.count { $0 == 0x0A } == count)
      #expect(text.hasSuffix(#""record":{"id":"\#(count - 1)x","name":"n"}}"# + "\n"))
    }
  }

  @Test func `nothing to keep leaves an empty file in location of an old one`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow(Self.rejected)
      _ = await rig.run(flow)
      #expect(rig.scratch.text("out/bad.jsonl") != "")
      rig.answer(ok(Self.good))
      #expect(await rig.run(flow, .fresh).save == .saved)
      #expect(rig.scratch.text("out/bad.jsonl") == "")
    }
  }

  private static let failing: [(keys: String, body: String, kept: Int, message: String)] = [
    ("prune: false", mixed, 1, "expected an integer"),
    ("", #"[{"id":true,"name":"A"},{"id":2}]"#, 2, "every record was rejected"),
    ("expect: { max_rejected: 2 }", mixed, 3, "expected at most 2 records rejected"),
    ("expect: { min: 3 }", mixed, 3, "expected at least 3 records"),
  ]

  @Test(arguments: failing)
  func `a flow that fails because of its records keeps them, and the old result`(
    _ keys: String, _ body: String, _ kept: Int, _ message: String
  ) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"A"},{"id":2,"name":"B"},{"id":3,"name":"C"}]"#)) { rig in
      let flow = try rig.flow([Self.rejected, keys].filter { !$0.isEmpty }.joined(separator: "\n"))
      #expect(await rig.run(flow).save == .saved)
      let old = rig.result
      rig.answer(ok(body))
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.kind == .parser)
      #expect(run.message.hasPrefix(message), "\(run.message)")
      #expect(try letters(rig).count == kept)
      #expect(rig.result == old)
      // Views learn the number although the flow gives no result.
      #expect(run.events.contains { if case .pruned(let report) = $0 { report.rejected == kept } else { false } })
    }
  }

  @Test(arguments: [
    answer("500 Internal Server Error", "[]"), ok(mixed + "x"), ok(#"[{"id":"x"},{"id":1,"name":"A"}"#),
  ])
  func `a flow that fails for another reason leaves the old ones`(_ steps: [ScriptedServer.Step]) async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow(Self.rejected)
      _ = await rig.run(flow)
      let before = rig.scratch.text("out/bad.jsonl")
      rig.answer(steps)
      #expect(await rig.run(flow, .fresh).error != nil)
      #expect(rig.scratch.text("out/bad.jsonl") == before)
      #expect(before?.isEmpty == false)
    }
  }

  @Test func `a persisted result leaves them, for they belong to it`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow(Self.rejected)
      _ = await rig.run(flow)
      let before = rig.scratch.text("out/bad.jsonl")
      #expect(await rig.run(flow).source == .persistence)
      #expect(rig.scratch.text("out/bad.jsonl") == before)
    }
  }

  @Test func `they are kept without a result too`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let flow = try rig.flow("persistence: disabled\n" + Self.rejected)
      #expect(await rig.run(flow).kept == 2)
      #expect(try letters(rig).count == 3)
    }
  }

  @Test(arguments: ["s3cr3t-value", "eyJhbGciOiJIUzI1NiJ9." + String(repeating: "cGF5bG9hZA", count: 20)])
  func `a secret in a record is masked in the reason, and stays in the record`(_ secret: String) async throws {
    try await Rig.with(ok("[{\"id\":\"\(secret)\",\"name\":\"a\"},{\"id\":1,\"name\":\"b\"}]")) { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret(secret)])
      let keys = Self.rejected + "\nresource: { path: /users, headers: { X-Key: \"{{ secrets.KEY }}\" } }"
      _ = await rig.run(try rig.flow(keys, top: "secrets: [KEY]", inputs: inputs))
      let line = try #require(try letters(rig).first)
      let reason = try #require(line["reason"]?.string)
      #expect(reason.hasPrefix("expected an integer, found the string \"***"))
      #expect(!reason.contains(secret.prefix(12)))
      #expect(line["record"]?["id"]?.string == secret)
    }
  }

  @Test func `secrets of the request are not in the file`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret("s3cr3t-value")])
      let request = #"{ path: /users, query: { key: "{{ secrets.KEY }}" }, headers: { X-Key: "{{ secrets.KEY }}" } }"#
      let text = rig.text(Self.rejected + "\nresource: \(request)", top: "secrets: [KEY]")
      let flow = try #require(rig.compile(text, inputs: inputs).flows.first)
      _ = await rig.run(flow)
      let kept = try #require(rig.scratch.text("out/bad.jsonl"))
      #expect(!kept.contains("s3cr3t"))
      let letters = try letters(rig)
      #expect(letters.first?["request"]?["url"]?.string?.hasSuffix("key={{ secrets.KEY }}") == true)
    }
  }

  @Test func `a record of more than 64 KiB is told by its beginning`() async throws {
    let long = String(repeating: "y", count: 70_000)
    try await Rig.with(ok(#"[{"id":"x","name":"\#(long)"},{"id":1,"name":"A"}]"#)) { rig in
      _ = await rig.run(try rig.flow(Self.rejected))
      let letter = try #require(try letters(rig).first)
      #expect(letter["record"] == nil)
      #expect(letter["record_text"]?.string?.utf8.count == 65_536)
      #expect(letter["record_bytes"]?.int64 == 70_020)
    }
  }

  @Test func `a file that cannot be written fails the flow, and nothing is published`() async throws {
    try await Rig.with(ok(Self.mixed)) { rig in
      let folder = rig.scratch.path("out/bad.jsonl")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let run = await rig.run(try rig.flow(Self.rejected))
      #expect(run.error?.kind == .persistence)
      #expect(rig.result == nil)
    }
  }

  @Test(arguments: [
    ("rejected: out/bad.json", ["flow.invalid-output"]), ("rejected: ../bad.jsonl", ["flow.invalid-output"]),
    ("rejected: users.jsonl", ["flow.duplicate-output"]), ("rejected: \"{{ vars.v }}\"", ["flow.invalid-output"]),
    ("rejected: \"out/{{ vars.v }}.jsonl\"", []),
  ])
  func `its path is checked like that of a result`(_ keys: String, _ codes: [String]) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text(keys, top: "vars: { v: out/bad.csv }"))
      #expect(compilation.diagnostics.diagnostics.map(\.code.rawValue) == codes)
    }
  }
}

@Suite struct MaxRejectedTests {
  private static let cases: [(text: String, rejected: Int, kept: Int, isAllowed: Bool)] = [
    ("0", 0, 1, true), ("0", 1, 99, false), ("0%", 0, 0, true), ("0%", 1, 9999, false), ("5%", 5, 95, true),
    ("5%", 6, 94, false), ("5", 5, 0, true), ("5", 6, 9994, false), ("33.4%", 1, 2, true), ("33.3%", 1, 2, false),
    ("100%", 7, 0, true),
  ]

  @Test(arguments: cases)
  func `a share and a number are compared exactly`(_ text: String, _ rejected: Int, _ kept: Int, _ isAllowed: Bool)
    throws
  {
    #expect(try CountOrShare(parsing: text).allows(rejected, of: rejected + kept) == isAllowed)
  }

  @Test(arguments: ["", "%", "x", "-1", "1e1%", "101%", "5 %", "nan%", "1.5", "5%%", "0x1", "99999999999999999999"])
  func `anything else is refused`(_ text: String) { #expect((try? CountOrShare(parsing: text)) == nil) }

  @Test func `a flow above it fails and keeps its old result, whether the file or the run says it`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"A"}]"#)) { rig in
      func flow(_ run: String?, file: String = "") throws -> DeclaredFlow {
        try rig.flow(
          file.isEmpty ? "" : "expect: { max_rejected: \(file) }",
          inputs: FlowCompiler.Inputs(maxRejected: try run.map { (text) throws in try CountOrShare(parsing: text) }))
      }
      #expect(await rig.run(try flow("0")).save == .saved)
      rig.answer(ok(#"[{"id":1,"name":"B"},{"id":2}]"#))
      for failed in [try flow("49%"), try flow(nil, file: "49%"), try flow("49%", file: "1")] {
        let run = await rig.run(failed, .fresh)
        #expect(run.message == "expected at most 49 % of the records rejected, found 1 of 2")
        #expect(run.error?.kind == .parser && run.error?.key == "expect.max_rejected")
        #expect(rig.result == "{\"id\":1,\"name\":\"A\"}\n")
      }
      #expect(await rig.run(try flow("0"), .fresh).message.hasPrefix("expected at most 0 records rejected"))
      for passing in [try flow("50%"), try flow(nil, file: "50%"), try flow("1", file: "0")] {
        #expect(await rig.run(passing, .fresh).save == .saved)
      }
    }
  }
}
