import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

@Suite struct PersistenceFirstTests {
  private let ann = #"[{"id":1,"name":"Ann"}]"#
  private let bob = #"[{"id":"2","name":"Bob"},{"id":3,"name":"Cy"}]"#

  @Test func `compiling opens neither the root nor a connection`() async throws {
    try await Rig.with(root: "later/root") { rig in
      _ = try rig.flow()
      #expect(rig.server.acceptedConnections == 0)
      #expect(rig.scratch.names() == [])
    }
  }

  @Test func `the first run asks the server, the second takes what it left`() async throws {
    try await Rig.with(ok(ann), root: "later/root") { rig in
      let flow = try rig.flow()
      let first = await rig.run(flow)
      #expect(first.source == .network)
      #expect(first.miss == .absent)
      #expect(first.save == .saved)
      #expect(first.outcome?.bytes == ann.utf8.count)
      #expect(rig.scratch.text("later/root/users.jsonl") == "{\"id\":1,\"name\":\"Ann\"}\n")
      rig.answer(ok(bob))
      let second = await rig.run(flow)
      #expect(second.source == .persistence)
      #expect(second.miss == nil)
      #expect(second.kept == 1)
      #expect(second.save == .notAsked)
      #expect(rig.server.requests.count == 1)
      #expect(rig.scratch.text("later/root/users.jsonl") == "{\"id\":1,\"name\":\"Ann\"}\n")
    }
  }

  @Test func `a run of another process takes what this one left`() async throws {
    try await Rig.with(ok(ann)) { rig in
      _ = await rig.run(try rig.flow())
      await rig.letGo()
      let again = await rig.run(try rig.flow())
      #expect(again.source == .persistence)
      #expect(again.kept == 1)
    }
  }

  @Test(arguments: [(3599.0, FetchSource.persistence), (3600, .network), (100_000, .network)])
  func `a result is used until it expires`(_ age: Double, _ source: FetchSource) async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(age))
      rig.answer(ok(bob))
      let later = await rig.run(flow)
      #expect(later.source == source)
      #expect(later.miss == (source == .network ? .expired : nil))
      #expect(later.kept == (source == .network ? 2 : 1))
      guard source == .network else { return }
      #expect(rig.result == "{\"id\":2,\"name\":\"Bob\"}\n{\"id\":3,\"name\":\"Cy\"}\n")
      // Stamped anew.
      rig.clock.advance(by: .seconds(3599))
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `without an expiry each run asks, and an offline run uses the result`() async throws {
    try await Rig.with(ok(ann)) { rig in
      for keys in ["persistence: users.jsonl", "persistence: { path: users.jsonl }"] {
        let flow = try rig.flow(keys)
        for _ in 0..<2 { #expect(await rig.run(flow).source == .network) }
        #expect(await rig.run(flow).miss == .askedEachRun)
        let offline = await rig.run(flow, .offline)
        #expect(offline.source == .persistence && offline.kept == 1)
      }
    }
  }

  @Test func `a changed file of each makes a result stale, whatever its age`() async throws {
    try await Rig.with(ok(ann)) { rig in
      try rig.scratch.write(Array("{\"id\":1}\n".utf8), to: "items.jsonl")
      let flow = try rig.flow(
        "each: { file: items.jsonl, as: item }\nresource: \"/users/{{ item.id }}\"\n"
          + "persistence: { path: users.jsonl, expires_after: never }")
      #expect(await rig.run(flow).source == .network)
      #expect(await rig.run(flow).source == .persistence)
      // The time of a change has the precision of the file system's clock.
      try await Task.sleep(for: .milliseconds(20))
      try rig.scratch.write(Array("{\"id\":1}\n{\"id\":2}\n".utf8), to: "items.jsonl")
      let run = await rig.run(flow)
      #expect(run.source == .network && run.miss == .inputChanged("items.jsonl"))
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a persisted result says how old it is`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow("persistence: { path: users.jsonl, expires_after: P7D }")
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(3 * 86_400))
      #expect(await rig.run(flow).outcome?.age == .seconds(3 * 86_400))
    }
  }

  @Test func `a result that never expires is used for ever`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow("persistence: { path: users.jsonl, expires_after: never }")
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(1_000_000_000))
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a result dated in the future counts as expired`() async throws {
    try await Rig.with(ok(ann)) { rig in
      for keys in ["", "persistence: { path: users.jsonl, expires_after: never }"] {
        let flow = try rig.flow(keys)
        _ = await rig.run(flow, .fresh)
        rig.clock.advance(by: .seconds(-1))
        let run = await rig.run(flow)
        #expect(run.source == .network)
        #expect(run.miss == .expired)
      }
    }
  }

  /// Keys of the flow before and after, and why the result of the one is none of the other.
  private static let changes: [(String, String, PersistenceMiss)] = [
    ("resource: /users", "resource: /customers", .otherResource),
    ("resource: /users", "resource: { path: /users, method: POST }", .otherResource),
    ("resource: /users", "resource: { path: /users, query: { page: 2 } }", .otherResource),
    (
      "resource: { path: /users, query: { page: 1 } }", "resource: { path: /users, query: { page: 2 } }",
      .otherResource
    ),
    ("resource: /users", "resource: { path: /users, headers: { X-Shop: a } }", .otherResource),
    (
      "resource: { path: /users, method: POST, body: { text: a } }",
      "resource: { path: /users, method: POST, body: { text: b } }", .otherResource
    ),
    ("records: $[*]", "records: $", .otherResource),
    ("records: $[*]", "records: $[0]", .otherResource),
    ("prune: true", "prune: false", .otherResource),
    ("pages: none", "pages: link", .otherResource), ("pages: none", "", .otherResource),
    ("", "errors: [{ when: status == 404, do: skip }]", .otherResource),
    ("expect: { min: 1 }", "expect: { min: 0 }", .otherResource), ("", "expect: { status: 200 }", .otherResource),
    (
      "auth: { basic: { username: a, password: '' } }", "auth: { basic: { username: b, password: '' } }",
      .otherResource
    ),
    ("", "schema: { fields: { id: integer } }", .schemaChanged),
    ("", "schema: { fields: { id: string, name: string } }", .schemaChanged),
    ("", "schema: { fields: { id: integer, name: { from: $.nick, type: string } } }", .schemaChanged),
    ("", "schema: { fields: { id: integer, name: string? } }", .schemaChanged),
    ("", "schema: { fields: { name: string, id: integer } }", .schemaChanged),
  ]

  @Test(arguments: changes)
  func `what belongs to another request or schema is not used`(
    _ before: String, _ after: String, _ miss: PersistenceMiss
  ) async throws {
    try await Rig.with(ok(#"[{"id":"1","name":"Ann","nick":"A"}]"#)) { rig in
      let flow = try rig.flow(before)
      #expect(await rig.run(flow).error == nil)
      #expect(await rig.run(flow).source == .persistence)
      let changed = await rig.run(try rig.flow(after), .offline)
      #expect(changed.error?.kind == .persistence)
      #expect(changed.message == "offline, and \(miss)")
      #expect(await rig.run(try rig.flow(after)).miss == miss)
    }
  }

  @Test func `a merged result is joined with what a changed flow gives`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]"#)) { rig in
      let keys = "persistence: { path: users.jsonl, mode: merge }\n"
      _ = await rig.run(try rig.flow(keys))
      rig.answer(ok(#"[{"id":2,"name":"Bea"},{"id":3,"name":"Cy"}]"#))
      let run = await rig.run(try rig.flow(keys + "where: source.id > 1"))
      #expect(run.miss == .otherResource && run.kept == 2)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n{\"id\":2,\"name\":\"Bea\"}\n{\"id\":3,\"name\":\"Cy\"}\n")
    }
  }

  @Test func `what does not change the result keeps it`() async throws {
    try await Rig.with(ok(ann)) { rig in
      _ = await rig.run(try rig.flow("resource: { path: /users, query: { a: 1, b: 2 }, headers: { X-A: 1 } }"))
      let same = """
        description: People
        tags: [daily]
        wait: false
        reachability: false
        resource: { path: users, query: { b: 2, a: 1 }, headers: { x-a: 1 } }
        persistence: { path: ./users.jsonl, expires_after: 2h, fail_on_save_error: false }
        """
      #expect(await rig.run(try rig.flow(same)).source == .persistence)
    }
  }

  @Test func `another server is another resource`() async throws {
    try await Rig.with(ok(ann)) { rig in
      _ = await rig.run(try rig.flow())
      let other = try rig.flow("http: { base_url: \"http://127.0.0.1:1\" }")
      #expect(await rig.run(other, .offline).message == "offline, and \(PersistenceMiss.otherResource)")
    }
  }

  @Test func `a fresh run asks the server whatever is there`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.answer(ok(bob))
      let fresh = await rig.run(flow, .fresh)
      #expect(fresh.source == .network)
      #expect(fresh.miss == .skipped)
      #expect(fresh.kept == 2)
      #expect(!fresh.events.contains(.started(.load)))
      #expect(await rig.run(flow).kept == 2)
    }
  }

  @Test func `an offline run takes what is there, opens no connection, and says why when it cannot`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      let nothing = await rig.run(flow, .offline)
      #expect(nothing.error?.kind == .persistence)
      #expect(nothing.message == "offline, and nothing persisted yet")
      #expect(nothing.error?.path == "users.jsonl")
      #expect(rig.server.acceptedConnections == 0)
      #expect(rig.scratch.names() == [])

      _ = await rig.run(flow)
      let accepted = rig.server.acceptedConnections
      let hit = await rig.run(flow, .offline)
      #expect(hit.source == .persistence)
      #expect(hit.kept == 1)
      rig.clock.advance(by: .seconds(7200))
      #expect(await rig.run(flow, .offline).message == "offline, and the persisted result has expired")
      #expect(rig.server.acceptedConnections == accepted)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
    }
  }

  @Test func `a flow without persistence asks each time and leaves nothing`() async throws {
    try await Rig.with(ok(bob)) { rig in
      let flow = try rig.flow("persistence: disabled")
      for _ in 0..<2 {
        let run = await rig.run(flow)
        #expect(run.source == .network)
        #expect(run.miss == .disabled)
        #expect(run.kept == 2)
        #expect(run.save == .notAsked)
      }
      #expect(rig.server.requests.count == 2)
      #expect(rig.scratch.names() == [])
      let offline = await rig.run(flow, .offline)
      #expect(offline.message == "offline, and persistence is disabled")
    }
  }

  @Test func `steps are told in their order`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow()
      let steps = await rig.run(flow).events.compactMap { event -> FlowStep? in
        if case .started(let step) = event { step } else { nil }
      }
      #expect(steps == [.load, .reach, .request, .parse, .save])
    }
  }
}
