import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// A rejected record fails the flow where no later run would ask for it again.
@Suite struct LostRecordTests {
  private static let keys = """
    schema: { key: id, fields: { id: integer, at: timestamp } }
    cursor: { field: at, query: since }
    persistence: { path: out.jsonl, mode: merge }
    """
  private static let body = #"[{"id":1,"at":"2023-11-01T00:00:00Z"},{"id":"x","at":"2023-11-02T00:00:00Z"}]"#

  @Test(arguments: [
    ("", false), ("\nrejected: bad.jsonl", true), ("\nexpect: { max_rejected: 1 }", true),
    ("\nexpect: { max_rejected: 0 }", false),
  ])
  func `a record that would be lost for good fails the flow`(_ more: String, _ passes: Bool) async throws {
    try await Rig.with(ok(Self.body)) { rig in
      let run = await rig.run(try rig.flow(Self.keys + more))
      #expect((run.message == "") == passes, "\(run.message)")
      #expect((rig.scratch.text("out.jsonl") != nil) == passes)
      if more.isEmpty {
        #expect(
          run.message.contains(
            "1 record rejected, and no later run requests them, because the cursor's position moves past them"))
        #expect(run.error?.help?.contains("rejected: FILE") ?? false)
      }
    }
  }

  @Test func `a full refresh keeps the stored version of a record that it rejects`() async throws {
    try await Rig.with(ok(#"[{"id":1,"at":"2023-11-01T00:00:00Z"}]"#)) { rig in
      #expect(await rig.run(try rig.flow(Self.keys)).message == "")
      rig.answer(ok(#"[{"id":1,"at":"yesterday"},{"id":2,"at":"2023-11-03T00:00:00Z"}]"#))
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let run = await rig.run(try rig.flow(Self.keys + "\nrejected: bad.jsonl", inputs: inputs))
      #expect(run.message.contains("a full refresh removes their earlier versions"), "\(run.message)")
      // They are persisted already.
      #expect(run.error?.help?.hasPrefix("fix the schema, or allow the loss:") ?? false, "\(run.error?.help ?? "")")
      #expect(rig.scratch.text("out.jsonl") == "{\"id\":1,\"at\":\"2023-11-01T00:00:00Z\"}\n")
    }
  }

  @Test func `a record of a flow without a cursor is only reported`() async throws {
    try await Rig.with(ok(Self.body)) { rig in
      let run = await rig.run(try rig.flow("schema: { key: id, fields: { id: integer, at: timestamp } }"))
      #expect(run.message == "" && run.outcome?.report.rejected == 1)
    }
  }
}
