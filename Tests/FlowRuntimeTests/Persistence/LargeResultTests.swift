import FlowRuntime
import FlowTesting
import ReactorCore
import TestSupport
import Testing

@Suite struct LargeResultTests {
  @Test(arguments: [15_000, 60_000])
  func `records beyond the memory's share go through a staged file`(_ count: Int) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.answer(manyRecords(count))
      let run = await rig.run(flow, .fresh)
      #expect(run.kept == count)
      #expect(run.save == .saved)
      #expect(rig.result == manyLines(count))
      #expect(rig.files == ["users.jsonl"])
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a result that has not changed is not written anew`() async throws {
    try await Rig.with(manyRecords(30_000)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      let before = try #require(try rig.scratch.inode("users.jsonl"))
      let run = await rig.run(flow, .fresh)
      #expect(run.save == .saved)
      #expect(try rig.scratch.inode("users.jsonl") == before)
    }
  }

  /// 3 MB of records, then nothing more.
  private static let endless: [ScriptedServer.Step] = {
    var body = "["
    for number in 0..<50_000 { body += "{\"id\":\(number),\"name\":\"Somebody with a name of some length\"}," }
    return [.text("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" + body), .hold]
  }()

  @Test func `a run that is cancelled in the middle of the body keeps the old result`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.answer(Self.endless)
      let task = Task { await rig.run(flow, .fresh) }
      // More than what is held in memory has been staged.
      #expect(await rig.server.wait { _ in rig.files.contains { $0.hasPrefix(".reactor-tmp.") } })
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
      task.cancel()
      let run = await task.value
      #expect(run.error?.kind == .cancelled)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
      #expect(rig.files == ["users.jsonl"])
      // The transfer has ended, and the path is free.
      #expect(await rig.server.wait { $0.openConnections == 0 })
      rig.answer(ok(#"[{"id":2,"name":"Bob"}]"#))
      #expect(await rig.run(flow, .fresh).save == .saved)
    }
  }

  @Test func `a large response that is cut keeps the old result and leaves no staged file`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      rig.answer(Array(Self.endless.dropLast()) + [.close])
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.kind == .server)
      #expect(run.message.contains("cut short"), "\(run.message)")
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test func `a bad record after megabytes of good ones fails a strict flow and leaves no staged file`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow("prune: false")
      _ = await rig.run(flow)
      var body = "["
      for number in 0..<50_000 { body += "{\"id\":\(number),\"name\":\"Somebody with a name of some length\"}," }
      rig.answer(ok(body + "{\"id\":null}]"))
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.recordIndex == 50_000)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
      #expect(rig.files == ["users.jsonl"])
    }
  }

  @Test func `a cancelled run of a flow that does not wait is not saved`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow("wait: false")
      _ = await rig.run(flow)
      #expect(await rig.server.wait { _ in rig.files == ["users.jsonl"] })
      rig.answer(Self.endless)
      let task = Task { await rig.run(flow, .fresh) }
      #expect(await rig.server.wait { _ in rig.files.contains { $0.hasPrefix(".reactor-tmp.") } })
      task.cancel()
      #expect(await task.value.error?.kind == .cancelled)
      // Its saving is behind it, and so may be the end of what was staged.
      #expect(await rig.server.wait { _ in rig.files == ["users.jsonl"] })
      #expect(rig.result == "{\"id\":1,\"name\":\"Ann\"}\n")
    }
  }
}
