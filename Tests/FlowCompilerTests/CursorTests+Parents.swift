import FlowCompiler
import FlowSpec
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
}
