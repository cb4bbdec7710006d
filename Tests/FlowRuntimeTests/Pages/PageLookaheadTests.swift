import FlowRuntime
import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// From the second page on, the page that a `Link` header names is asked for before it is wanted, and never where that
/// could be a request too many.
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

  @Test func `pages are asked for once, in order and over one connection`() async throws {
    try await Rig.with { rig in
      rig.answer { Self.answer(Self.number($0), of: 12) }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link }"))
      #expect(run.message == "")
      #expect(run.outcome?.pages == 12)
      #expect(rig.server.requests.map(Self.number) == Array(0..<12))
      #expect(Set(rig.server.requests.map(\.connection)).count == 1)
      let ids = try #require(rig.result).split(separator: "\n").map { $0.prefix { $0 != "," } }
      #expect(ids == (0..<36).map { "{\"id\":\($0)" })
    }
  }

  @Test func `a page that cannot be read finds the next ones asked for`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        // The record that does not fit is only found when the page after it was asked for.
        guard Self.number(request) == 1 else { return Self.answer(Self.number(request), of: 9) }
        return Self.answer(1, of: 9, "{\"data\":[{\"id\":\"x\"}]}")
      }
      let run = await rig.run(try rig.flow(Self.usual + "prune: false\npages: { by: link }"))
      #expect(run.error?.kind == .parser)
      #expect(rig.server.requests.map(Self.number).starts(with: [0, 1]))
      // Four wait at most while one is read.
      #expect(rig.server.requests.count <= 6)
    }
  }

  @Test(arguments: [
    ("rate: { max: 1000/s }", ""), ("rate: { concurrency: 4 }", ""),
    ("", "\nerrors: [{ when: response.ok == false, do: stop }]"),
  ])
  func `where a rate or a rule has a say, a page is asked for when it is wanted`(
    _ http: String, _ keys: String
  ) async throws {
    try await Rig.with { rig in
      rig.answer { request in
        Self.answer(Self.number(request), of: 9, Self.number(request) == 1 ? "{\"data\":[{\"id\":\"x\"}]}" : nil)
      }
      let run = await rig.run(try rig.flow(Self.usual + "prune: false\npages: { by: link }\(keys)", http: http))
      #expect(run.message.contains("page 2"))
      #expect(rig.server.requests.map(Self.number) == [0, 1])
    }
  }

  @Test func `a server that wants a pause is not asked ahead`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        let number = Self.number(request)
        let body = number == 1 ? "{\"data\":[{\"id\":\"x\"}]}" : Self.page(number)
        return ok(body, "Link: <?page=\(number + 1)>; rel=next", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 0")
      }
      let run = await rig.run(try rig.flow(Self.usual + "prune: false\npages: { by: link }"))
      #expect(run.message.contains("page 2"))
      #expect(rig.server.requests.map(Self.number) == [0, 1])
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
        return number == 2 ? FlowTesting.answer("404 Not Found", "{}") : Self.answer(number, of: 4)
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
        return number == 2 ? FlowTesting.answer("404 Not Found", "{}") : Self.answer(number, of: 4)
      }
      let run = await rig.run(try rig.flow(Self.usual + "pages: { by: link, partial: keep }"))
      #expect(run.message == "")
      #expect(run.kept == 6)
    }
  }
}
