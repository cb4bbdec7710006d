import FlowCompiler
import ReactorCore
import Testing
import TestSupport

/// From the second page on, the page that a `Link` header names is asked for while one is read, and never where that could be a request too many.
@Suite struct PageLookaheadTests {
  private static let usual = "records: $.data[*]\n"

  private static func page(_ number: Int) -> String {
    "{\"data\":[\((0..<3).map { "{\"id\":\(number * 3 + $0),\"name\":\"n\"}" }.joined(separator: ","))]}"
  }

  private static func number(_ request: ScriptedServer.Request) -> Int {
    Int(PagesTests.query(request)["page"] ?? "") ?? 0
  }

  private static func answer(_ number: Int, of count: Int, _ body: String? = nil) -> [ScriptedServer.Step] {
    let body = body ?? page(number)
    return number + 1 < count ? ok(body, "Link: <?page=\(number + 1)>; rel=next") : ok(body)
  }

  @Test func `a page is asked for before the one before it is whole`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let number = Self.number(request)
        var steps = Self.answer(number, of: 4)
        guard (1..<3).contains(number), case .send(let body)? = steps.popLast() else { return steps }
        // The end of the body comes when the next page was asked for, and not sooner.
        steps += [
          .send(body.dropLast(5)), .until { server in server.requests.contains { Self.number($0) == number + 1 } },
          .send(Array(body.suffix(5))),
        ]
        return steps
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link }"))
      #expect(run.message == "")
      #expect(run.outcome?.pages == 4)
      #expect(rig.server.requests.map(Self.number) == [0, 1, 2, 3])
      let ids = try #require(rig.result).split(separator: "\n").map { $0.prefix { $0 != "," } }
      #expect(ids == (0..<12).map { "{\"id\":\($0)" })
    }
  }

  @Test func `with a stop condition no page is asked for before it is wanted`() async throws {
    try await Rig.with { rig in
      rig.answer { Self.answer(Self.number($0), of: 9) }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link, stop: page.number == 2 }"))
      #expect(run.message == "")
      #expect(run.outcome?.pages == 2)
      #expect(rig.server.requests.map(Self.number) == [0, 1])
    }
  }

  @Test func `no page is asked for beyond the greatest number of pages`() async throws {
    try await Rig.with { rig in
      rig.answer { Self.answer(Self.number($0), of: 9) }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link, max: 2 }"))
      #expect(run.message.contains("more than 2 pages"))
      #expect(rig.server.requests.map(Self.number) == [0, 1])
    }
  }

  @Test func `a request that changes something is never sent ahead`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        Self.number(request) == 1 ? Self.answer(1, of: 3, "{\"data\":[{\"id\":\"x\"}]}") : Self.answer(0, of: 3)
      }
      let flow = try rig.flow(
        Self.usual + "prune: false\nresource: { method: POST, path: /users, body: { json: {} } }\npages: { by: link }")
      let run = await rig.run(flow)
      #expect(run.message.contains("page 2"))
      #expect(rig.server.requests.map(Self.number) == [0, 1])
    }
  }

  @Test func `what fails ends what was asked ahead`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        switch Self.number(request) {
        case 0: return Self.answer(0, of: 9)
        case 1: return Self.answer(1, of: 9, "{\"data\":[{\"id\":\"x\"}]}")
        default: return [.hold]
        }
      }
      let run = await rig.run(try rig.flow(Self.usual + "prune: false\npages: { by: link }"))
      #expect(run.error?.kind == .parser)
      #expect(rig.result == nil)
    }
  }

  @Test func `a page ahead that fails fails the flow at its number`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let number = Self.number(request)
        return number == 2 ? FlowCompilerTests.answer("404 Not Found", "{}") : Self.answer(number, of: 4)
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link }"))
      #expect(run.message.contains("page 3"))
      #expect(rig.result == nil)
    }
  }

  @Test func `a page ahead that fails cuts a pull that may be cut`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let number = Self.number(request)
        return number == 2 ? FlowCompilerTests.answer("404 Not Found", "{}") : Self.answer(number, of: 4)
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link, partial: keep }"))
      #expect(run.message == "")
      #expect(run.kept == 6)
    }
  }
}
