import FlowCompiler
import FlowRuntime
import FlowTesting
import JSONSyntax
import ReactorCore
import Records
import Synchronization
import TestSupport
import Testing

/// A declared flow is a `ReactorFlow` that Swift code may run, decorate and change.
@Suite struct FlowFromSwiftTests {
  private struct User: Mappable, Equatable {
    var id: Int64
    var name: String

    static func mapToModel(_ json: JSONValue) throws(MappedError) -> User {
      User(id: try json.integerField("id"), name: try json.stringField("name"))
    }

    func mapToJSON() -> JSONValue? { nil }
  }

  private static let users = #"[{"id": 1, "name": "Ada"}, {"id": "x"}, {"id": 2, "name": "Bo"}]"#

  private func names(_ set: RecordSet) async throws -> [String] {
    var names: [String] = []
    for try await record in set.records { names.append(try record.model(as: User.self).name) }
    return names
  }

  @Test func `its records are read as records and as a compiled type`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow()
      let fetched = try await flow.reactor().fetch(flow.resource)
      #expect(fetched.source == .network)
      #expect(fetched.report.rejections.map(\.index) == [1])
      #expect(try await names(fetched.model) == ["Ada", "Bo"])
      let again = try await flow.reactor().fetch(flow.resource)
      #expect(again.source == .persistence)
      #expect(try await names(again.model) == ["Ada", "Bo"])
    }
  }

  @Test func `the network closure asks for the resource that it is given, and the result belongs to that`() async throws
  {
    try await Rig.with(ok(Self.users)) { rig in
      rig.answer { request in ok(#"[{"id": 1, "name": "\#(request.target)"}]"#) }
      let flow = try rig.flow()
      let declared = try await flow.reactor().fetch(flow.resource)
      #expect(try await names(declared.model) == ["/users"])
      var other = flow.resource
      other.query.append(Resource.QueryItem("team", "7"))
      let changed = try await flow.reactor().fetch(other)
      #expect(changed.miss == .otherResource)
      #expect(try await names(changed.model) == ["/users?team=7"])
      #expect(try await flow.reactor().fetch(other).source == .persistence)
      #expect(try await flow.reactor().fetch(flow.resource).miss == .otherResource)
    }
  }

  @Test func `what a caller adds goes along with requests that are made of pages`() async throws {
    try await Rig.with { rig in
      let targets = Mutex<[String]>([])
      rig.answer { request in
        let number = targets.withLock { targets in
          targets.append(request.target)
          return targets.count
        }
        return ok(number == 3 ? "[]" : #"[{"id": \#(number), "name": "A"}]"#)
      }
      let flow = try rig.flow(
        "resource: { path: /users, query: { at: \"{{ page.number }}\" } }\npages: { by: page, query: page }")
      var other = flow.resource
      other.query.append(Resource.QueryItem("team", "7"))
      _ = try await flow.reactor().fetch(other)
      let asked = targets.withLock { $0 }
      #expect(asked.count == 3)
      #expect(asked.allSatisfy { $0.contains("team=7") && $0.contains("at=") })
    }
  }

  @Test func `each closure can be decorated or replaced`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow()
      let seen = Mutex<[String]>([])
      let note: @Sendable (String) -> Void = { text in seen.withLock { $0.append(text) } }
      var closures = flow.reactorFlow()
        .onLoadMiss { miss, _ in note("missed: \(miss)") }
        .onNetwork { parsed, _ in note("kept \(parsed.report.kept)") }
        .onSave { set, _ in note("saved \(set.count)") }
      _ = try await flow.reactor(closures).fetch(flow.resource)
      #expect(seen.withLock { $0 } == ["missed: nothing persisted yet", "kept 2", "saved 2"])
      closures.networkFlow = { (_) async throws(ReactorError) -> Fetched<RecordSet> in throw .server("replaced") }
      await #expect(throws: ReactorError.server("replaced")) {
        try await flow.reactor(closures).fetchFromNetwork(flow.resource)
      }
    }
  }

  @Test func `another persistence and another judgement of responses replace the declared ones`() async throws {
    try await Rig.with(answer("404 Not Found", Self.users)) { rig in
      let flow = try rig.flow()
      let memory = InMemoryPersistence<RecordSet>()
      let closures = flow.reactorFlow(persistingIn: memory, responseModifier: .passThrough)
      let fetched = try await flow.reactor(closures).fetch(flow.resource)
      #expect(fetched.status == 404)
      #expect(try await names(fetched.model) == ["Ada", "Bo"])
      #expect(await memory.count == 1)
      #expect(try await names(flow.reactor(closures).fetch(flow.resource).model) == ["Ada", "Bo"])
      #expect(rig.scratch.text("users.jsonl") == nil)
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test func `without persistence the records are held`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow("persistence: disabled")
      #expect(try await names(flow.reactor().fetch(flow.resource).model) == ["Ada", "Bo"])
    }
  }
}
