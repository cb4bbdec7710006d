import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import Records
import SourceDiagnostics
import Storage
import Testing
import TestSupport

/// Records that a pull gives twice.
@Suite struct DuplicateTests {
  /// Two pages; while they are read, a record has moved and another one has changed.
  private static let pages: @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] = { request in
    request.target.contains("page=2")
      ? ok(#"[{"id":2,"name":"Ben"},{"id":1,"name":"Ann"},{"id":4,"name":"Dee"}]"#)
      : request.target.contains("page=3")
        ? ok("[]") : ok(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Ben"},{"id":3,"name":"Cleo"}]"#)
  }

  private static let results = [
    (
      "jsonl",
      [#"{"id":3,"name":"Cleo"}"#, #"{"id":2,"name":"Ben"}"#, #"{"id":1,"name":"Ann"}"#, #"{"id":4,"name":"Dee"}"#]
    ),
    ("csv", ["id,name", "3,Cleo", "2,Ben", "1,Ann", "4,Dee"]),
    ("csv.gz", ["id,name", "3,Cleo", "2,Ben", "1,Ann", "4,Dee"]),
  ]

  @Test(arguments: results)
  func `only the last record of a key stays`(_ result: (String, [String])) async throws {
    try await Rig.with { rig in
      rig.answer(Self.pages)
      for _ in 1...2 {
        let flow = try rig.flow(
          "pages: { by: page, query: page }\npersistence: { path: users.\(result.0), duplicates: last }")
        let run = await rig.run(flow, .fresh)
        #expect(run.message == "" && run.kept == 6)
        let text = rig.scratch.text("users.\(result.0)")
        #expect(text?.split(whereSeparator: \.isNewline).map(String.init) == result.1)
      }
      // What is not there any more goes, unlike with a merge.
      rig.answer(ok(#"[{"id":9,"name":"Ina"}]"#))
      let flow = try rig.flow("persistence: { path: users.\(result.0), duplicates: last }")
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(rig.scratch.text("users.\(result.0)")?.contains("Ann") == false)
    }
  }

  @Test func `without it all records are kept`() async throws {
    try await Rig.with { rig in
      rig.answer(Self.pages)
      let flow = try rig.flow("pages: { by: page, query: page }")
      #expect(await rig.run(flow, .fresh).message == "")
      let ids = try rig.numbers("users.jsonl")
      #expect(ids == [1, 2, 3, 2, 1, 4])
    }
  }

  @Test func `child flows get each record once`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target.hasPrefix("/users") ? Self.pages(request) : ok(#"{"at":"\#(request.target)"}"#)
      }
      let flows = try rig.flows(
        """
        users:
          resource: /users
          pages: { by: page, query: page }
          schema: { key: id, fields: { id: integer, name: string } }
          persistence: { path: users.jsonl, duplicates: last }
        details: { each: { flow: users }, resource: "/details/{{ parent.name }}" }
        """)
      let runs = await rig.run(flows)
      #expect(runs.map(\.message) == ["", ""] && runs[1].kept == 4)
      let asked = rig.server.requests.map(\.target).filter { $0.hasPrefix("/details") }
      #expect(asked.sorted() == ["/details/Ann", "/details/Ben", "/details/Cleo", "/details/Dee"])
    }
  }

  @Test func `common children of several parents are persisted once`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        ok(
          request.target.contains("a") ? #"[{"id":1,"name":"Ada"},{"id":2,"name":"Ben"}]"# : #"[{"id":2,"name":"Ben"}]"#
        )
      }
      let flow = try rig.flow(
        """
        each: { values: [a, b], as: group, on_error: fail }
        resource: "/groups/{{ group }}"
        persistence: { path: users.jsonl, duplicates: last }
        """)
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(rig.result == "{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2,\"name\":\"Ben\"}\n")
    }
  }

  @Test func `a caller with a persistence of its own gets all records as they are`() async throws {
    try await Rig.with { rig in
      rig.answer(ok(#"[{"id":1,"name":"Ada"},{"id":1,"name":"Ann"}]"#))
      let flow = try rig.flow("persistence: { path: users.jsonl, duplicates: last }")
      let own = flow.reactorFlow(persistingIn: InMemoryPersistence<RecordSet>())
      let fetched = try await flow.reactor(own).fetch(flow.resource)
      var count = 0
      for try await _ in fetched.model.records { count += 1 }
      #expect(count == 2)
    }
  }

  private static let mistakes = [
    "persistence: { path: a.jsonl, duplicates: last }\nschema: { fields: { id: integer } }",
    "persistence: { path: a.jsonl, duplicates: last, mode: merge }",
    "persistence: { path: \"out/{{ record.id }}.jsonl\", duplicates: last }",
    "persistence: { path: a.jsonl, duplicates: last }\neach: { values: [1], as: a }",
  ]

  @Test func `what cannot work is refused`() async throws {
    try await Rig.with { rig in
      let texts = Self.mistakes.map { keys in
        rig.compile(rig.text(keys)).diagnostics.diagnostics.map { "\($0.message) (\($0.help ?? ""))" }
      }
      #expect(
        texts == [
          ["'duplicates: last' needs a key (add 'key: FIELD' to the schema 'users')"],
          ["'mode: merge' keeps only the last record of a key anyway (leave it out)"],
          [
            "'duplicates' cannot be used with a result in several files (use a path without fields of records)"
          ],
          [
            "with 'duplicates: last' the earlier records of a failed parent cannot be found "
              + "(add 'on_error: fail' to 'each', or use 'mode: merge')"
          ],
        ])
    }
  }
}
