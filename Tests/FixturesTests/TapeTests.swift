import Fixtures
import Foundation
import ReactorCore
import TestSupport
import Testing

@Suite struct TapeTests {
  private let base: FixtureBase

  init() throws { base = try FixtureBase(parsing: "http://127.0.0.1:8471") }

  private static func entry(
    _ line: String, _ body: String = "{}", status: Int = 200, occurrence: Int = 1, asked: String? = nil
  ) -> Cassette.Entry {
    let parts = line.split(separator: " ")
    return .init(
      request: RecordedRequest(
        method: String(parts[0]), url: "{{base}}" + parts[1], body: asked.map { Array($0.utf8) }),
      occurrence: occurrence, outcome: .response(RecordedResponse(status: status, body: Array(body.utf8))))
  }

  private static func tape(
    _ entries: [Cassette.Entry]?, _ mode: FlowTape.Mode = .none, _ matching: RequestMatching = RequestMatching()
  ) -> FlowTape {
    FlowTape(
      flow: "shop.refunds",
      cassette: entries.map {
        Cassette(flow: "shop.refunds", recordedAt: "2026-11-21T08:00:00Z", tool: "1", entries: $0)
      }, path: "fixtures/shop.refunds/cassette.yaml", mode: mode, matching: matching)
  }

  private func connection(
    _ tape: FlowTape, live: (any Connection)? = nil
  ) -> TapeConnection {
    TapeConnection(tape, base: base) { () throws(ReactorError) in
      guard let live else {
        Issue.record("a replay opened a connection")
        throw .noConnectivity
      }
      return live
    }
  }

  private static func get(_ path: String, _ query: [(String, String)] = []) -> Resource {
    Resource(path: path, method: .GET, query: query.map { .init($0.0, $0.1) })
  }

  @Test func `a served recording takes any signature that a client makes`() throws {
    let served = ServedTapes(
      [
        (
          Cassette(
            flow: "f", recordedAt: "x", tool: "1",
            entries: [
              Cassette.Entry(
                request: RecordedRequest(method: "GET", url: "{{base}}/d?id=1&sig={{secret:derived}}"),
                outcome: .response(RecordedResponse(status: 200, body: Array("[]".utf8))))
            ]), "c", RequestMatching()
        )
      ], faults: [], secrets: [:])
    func status(_ target: String) throws -> Int {
      served.reply(
        method: "GET", target: target, headers: [], body: [], base: try FixtureBase(parsing: "http://127.0.0.1:1")
      ).status
    }
    #expect(try status("/d?id=1&sig=0123abc") == 200)
    #expect(try status("/d?id=2&sig=0123abc") == 404)
  }

  @Test func `a replay responses in order of occurrence and opens nothing`() async throws {
    let tape = Self.tape([
      Self.entry("GET /a", "one"), Self.entry("GET /a", "two {{base}}/x", status: 503, occurrence: 2),
      Self.entry("GET /b?x=1&y=2", "b"),
    ])
    let connection = connection(tape)
    #expect(try await connection.response(for: Self.get("/a")).body.collect(upTo: 99) == Array("one".utf8))
    let second = try await connection.response(for: Self.get("/a"))
    #expect(second.status == 503)
    #expect(second.url == "http://127.0.0.1:8471/a")
    #expect(try await second.body.collect(upTo: 99) == Array("two http://127.0.0.1:8471/x".utf8))
    #expect(tape.unused == [3])
    _ = try await connection.response(for: Self.get("/b", [("y", "2"), ("x", "1")]))
    #expect(tape.unused.isEmpty)
    #expect(
      FlowDecisions.requests(of: tape) == [
        "GET {{base}}/a -> 200", "GET {{base}}/a #2 -> 503", "GET {{base}}/b?x=1&y=2 -> 200",
      ])
    let error = await #expect(throws: ReactorError.self) { try await connection.response(for: Self.get("/a")) }
    #expect(error?.message.contains("asked 3 times, recorded twice") ?? false)
    #expect(tape.misses.first?.lines.contains { $0.contains("match.repeat: true") } ?? false)
  }

  @Test func `the last recording is repeated where that is allowed`() async throws {
    let tape = Self.tape(
      [Self.entry("GET /a", "one"), Self.entry("GET /a", "two", occurrence: 2)], .none, RequestMatching(repeats: true))
    let connection = connection(tape)
    for expected in ["one", "two", "two", "two"] {
      #expect(try await connection.response(for: Self.get("/a")).body.collect(upTo: 9) == Array(expected.utf8))
    }
  }

  static let misses: [(name: String, resource: Resource, differs: String, says: [String])] = [
    (
      "query", get("/refunds", [("cursor", "b2"), ("limit", "50")]), "query",
      [
        "query     - limit=100   + limit=50", "match.ignore_query: [limit]",
        "entry 3 of fixtures/shop.refunds/cassette.yaml",
      ]
    ), ("path", get("/refund"), "path", ["path      - {{base}}/refunds", "+ {{base}}/refund"]),
    ("method", Resource(path: "/refunds", method: .DELETE), "method", ["method    - GET   + DELETE"]),
    (
      "body", Resource(path: "/search", method: .POST, body: Array("{\"q\":{\"size\":20,\"text\":\"x\"}}".utf8)),
      "body",
      ["body      $.q.size  - 10   + 20", "match.body: false"]
    ), ("extra parameter", get("/refunds", [("debug", "1")]), "query", ["query     + debug=1"]),
    ("missing parameter", get("/refunds", [("cursor", "b2")]), "query", ["query     + cursor=b2"]),
  ]

  @Test(arguments: misses.indices)
  func `a miss names the closest recording, what differs and the remedy`(_ index: Int) async throws {
    let (name, resource, differs, says) = Self.misses[index]
    let tape = Self.tape([
      Self.entry("GET /refunds"), Self.entry("GET /refunds?cursor=b2&limit=100"),
      Self.entry("GET /other/thing/entirely"),
      Self.entry("POST /search", asked: "{\"q\":{\"size\":10,\"text\":\"x\"}}"),
    ])
    let error = await #expect(throws: ReactorError.self) { try await connection(tape).response(for: resource) }
    #expect(error?.kind == .fixture)
    let lines = tape.misses.first?.lines ?? []
    #expect(lines.first?.contains("differs in \(differs)") ?? false, "\(name): \(lines)")
    #expect(lines.count <= 31)
    for text in says { #expect(lines.contains { $0.contains(text) }, "\(name): \(text) in \(lines)") }
    #expect(lines.last?.contains("reactor record -s shop.refunds --record new") ?? false)
  }

  @Test func `a miss with many differences is short and counts the rest`() async throws {
    let members = (0..<200).map { "\"field\($0)\":\($0)" }.joined(separator: ",")
    let others = (0..<200).map { "\"field\($0)\":\($0 + 1)" }.joined(separator: ",")
    let tape = Self.tape([Self.entry("POST /a", asked: "{\(members)}")])
    let resource = Resource(path: "/a", method: .POST, body: Array("{\(others)}".utf8))
    _ = await #expect(throws: ReactorError.self) { try await connection(tape).response(for: resource) }
    let lines = tape.misses.first?.lines ?? []
    #expect(lines.count == 31)
    #expect(lines.contains { $0.contains("and 174 more differences") }, "\(lines)")
  }

  @Test func `without a cassette a miss says how to make one`() async throws {
    let tape = Self.tape(nil)
    _ = await #expect(throws: ReactorError.self) { try await connection(tape).response(for: Self.get("/a")) }
    #expect(tape.misses.first?.lines.last == "fix       reactor record -s shop.refunds")
  }

  @Test func `a recording holds what was said, without what varies`() async throws {
    let tape = FlowTape(
      flow: "f.g", cassette: nil, path: "x", mode: .all, secrets: { ["TOKEN": "s3cr3t-value"] })
    let live = StubConnection { _ in
      Response(
        status: 200,
        headers: Headers([
          .init("Date", "now"), .init("X-B", "2"), .init("Content-Encoding", "gzip"), .init("Content-Length", "195"),
          .init("Set-Cookie", "a=b"), .init("Link", "<http://127.0.0.1:8471/a?p=2>; rel=next"),
          .init("X-A", "s3cr3t-value"),
        ]), url: "http://127.0.0.1:8471/a", body: ResponseBody(bytes: Array("{\"t\":\"s3cr3t-value\"}".utf8)))
    }
    let connection = connection(tape, live: live)
    let answer = try await connection.response(for: Self.get("/a"))
    #expect(try await answer.body.collect(upTo: 99) == Array("{\"t\":\"s3cr3t-value\"}".utf8))
    let cassette = try tape.recorded(tool: "1", now: "2026-11-21T08:00:00Z", keepsUnused: false)
    #expect(
      cassette.entries == [
        .init(
          request: RecordedRequest(method: "GET", url: "{{base}}/a"),
          outcome: .response(
            RecordedResponse(
              status: 200,
              headers: [
                .init("Link", "<{{base}}/a?p=2>; rel=next"), .init("X-A", "{{secret:TOKEN}}"), .init("X-B", "2"),
              ], transport: .init(encoding: "gzip", wireLength: "195"), body: Array("{\"t\":\"{{secret:TOKEN}}\"}".utf8)
            )))
      ])
  }

  @Test func `failures are recorded and replayed`() async throws {
    let recording = Self.tape(nil, .all)
    let live = StubConnection { _ in
      throw ReactorError(.timeout, "no response from 127.0.0.1:8471 within 2 s")
    }
    _ = await #expect(throws: ReactorError.self) {
      try await connection(recording, live: live).response(for: Self.get("/a"))
    }
    let cassette = try recording.recorded(tool: "1", now: "x", keepsUnused: false)
    #expect(
      cassette.entries.first?.outcome == .failure(kind: "timeout", message: "no response from {{base|host}} within 2 s")
    )
    let tape = Self.tape(cassette.entries)
    let error = await #expect(throws: ReactorError.self) {
      try await connection(tape).response(for: Self.get("/a"))
    }
    #expect(error == ReactorError(.timeout, "no response from 127.0.0.1:8471 within 2 s"))
  }

  @Test func `new records only what is missing`() async throws {
    let tape = Self.tape([Self.entry("GET /a", "old"), Self.entry("GET /gone", "g")], .new)
    let live = StubConnection { _ in
      Response(status: 201, body: ResponseBody(bytes: Array("fresh".utf8)))
    }
    let connection = connection(tape, live: live)
    #expect(try await connection.response(for: Self.get("/a")).body.collect(upTo: 9) == Array("old".utf8))
    #expect(try await connection.response(for: Self.get("/b")).status == 201)
    let lines = try tape.recorded(tool: "1", now: "x", keepsUnused: true).entries.map(\.request.line)
    #expect(lines == ["GET {{base}}/a", "GET {{base}}/b", "GET {{base}}/gone"])
    #expect(try tape.recorded(tool: "1", now: "x", keepsUnused: false).entries.count == 2)
  }

  @Test func `once records a flow without a cassette and replays one with`() async throws {
    let live = StubConnection { _ in Response(status: 201, body: ResponseBody(bytes: [])) }
    #expect(try await connection(Self.tape(nil, .once), live: live).response(for: Self.get("/a")).status == 201)
    let tape = Self.tape([Self.entry("GET /a")], .once)
    #expect(try await connection(tape).response(for: Self.get("/a")).status == 200)
    _ = await #expect(throws: ReactorError.self) { try await connection(tape).response(for: Self.get("/b")) }
  }
}
