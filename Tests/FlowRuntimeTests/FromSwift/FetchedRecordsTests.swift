import FlowCompiler
import FlowRuntime
import FlowTesting
import JSONSyntax
import ReactorCore
import Records
import Storage
import Synchronization
import TestSupport
import Testing

/// A set of records reads what its fetch gave, or says that this was replaced.
@Suite(.timeLimit(.minutes(1))) struct FetchedRecordsTests {
  /// A server that answers each request with one record, which has the request's number.
  private static func withNumbers(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.with { rig in
      let number = Mutex(0)
      rig.answer { _ in
        let now = number.withLock { number in
          number += 1
          return number
        }
        return ok("[{\"id\": \(now), \"name\": \"A\"}]")
      }
      try await body(rig)
    }
  }

  private func ids(_ set: RecordSet) async throws -> [Int64] {
    var ids: [Int64] = []
    for try await record in set.records { ids.append(try record.model(as: Number.self).id) }
    return ids
  }

  private struct Number: Mappable {
    let id: Int64
    static func mapToModel(_ json: JSONValue) throws(MappedError) -> Number {
      Number(id: try json.integerField("id"))
    }
    func mapToJSON() -> JSONValue? { nil }
  }

  private func expectReplaced(_ set: RecordSet, _ location: SourceLocation = #_sourceLocation) async {
    let error = await #expect(throws: ReactorError.self, sourceLocation: location) { try await ids(set) }
    #expect(error?.kind == .persistence, sourceLocation: location)
    #expect(error?.message.contains("replaced since") == true, "\(error?.message ?? "")", sourceLocation: location)
    let values = await #expect(throws: ReactorError.self, sourceLocation: location) { try await set.values() }
    #expect(values == error, sourceLocation: location)
  }

  @Test(arguments: ["users.jsonl", "users.json", "users.csv", "users.jsonl.gz", "out/{id}.jsonl"])
  func `a file that has another result is not read for it`(_ path: String) async throws {
    try await Self.withNumbers { rig in
      let flow = try rig.flow("persistence: \(path)")
      let first = try await flow.reactor().fetchFromNetwork(flow.resource).model
      #expect(try await ids(first) == [1])
      let second = try await flow.reactor().fetchFromNetwork(flow.resource).model
      await expectReplaced(first)
      #expect(try await ids(second) == [2])
      #expect(try await ids(second) == [2])
    }
  }

  @Test func `a result of another resource is not read for it`() async throws {
    try await Self.withNumbers { rig in
      let flow = try rig.flow()
      var other = flow.resource
      other.query.append(Resource.QueryItem("team", "7"))
      let first = try await flow.reactor().fetch(flow.resource).model
      let second = try await flow.reactor().fetch(other).model
      await expectReplaced(first)
      #expect(try await ids(second) == [2])
    }
  }

  @Test func `a persisted result is read although another one has replaced it`() async throws {
    try await Self.withNumbers { rig in
      let flow = try rig.flow()
      _ = try await flow.reactor().fetch(flow.resource)
      let hit = try await flow.reactor().fetch(flow.resource)
      #expect(hit.source == .persistence)
      _ = try await flow.reactor().fetchFromNetwork(flow.resource)
      #expect(try await ids(hit.model) == [1])
    }
  }

  @Test func `records that a caller made are not read from a later result either`() async throws {
    try await Self.withNumbers { rig in
      let flow = try rig.flow()
      let closures = flow.reactorFlow().mapNetwork { set in
        let record = JSONValue.object(["id": .number(JSONNumber(7)), "name": .string("made")])
        return RecordSet(
          schema: set.schema, count: 1, format: .jsonLines, content: .memory(JSONWriter.bytes(record) + [0x0A]))
      }
      let made = try await flow.reactor(closures).fetchFromNetwork(flow.resource).model
      #expect(try await ids(made) == [7])
      let later = try await flow.reactor().fetchFromNetwork(flow.resource).model
      await expectReplaced(made)
      #expect(try await ids(later) == [2])
    }
  }

  @Test(arguments: TestStore.available)
  func `a table that has another result is not read for it`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let number = Mutex(0)
      tables.rig.answer { _ in
        let now = number.withLock { number in
          number += 1
          return number
        }
        return ok("[{\"id\": \(now), \"name\": \"A\"}]")
      }
      let flow = try tables.flow(persistence: "expires_after: 1h")
      let first = try await flow.reactor().fetch(flow.resource).model
      let hit = try await flow.reactor().fetch(flow.resource)
      #expect(hit.source == .persistence)
      #expect(try await ids(first) == [1])
      #expect(try await ids(hit.model) == [1])
      let second = try await flow.reactor().fetchFromNetwork(flow.resource).model
      await expectReplaced(first)
      await expectReplaced(hit.model)
      #expect(try await ids(second) == [2])
    }
  }
}
