import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

@Suite struct DamageTests {
  private static let line = "{\"id\":1,\"name\":\"Ann\"}\n"

  /// A flow with a result on the disk, whose root was let go of, as between two runs of the program.
  private func withResult(_ body: (Rig, DeclaredFlow) async throws -> Void) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      let flow = try rig.flow()
      #expect(await rig.run(flow).save == .saved)
      await rig.letGo()
      try await body(rig, flow)
    }
  }

  @Test func `a result that was cut anywhere is not used`() async throws {
    try await withResult { rig, flow in
      let whole = Array(Self.line.utf8)
      for count in 0..<whole.count {
        try rig.scratch.write(whole[..<count], to: "users.jsonl")
        let run = await rig.run(flow, .offline)
        #expect(
          run.message.hasSuffix("cannot be read: users.jsonl was changed after it was written"), "cut to \(count)")
      }
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test func `a result with any byte changed, added or taken out is not used`() async throws {
    try await withResult { rig, flow in
      let whole = Array(Self.line.utf8)
      for index in whole.indices {
        for mask in [UInt8(0x01), 0x20, 0x80] {
          var bytes = whole
          bytes[index] ^= mask
          try rig.scratch.write(bytes, to: "users.jsonl")
          #expect(await rig.run(flow, .offline).error?.kind == .persistence, "byte \(index) ^ \(mask)")
        }
        var longer = whole
        longer.insert(0x20, at: index)
        try rig.scratch.write(longer, to: "users.jsonl")
        #expect(await rig.run(flow, .offline).error?.kind == .persistence, "a space at \(index)")
        var shorter = whole
        shorter.remove(at: index)
        try rig.scratch.write(shorter, to: "users.jsonl")
        #expect(await rig.run(flow, .offline).error?.kind == .persistence, "without \(index)")
      }
      // The same bytes are the same result, whoever wrote them.
      try rig.scratch.write(whole, to: "users.jsonl")
      #expect(await rig.run(flow, .offline).kept == 1)
    }
  }

  @Test func `a damaged stamp never speaks for the result`() async throws {
    try await withResult { rig, flow in
      let name = ".reactor.stamps"
      let whole = try #require(rig.scratch.bytes(name))
      // It begins with a line end, which may become anything as long as the line stays apart from it.
      for index in 1..<whole.count - 1 {
        for mask in [UInt8(0x01), 0x04, 0x80] {
          var bytes = whole
          bytes[index] ^= mask
          try rig.scratch.write(bytes, to: name)
          await rig.letGo()
          #expect(await rig.run(flow, .offline).error?.kind == .persistence, "byte \(index) ^ \(mask)")
        }
        try rig.scratch.write(whole[..<index], to: name)
        await rig.letGo()
        #expect(await rig.run(flow, .offline).error?.kind == .persistence, "cut to \(index)")
      }
      try rig.scratch.write(whole, to: name)
      await rig.letGo()
      #expect(await rig.run(flow, .offline).kept == 1)
    }
  }

  @Test func `what was damaged is fetched again and then used`() async throws {
    try await withResult { rig, flow in
      try rig.scratch.write(Array("{\"id\":9".utf8), to: "users.jsonl")
      let run = await rig.run(flow)
      #expect(run.source == .network)
      #expect(run.miss == .unreadable("users.jsonl was changed after it was written"))
      #expect(rig.result == Self.line)
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a file that nobody stamped is not used`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"Ann"}]"#)) { rig in
      try rig.scratch.write(Array("{\"id\":9,\"name\":\"Eve\"}\n".utf8), to: "users.jsonl")
      let run = await rig.run(try rig.flow())
      #expect(run.miss == .unreadable("it is unknown which request users.jsonl belongs to"))
      #expect(rig.result == Self.line)
    }
  }

  @Test func `a result that is gone is fetched again`() async throws {
    try await withResult { rig, flow in
      try FileManager.default.removeItem(atPath: rig.scratch.path("users.jsonl"))
      #expect(await rig.run(flow, .offline).message == "offline, and nothing persisted yet")
      #expect(await rig.run(flow).miss == .absent)
      #expect(rig.result == Self.line)
    }
  }

  @Test func `a result that was replaced by a link, a folder or a pipe is not followed`() async throws {
    for program in [["ln", "-s", "elsewhere.jsonl"], ["mkdir"], ["mkfifo"]] {
      try await withResult { rig, flow in
        let path = rig.scratch.path("users.jsonl")
        try FileManager.default.moveItem(atPath: path, toPath: rig.scratch.path("elsewhere.jsonl"))
        #expect(program.count == 1 ? run(program[0], path) == 0 : run(program[0], program[1], program[2], path) == 0)
        let offline = await rig.run(flow, .offline)
        #expect(offline.message.hasPrefix("offline, and the persisted result cannot be read: "), "\(program)")
        let online = await rig.run(flow)
        #expect(online.error?.kind == .persistence, "\(program)")
        #expect(rig.scratch.text("elsewhere.jsonl") == Self.line, "\(program)")
      }
    }
  }
}
