import FlowRuntime
import FlowTesting
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// A response that breaks off is requested again; its records are stored once.
@Suite struct CutPagesTests {
  private static func row(_ id: Int) -> String { "{\"id\":\(id),\"name\":\"\"}" }

  /// Answers with the bodies in turn; nil closes the connection in the middle of the one before it.
  private static func answer(_ rig: Rig, cut: String, at count: Int, then whole: String, times: Int = 1) {
    let turn = Mutex(0)
    rig.answer { _ in
      let number = turn.withLock {
        $0 += 1
        return $0
      }
      guard number <= times else { return ok(whole) }
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Length: \(cut.utf8.count)\r\n\r\n\(cut.prefix(count))"),
        .pause(milliseconds: 50), .close,
      ]
    }
  }

  @Test(arguments: ["out.jsonl", "out.json", "out.csv", "out.jsonl.gz"], [false, true])
  func `a page that is cut is requested again, and its records are stored once`(
    _ path: String, _ isLarge: Bool
  ) async throws {
    // Larger than what waits for the end of a page.
    let count = isLarge ? 120_000 : 100
    let body = "[\((1...count).map(Self.row).joined(separator: ","))]"
    try await Rig.with { rig in
      Self.answer(rig, cut: body, at: body.utf8.count - 20, then: body)
      let flow = try rig.flow("persistence: \(path)")
      let run = await rig.run(flow)
      #expect(run.message == "" && run.kept == count)
      #expect(rig.server.requests.count == 2)
      let read = await rig.run(flow, .offline)
      #expect(read.kept == count && read.message == "")
    }
  }

  @Test func `other records in the part that was stored already are an error`() async throws {
    let rows = (1...120_000).map(Self.row)
    let body = "[\(rows.joined(separator: ","))]"
    let other = "[\(([Self.row(0)] + rows).joined(separator: ","))]"
    try await Rig.with { rig in
      Self.answer(rig, cut: body, at: body.utf8.count - 20, then: other)
      let run = await rig.run(try rig.flow("persistence: out.jsonl"))
      #expect(run.message.contains("the server sent different records when the page was requested again"))
      #expect(rig.files == [])
    }
  }

  @Test func `a small page may have other records when it is requested again`() async throws {
    try await Rig.with { rig in
      Self.answer(rig, cut: "[\(Self.row(1)),\(Self.row(2))]", at: 24, then: "[\(Self.row(3))]")
      let run = await rig.run(try rig.flow("persistence: out.jsonl"))
      #expect(run.message == "" && run.kept == 1)
      #expect(rig.scratch.text("out.jsonl") == Self.row(3) + "\n")
    }
  }

  @Test func `text that ends early is requested again, and other text that is not JSON is not`() async throws {
    for (first, requests) in [
      ("[{\"id\":1,\"na", 2), ("[{\"id\":1,\"name\":\"\"", 2), ("[{\"id\":1 \"name\":\"\"}]", 1),
    ] {
      try await Rig.with { rig in
        let turn = Mutex(0)
        rig.answer { _ in
          turn.withLock {
            $0 += 1
            return $0
          } == 1 ? ok(first) : ok("[\(Self.row(1))]")
        }
        let run = await rig.run(try rig.flow(""))
        #expect((run.message == "") == (requests == 2), "\(run.message)")
        #expect(rig.server.requests.count == requests)
      }
    }
  }

  @Test func `a request that may not be sent twice is not sent again`() async throws {
    try await Rig.with { rig in
      Self.answer(rig, cut: "[\(Self.row(1))]", at: 5, then: "[]")
      let run = await rig.run(try rig.flow("resource: { method: POST, path: /r }"))
      #expect(run.message != "")
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test func `rejected records of a page that is cut are stored once`() async throws {
    let body = "[{\"id\":\"x\",\"name\":\"\"},\(Self.row(2)),\(Self.row(3))]"
    try await Rig.with { rig in
      Self.answer(rig, cut: body, at: body.utf8.count - 6, then: body)
      let run = await rig.run(try rig.flow("prune: true\npersistence: { path: out.jsonl }\nrejected: rejected.jsonl"))
      #expect(run.message == "" && run.kept == 2)
      #expect(rig.scratch.text("rejected.jsonl")?.split(separator: "\n").count == 1)
    }
  }
}
