import FlowCompiler
import FlowSpec
import Foundation
import ReactorCore
import SourceDiagnostics
import Storage
import Testing
import TestSupport

/// What is remembered of a flow answers for it exactly as the flow itself would, or not at all.
@Suite struct RememberedFlowTests {
  private let ann = #"[{"id":1,"name":"Ann"},{"id":"x"},{"id":2,"name":"Bob"}]"#

  private static func persisted(_ flow: RememberedFlow, _ rig: Rig) async -> FlowOutcome? {
    await flow.persisted(in: rig.environment.root, wallClock: rig.clock.wallClock)
  }

  @Test func `it gives the outcome that the flow gives`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow("rejected: bad.jsonl")
      let memory = try #require(flow.remembered)
      #expect(await Self.persisted(memory, rig) == nil)
      _ = await rig.run(flow)
      let own = try #require(await rig.run(flow).outcome)
      let told = try #require(await Self.persisted(memory, rig))
      #expect(own.source == .persistence)
      #expect(told.source == own.source)
      #expect(told.miss == own.miss)
      #expect(told.report == own.report)
      #expect(told.report.kept == 2)
      #expect(told.pages == own.pages)
      #expect(told.bytes == own.bytes)
      #expect(told.save == own.save)
      #expect((told.timings.load == nil) == (own.timings.load == nil))
      #expect(memory.id == flow.id)
      #expect(memory.file == flow.file)
      #expect(memory.line == flow.line)
      #expect(memory.host == flow.host)
      #expect(memory.outputPath == flow.outputPath)
      #expect(memory.rejectedPath == flow.rejectedPath)
      #expect(memory.timeout == flow.timeout)
      #expect(!memory.toleratesSaveFailure)
    }
  }

  @Test(arguments: [0.0, 3599, 3600, 100_000, -1])
  func `it answers for as long as the flow would`(_ age: Double) async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(age))
      let told = await Self.persisted(try #require(flow.remembered), rig)
      #expect((told != nil) == (await rig.run(flow).source == .persistence))
      #expect((told != nil) == (0..<3600).contains(age))
    }
  }

  @Test(arguments: [
    "resource: { path: /users, query: { page: 2 } }", "schema: { key: id, fields: { id: integer } }", "prune: false",
    "records: $[*]", "headers: { X-A: b }",
  ])
  func `it does not answer for another flow's result`(_ key: String) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let memory = try #require(try rig.flow().remembered)
      let other = try rig.flow(key.hasPrefix("headers") ? "resource: { path: /users, \(key) }" : key)
      _ = await rig.run(other)
      #expect(await Self.persisted(try #require(other.remembered), rig) != nil)
      #expect(await Self.persisted(memory, rig) == nil)
    }
  }

  @Test func `it does not answer for a file that was changed or removed`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      let memory = try #require(flow.remembered)
      _ = await rig.run(flow)
      let path = rig.scratch.path("users.jsonl")
      let good = try Data(contentsOf: URL(fileURLWithPath: path))
      var bad = good
      bad[3] ^= 1
      try bad.write(to: URL(fileURLWithPath: path))
      #expect(await Self.persisted(memory, rig) == nil)
      try good.write(to: URL(fileURLWithPath: path))
      #expect(await Self.persisted(memory, rig) != nil)
      try FileManager.default.removeItem(atPath: path)
      #expect(await Self.persisted(memory, rig) == nil)
    }
  }

  @Test(arguments: [
    "", "resource: '/{{ vars.v }}'", "resource: { path: /users, query: { v: '{{ vars.v }}' } }",
    "persistence: { path: 'out/{{ vars.v }}.jsonl' }", "persistence: { path: a.jsonl, fail_on_save_error: false }",
    "pages: { by: link }", "expect: { min: 1 }",
  ])
  func `a flow that its file tells is remembered`(_ keys: String) async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(keys, top: "vars: { v: { type: string, default: a } }")
      #expect(flow.remembered != nil)
    }
  }

  @Test(arguments: [
    "persistence: disabled", "resource: '/users/{{ today() }}'", "resource: '/users/{{ vars.v + string(now()) }}'",
    "resource: '/users/{{ env.HOME }}'", "resource: '/users/{{ secrets.s }}'",
    "persistence: { path: 'out/{{ format(today(), \"%Y\") }}.jsonl' }",
    "resource: { path: /users, headers: { X-A: '{{ secrets.s }}' } }",
    "resource: { path: /users, query: { since: '{{ now() }}' } }",
    "resource: { path: /users, method: POST, body: { json: { a: 1 } } }",
    "auth: { bearer: '{{ secrets.s }}' }", "where: record.id > 1", "change: { add: { v: '{{ vars.v }}' } }",
    "cursor: { field: id, query: since }\npersistence: { path: users.jsonl, mode: merge }",
    "each: { values: [a], as: x }\nresource: '/users/{{ x }}'",
  ])
  func `a flow that asks more than its file is not`(_ keys: String) async throws {
    try await Rig.with { rig in
      var inputs = FlowCompiler.Inputs(secrets: ["s": Secret("hidden")], environment: ["HOME": "/here"])
      inputs.timeout = 5
      // Some of them are warned about.
      let compilation = rig.compile(
        rig.text(keys, top: "vars: { v: { type: string, default: a } }\nsecrets: [s]"), inputs: inputs)
      #expect(!compilation.diagnostics.hasErrors, "\(compilation.diagnostics.diagnostics.map(\.message))")
      let flow = try #require(compilation.flows.first)
      #expect(flow.remembered == nil)
    }
  }
}
