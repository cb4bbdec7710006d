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

/// What a run may say of where it begins.
extension CursorTests {
  @Test func `a full refresh begins anew and replaces the result`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1)), .init(id: 2, time: Self.time(5))])
    try await Self.with(shop) { rig in
      let keys = Self.keys("start: 2023-11-01")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      shop.rows.withLock { $0 = [.init(id: 3, time: Self.time(2))] }
      _ = shop.takeAsked()
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let anew = try rig.flow(keys, inputs: inputs)
      #expect(await rig.run(anew).kept == 1)
      #expect(try ids(rig) == [3])
      #expect(await rig.run(flow).kept == 1)
      #expect(
        shop.takeAsked() == ["/users?since=2023-11-01T00:00:00Z", "/users?since=2023-11-02T00:00:00Z"])
    }
  }

  @Test func `a run may begin elsewhere and still moves on what is remembered`() async throws {
    let shop = Shop((1...4).map { .init(id: $0, time: Self.time($0)) })
    try await Self.with(shop) { rig in
      let keys = Self.keys("")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).kept == 4)
      shop.put(5, Self.time(5))
      var inputs = FlowCompiler.Inputs()
      inputs.since = "2023-11-02"
      let elsewhere = try rig.flow(keys, inputs: inputs)
      #expect(await rig.run(elsewhere).kept == 4)
      #expect(await rig.run(flow).kept == 1)
      #expect(
        shop.takeAsked() == ["/users", "/users?since=2023-11-02T00:00:00Z", "/users?since=2023-11-05T00:00:00Z"])
      inputs.since = "soon"
      #expect(rig.compile(rig.text(keys), inputs: inputs).locations == ["cursor.bounds@8:22"])
    }
  }

  @Test func `what is appended is never asked for twice`() async throws {
    let shop = Shop([.init(id: 1, time: Self.time(1))], bounds: "(]")
    try await Self.with(shop) { rig in
      let keys = Self.keys("bounds: \"(]\"", mode: "append")
      #expect(await rig.run(try rig.flow(keys)).message == "")
      var inputs = FlowCompiler.Inputs()
      inputs.since = "2023-10-01"
      #expect(await rig.run(try rig.flow(keys, inputs: inputs)).message.contains("would store twice"))
      // Without its stamp nobody knows what is there.
      try FileManager.default.removeItem(atPath: rig.scratch.path(".reactor.stamps"))
      #expect(await rig.run(try rig.flow(keys)).message.contains("up to which position users.jsonl is complete"))
      #expect(try ids(rig) == [1])
      inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      #expect(await rig.run(try rig.flow(keys, inputs: inputs)).message == "")
      #expect(try ids(rig) == [1])
    }
  }
}
