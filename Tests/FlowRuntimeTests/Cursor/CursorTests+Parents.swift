import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Storage
import Synchronization
import Testing
import TestSupport

/// A value of its own for each parent.
extension CursorTests {
  private static let parents = """
    resource: "/users/{{ value }}"
    each: { values: [a, b, c] }

    """

  @Test func `each parent has its own value, and one that fails keeps it`() async throws {
    let shop = Shop([
      .init(id: 1, time: Self.time(1), path: "/users/a"), .init(id: 2, time: Self.time(2), path: "/users/b"),
    ])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.parents + Self.keys("start: 2023-11-01"))
      #expect(await rig.run(flow).message == "")
      #expect(Set(shop.takeAsked()) == Set(["a", "b", "c"].map { "/users/\($0)?since=2023-11-01T00:00:00Z" }))
      shop.put(3, Self.time(3), "/users/a")
      shop.put(4, Self.time(4), "/users/b")
      shop.broken.withLock { _ = $0.insert("/users/b") }
      #expect(await rig.run(flow).message == "")
      #expect(try ids(rig) == [1, 2, 3])
      shop.broken.withLock { $0 = [] }
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(
        Set(shop.takeAsked()) == [
          "/users/a?since=2023-11-03T00:00:00Z", "/users/b?since=2023-11-02T00:00:00Z",
          "/users/c?since=2023-11-01T00:00:00Z",
        ])
      #expect(try ids(rig) == [1, 2, 3, 4])
      // One file for the values of parents, the one that counts.
      #expect(rig.files.filter { $0.hasPrefix(".reactor/cursors/") }.count == 1)
      let memory = try #require(await flow.cursor?.memory())
      #expect(memory.parents.map(\.key) == ["a", "b"])
      #expect(memory.parents.map(\.value) == [Self.time(3), Self.time(4)])
    }
  }

  @Test func `without the file of the parents' values everything is asked for again`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1), path: "/users/a")])
    try await Self.with(shop) { rig in
      let flow = try rig.flow(Self.parents + Self.keys(""))
      #expect(await rig.run(flow).message == "")
      let name = try #require(rig.files.first { $0.hasPrefix(".reactor/cursors/") })
      for damage in [nil, "{}\n"] as [String?] {
        try FileManager.default.removeItem(atPath: rig.scratch.path(name))
        if let damage { try damage.write(toFile: rig.scratch.path(name), atomically: false, encoding: .utf8) }
        _ = shop.takeAsked()
        #expect(await rig.run(flow).message == "")
        #expect(shop.takeAsked().allSatisfy { !$0.contains("since") })
        #expect(try ids(rig) == [1])
      }
    }
  }

  @Test func `a parent without a key goes on from its value when another field of it changes`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try rig.scratch.write("{\"id\":1,\"note\":\"a\"}\n{\"id\":2,\"note\":\"a\"}\n".utf8, to: "orders.jsonl")
      let flow = try rig.flow(
        """
        each: { file: orders.jsonl }
        resource: "/orders/{{ parent.id }}/items"
        schema: { key: id, fields: { id: integer } }
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: id, query: after }
        """)
      #expect(await rig.run(flow).message == "")
      try rig.scratch.write("{\"id\":1,\"note\":\"b\"}\n{\"id\":2,\"note\":\"a\"}\n".utf8, to: "orders.jsonl")
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      #expect(shop.takeAsked() == ["/orders/1/items?after=11", "/orders/2/items?after=21"])
      #expect(await flow.cursor?.memory()?.parents.count == 2)
      // A parent that is gone is forgotten when all others were asked for.
      try rig.scratch.write("{\"id\":2,\"note\":\"a\"}\n".utf8, to: "orders.jsonl")
      #expect(await rig.run(flow).message == "")
      #expect(await flow.cursor?.memory()?.parents.map(\.value) == ["21"])
    }
  }

  private static let file = """
    each: { file: orders.jsonl EACH }
    resource: "/orders/{{ parent.id }}/items"
    schema: { key: id, fields: { id: integer } }
    persistence: { path: users.jsonl, mode: MODE }
    cursor: { field: id, query: after, bounds: "(]" }
    """

  private static func fileKeys(_ each: String, mode: String = "merge") -> String {
    file.replacing("EACH", with: each).replacing("MODE", with: mode)
  }

  private static func write(_ records: String..., to rig: Rig) throws {
    try rig.scratch.write(records.map { $0 + "\n" }.joined().utf8, to: "orders.jsonl")
  }

  @Test func `a declared key wins over the schema's, and another one begins anew`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try Self.write(#"{"id":1,"code":"a"}"#, #"{"id":2,"code":"b"}"#, to: rig)
      let schema = ", schema: { key: id, fields: { id: integer, code: string } }"
      for (each, asked, known) in [
        (schema, ["/orders/1/items", "/orders/2/items"], ["1", "2"]),
        (schema + ", key: code", ["/orders/1/items", "/orders/2/items"], ["a", "b"]),
        (schema + ", key: code", ["/orders/1/items?after=11", "/orders/2/items?after=21"], ["a", "b"]),
        (
          schema + ", key: [id, code]", ["/orders/1/items", "/orders/2/items"], [#"[1,"a"]"#, #"[2,"b"]"#]
        ),
      ] {
        _ = shop.takeAsked()
        let flow = try rig.flow(Self.fileKeys(each))
        #expect(await rig.run(flow).message == "")
        #expect(shop.takeAsked() == asked)
        #expect(await flow.cursor?.memory()?.parents.map(\.key) == known)
      }
    }
  }

  @Test func `without a key the request is shown, and a secret in it is not`() async throws {
    let shop = OrderShop(1)
    try await shop.run { rig in
      try Self.write(#"{"id":1}"#, to: rig)
      let flow = try rig.flow(Self.fileKeys(""))
      #expect(await rig.run(flow).message == "")
      #expect(await flow.cursor?.memory()?.parents.map(\.key) == ["GET /orders/1/items"])
      let text = Self.fileKeys("").replacing(
        "resource: \"/orders/{{ parent.id }}/items\"",
        with: "resource: { path: \"/orders/{{ parent.id }}/items\", query: { key: \"{{ secrets.KEY }}\" } }")
      let hidden = try #require(
        rig.compile(
          rig.text(text, top: "secrets: [KEY]"), inputs: FlowCompiler.Inputs(secrets: ["KEY": Secret("s3cr3t-word")])
        ).flows.first)
      #expect(await rig.run(hidden).message == "")
      let key = try #require(await hidden.cursor?.memory()?.parents.first?.key)
      #expect(key.hasPrefix("GET #") && key.count == 37)
    }
  }

  @Test(arguments: [("merge", 1), ("append", 2)])
  func `parents that are gone are forgotten after a run that asked for all`(_ mode: String, _ left: Int) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      try Self.write(#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, to: rig)
      func known(_ flow: DeclaredFlow) async -> [String] {
        #expect(await rig.run(flow).message == "")
        return await flow.cursor?.memory()?.parents.map(\.key) ?? []
      }
      let flow = try rig.flow(Self.fileKeys(", key: id", mode: mode))
      #expect(await known(flow) == ["1", "2", "3"])
      try Self.write(#"{"id":1}"#, #"{"id":2}"#, to: rig)
      // One that failed was not asked for.
      shop.broken.withLock { $0 = [1] }
      #expect(await known(flow) == ["1", "2", "3"])
      shop.broken.withLock { $0 = [] }
      #expect(await known(flow) == (mode == "merge" ? ["1", "2"] : ["1", "2", "3"]))
      let text = try #require(rig.files.first { $0.hasPrefix(".reactor/cursors/") }.flatMap { rig.scratch.text($0) })
      #expect(text.contains("\"3\"") == (mode == "append"))
    }
  }

  @Test func `a limit forgets nothing`() async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try Self.write(#"{"id":1}"#, #"{"id":2}"#, to: rig)
      let flow = try rig.flow(Self.fileKeys(", key: id, max: 1"))
      #expect(await rig.run(flow).message == "")
      try Self.write(#"{"id":2}"#, #"{"id":1}"#, to: rig)
      #expect(await rig.run(flow).message == "")
      #expect(await flow.cursor?.memory()?.parents.map(\.key) == ["1", "2"])
    }
  }

  @Test(arguments: [
    // What identifies the parents, and whether the old file's values are still good for it.
    (", key: id", #"{"1":"10","2":"20"}"#, ["after=10", "after=20"]),
    ("", #"{"{\"id\":1}":"10"}"#, ["/items", "/items"]),
    (", key: id", #"{"version":2,"identity":"parent:id","cursor":{"1":"10"}}"#, ["after=10", "/items"]),
    (", key: id", #"{"version":2,"identity":"parent:code","cursor":{"1":"10"}}"#, ["/items", "/items"]),
  ])
  func `files of older versions are read`(_ each: String, _ text: String, _ asked: [String]) async throws {
    let shop = OrderShop(2)
    try await shop.run { rig in
      try Self.write(#"{"id":1}"#, #"{"id":2}"#, to: rig)
      let flow = try rig.flow(Self.fileKeys(each))
      #expect(await rig.run(flow).message == "")
      let (root, path) = (rig.environment.root, try OutputPath(parsing: "users.jsonl"))
      let stamp = try #require(try await root.stamp(of: path))
      func hex(_ value: UInt64) -> String {
        String(repeating: "0", count: 16 - String(value, radix: 16).count) + String(value, radix: 16)
      }
      let (prefix, name) = (hex(ContentHash.of("users.jsonl".utf8)), hex(ContentHash.of((text + "\n").utf8)))
      try await root.saveNote(Array((text + "\n").utf8), as: "\(prefix).\(name)")
      let lock = try await root.lock(path)
      var provenance = stamp.provenance
      provenance.cursor = "@" + name
      try await lock.restamp(stamp, provenance)
      lock.release()
      _ = shop.takeAsked()
      #expect(await rig.run(flow).message == "")
      let found = shop.takeAsked()
      #expect(found.count == 2 && zip(found, asked).allSatisfy { $0.hasSuffix($1) }, "\(found)")
    }
  }
}
