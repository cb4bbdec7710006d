import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Jobs that a server runs.
@Suite struct JobTests {
  /// The keys of a flow with a job, with further or other keys of `job`.
  static func keys(_ job: String = "", _ rest: String = "") -> String {
    let usual = [
      "id: response.id", "poll: \"/exports/{{ job.id }}\"", "done: response.state == 'done'",
      "download: \"/exports/{{ job.id }}/1\"", "remove: { method: DELETE, path: \"/exports/{{ job.id }}\" }",
    ]
    let own = job.split(separator: "\n").map(String.init)
    let names = Set(own.map { $0.prefix { $0 != ":" } })
    var lines = usual.filter { !names.contains($0.prefix { $0 != ":" }) } + own
    if names.contains("urls") { lines.removeAll { $0.hasPrefix("download:") } }
    if names.contains("url") { lines.removeAll { $0.hasPrefix("poll:") } }
    return """
      resource: { method: POST, path: /exports, body: { json: { of: users } } }
      job:
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      \(rest)
      """
  }

  static func with(_ server: JobServer = JobServer(), _ body: (Rig) async throws -> Void) async throws {
    try await Rig.with { rig in
      rig.answer { server.answer($0) }
      try await body(rig)
    }
  }

  private static func notes(_ rig: Rig) -> [String] { rig.scratch.names().filter { $0.hasPrefix(".reactor/jobs/") } }

  // MARK: - A job

  @Test func `a job is created, polled with growing waits, downloaded and deleted`() async throws {
    let server = JobServer(["queued", "running", "running", "done"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("wait: 2s\nmax_wait: 5s")))
      #expect(run.message == "")
      #expect(
        server.takeAsked() == ["POST /exports"] + Array(repeating: "GET /exports/j1", count: 4) + [
          "GET /exports/j1/1", "DELETE /exports/j1",
        ])
      #expect(rig.waits.all == [.seconds(2), .seconds(4), .seconds(5), .seconds(5)])
      #expect(run.events.contains(.waiting(.seconds(4))))
      #expect(rig.result == #"{"id":1,"name":"j1"}"# + "\n")
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `the server's Retry-After sets the next wait`() async throws {
    let server = JobServer()
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", ok(#"{"state":"queued"}"#, "Retry-After: 90"))
      let flow = try rig.flow(Self.keys("wait: 2s\nmax_wait: 5s\ndeadline: 3m"))
      #expect(await rig.run(flow).error?.key == "job.deadline")
      #expect(rig.waits.all == [.seconds(2), .seconds(90), .seconds(88)])
      let other = try rig.flow(Self.keys("wait: 40s\ndeadline: 1m", "retry: none"))
      #expect(await rig.run(other).error?.key == "job.deadline")
      #expect(Array(rig.waits.all.dropFirst(3)) == [.seconds(40), .seconds(20)])
    }
  }

  @Test func `several URLs are read in their order, from another origin without credentials`() async throws {
    let store = try ScriptedServer { request in
      ok(#"[{"id":\#(request.target.hasPrefix("/a") ? 1 : 2),"name":"x"}]"#)
    }
    defer { store.stop() }
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer(
        "GET /exports/JOB",
        ok(#"{"state":"done","urls":["\#(store.url)/a?signature=s1","\#(store.url)/b?signature=s2","/files/j1/7"]}"#))
      let flow = try rig.flow(
        Self.keys("urls: response.urls"), top: "secrets: [T]", http: "auth: { bearer: \"{{ secrets.T }}\" }",
        inputs: .init(secrets: ["T": Secret("token-1234")]))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(rig.result?.split(separator: "\n").map { $0.prefix(7) } == ["{\"id\":1", "{\"id\":2", "{\"id\":7"])
      #expect(store.requests.map(\.target) == ["/a?signature=s1", "/b?signature=s2"])
      #expect(store.requests.allSatisfy { $0["authorization"] == nil })
      #expect(rig.server.requests.allSatisfy { $0["authorization"] == "Bearer token-1234" })
      #expect(run.outcome?.pages == 3)
    }
  }

  @Test func `no URL, or something else, is an error`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(Self.keys("urls: response.urls"))
      for (value, found) in [
        ("[]", "found none"), ("null", "found null"), (#"["/a",7]"#, "found array"), (#"[""]"#, "found"),
      ] {
        server.answer("GET /exports/JOB", ok(#"{"state":"done","urls":\#(value)}"#))
        let run = await rig.run(flow)
        #expect(run.message.contains(found), "\(run.message)")
        #expect(run.error?.key == "job.urls")
      }
      server.answer("GET /exports/JOB", ok(#"{"state":"done","urls":"ftp://a.example/x"}"#))
      #expect(await rig.run(flow).message.contains("the scheme 'ftp'"))
      #expect(rig.result == nil)
    }
  }

  @Test func `a failed download says which one`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /files/JOB/2", answer("500 Oh No", "{}"))
      let run = await rig.run(try rig.flow(Self.keys("urls: response.urls")))
      #expect(
        run.message == "download 2 of 2: the server answered with status 500: {} (the next run goes on with job j1)")
      #expect(rig.result == nil)
    }
  }

  @Test func `a download has pages, decoding and the name of the last poll`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", ok(#"{"state":"done","file":"f9"}"#))
      server.answer("GET /files/JOB", answer("200 OK", "id,name\r\n1,a\r\n2,b\r\n"))
      let flow = try rig.flow(
        Self.keys(
          "download: { path: \"/files/{{ response.file }}\", query: { page: \"{{ page.number }}\" } }",
          "decode: csv\npages: { by: page, stop: page.number == 2, max: 5 }"))
      server.answer("GET /files/JOB", nil)
      rig.answer { request in
        request.target.hasPrefix("/files/")
          ? answer("200 OK", "id,name\r\n\(request.target.suffix(1)),a\r\n") : server.answer(request)
      }
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(rig.result == #"{"id":1,"name":"a"}"# + "\n" + #"{"id":2,"name":"a"}"# + "\n")
      #expect(
        rig.server.requests.map(\.target).filter { $0.hasPrefix("/files") } == ["/files/f9?page=1", "/files/f9?page=2"])
    }
  }

  @Test(arguments: [("headers.location", "location"), ("response.links.state", "link")])
  func `the server gives the URL of the state`(url: String, via: String) async throws {
    let server = JobServer(["running", "done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(Self.keys("url: \(url)"))
      #expect(await rig.run(flow).message == "")
      #expect(server.takeAsked().filter { $0.contains("?via=\(via)") }.count == 2)
    }
  }

  @Test func `further values of the first response are used later`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(
        Self.keys(
          "values: { region: response.region }\npoll: { path: \"/exports/{{ job.id }}\", query: { r: \"{{ job.region }}\" } }"
        ))
      #expect(await rig.run(flow).message == "")
      #expect(server.takeAsked()[1] == "GET /exports/j1?r=eu")
    }
  }

  @Test func `a response without an id is an error, and so is one with GraphQL errors`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("POST /exports", ok(#"{"id":null}"#))
      let run = await rig.run(try rig.flow(Self.keys()))
      #expect(run.message == "expected a text or a number as the job's id, found null")
      #expect(run.error?.key == "job.id")
      server.answer("POST /exports", ok(#"{"errors":[{"message":"no such field"}]}"#))
      let query = Self.keys().replacing("json: { of: users }", with: "graphql: { query: a }")
      let graph = try rig.flow(query)
      #expect(await rig.run(graph).message == "the request for a job: the response contains an error: no such field")
      let plain = try rig.flow(Self.keys())
      #expect(await rig.run(plain).error?.key == "job.id")
    }
  }

  // MARK: - How a job ends

  @Test func `a failed job fails the flow and is deleted`() async throws {
    let server = JobServer(["running", "failed"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("failed: response.state == 'failed'")))
      #expect(run.message.hasPrefix(#"job j1 has failed at the server: {"id":"j1","state":"failed""#))
      #expect(run.error?.key == "job.failed")
      #expect(server.takeAsked().last == "DELETE /exports/j1")
      #expect(rig.files == [])
    }
  }

  @Test func `an unknown state is an error if the known ones are declared`() async throws {
    let server = JobServer(["running", "paused"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("running: response.state == 'running'")))
      #expect(run.message.hasPrefix("job j1 is in a state for which no condition is true: "))
      #expect(server.takeAsked().suffix(2) == ["GET /exports/j1", "DELETE /exports/j1"])
      #expect(rig.files == [])
    }
  }

  @Test func `a poll that brings a page for people is named by its title`() async throws {
    let server = JobServer()
    server.answer("GET /exports/JOB", ok("<!doctype html><html><title>Please log in</title></html>"))
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys()))
      #expect(run.message.contains("the response is an HTML page: 'Please log in', not the state of a job"))
      #expect(rig.result == nil)
    }
  }

  @Test func `a rule for smaller pages is an error in a poll`() async throws {
    let server = JobServer()
    server.answer("GET /exports/JOB", FlowTesting.answer("500 Too Large", "{}"))
    try await Self.with(server) { rig in
      let flow = try rig.flow(
        Self.keys("", "retry: none"), top: "defaults: { errors: [{ when: status == 500, do: shrink }] }")
      #expect(await rig.run(flow).message.contains("the flow cannot request smaller pages"))
      #expect(rig.result == nil)
    }
  }

  @Test func `a job without a result gives no records`() async throws {
    let server = JobServer(["running", "nothing"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("empty: response.state == 'nothing'")))
      #expect(run.message == "")
      #expect(rig.result == "")
      #expect(server.takeAsked().suffix(2) == ["GET /exports/j1", "DELETE /exports/j1"])
      let strict = try rig.flow(Self.keys("empty: response.state == 'nothing'", "expect: { min: 1 }"))
      #expect(await rig.run(strict, .fresh).error != nil)
    }
  }

  @Test func `a job that does not end in time fails the flow, which names it and why`() async throws {
    let server = JobServer(["running"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("deadline: 1m\ndone: response.stat == 'done'")))
      #expect(run.error?.kind == .timeout)
      #expect(
        run.message.hasPrefix(
          "job j1 has not ended within 60 s after its creation; in the last response, 'response.stat == 'done'' has no value"
        ))
      #expect(rig.waits.all.reduce(.zero, +) == .seconds(60))
      #expect(server.takeAsked().last == "DELETE /exports/j1")
      #expect(rig.files == [])
    }
  }

  @Test func `a request after the last poll says where the result is`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB/urls", ok(#"{"files":[{"href":"/files/f/2"},{"href":"../j1/1"}]}"#))
      let keys = Self.keys("locate: \"/exports/{{ response.id }}/urls\"\nurls: response.files.map(x, x.href)")
      let flow = try rig.flow(keys)
      #expect(await rig.run(flow).message == "")
      #expect(
        server.takeAsked().dropFirst(2) == [
          "GET /exports/j1/urls", "GET /files/f/2", "GET /exports/j1/1", "DELETE /exports/j1",
        ])
      #expect(rig.result == #"{"id":2,"name":"f"}"# + "\n" + #"{"id":1,"name":"j1"}"# + "\n")
      #expect(
        flow.explanation.items.contains { $0.heading == "  locate" && $0.text.hasSuffix("/exports/{response.id}/urls") }
      )
    }
  }

  @Test func `a job whose URLs cannot be asked for is found again, and a rule can say that there are none`()
    async throws
  {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB/urls", answer("500 Oh No", "{}"))
      let keys = Self.keys("locate: \"/exports/{{ job.id }}/urls\"\nurls: response.files", "retry: none")
      #expect(
        await rig.run(try rig.flow(keys)).message
          == "the request for the URLs of job j1: the server answered with status 500: {} (the next run goes on with job j1)"
      )
      let rule = Self.keys(
        "locate: \"/exports/{{ job.id }}/urls\"\nurls: response.files",
        "retry: none\nerrors: [{ when: status == 500, do: skip }]")
      let run = await rig.run(try rig.flow(rule))
      #expect(run.message == "" && run.kept == 0)
      #expect(server.takeAsked().filter { $0 == "POST /exports" }.count == 1)
    }
  }

  @Test func `another request for the URLs gives another result`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /a", ok(#"{"files":["/files/f/1"]}"#))
      server.answer("GET /b", ok(#"{"files":["/files/f/2"]}"#))
      var runs: [FetchSource?] = []
      for locate in ["/a", "/a", "/b"] {
        runs.append(await rig.run(try rig.flow(Self.keys("locate: \(locate)\nurls: response.files"))).source)
      }
      #expect(runs == [.network, .persistence, .network])
      #expect(rig.result == #"{"id":2,"name":"f"}"# + "\n")
    }
  }

  private static let abort = "stop: { method: POST, path: \"/exports/{{ job.id }}/cancel\" }\n"

  @Test(arguments: [
    ("running", "deadline: 1m", ["POST /exports/j1/cancel", "DELETE /exports/j1"]),
    ("odd", "running: response.state == 'running'", ["POST /exports/j1/cancel", "DELETE /exports/j1"]),
    ("bad", "failed: response.state == 'bad'", ["GET /exports/j1", "DELETE /exports/j1"]),
    ("done", "deadline: 1m", ["GET /exports/j1/1", "DELETE /exports/j1"]),
    ("done", "resume: false\ndownload: /none", ["GET /none", "DELETE /exports/j1"]),
    ("odd", "resume: false\ndone: int(response.state) == 1", ["POST /exports/j1/cancel", "DELETE /exports/j1"]),
  ])
  func `only a job that is given up is stopped`(_ state: String, _ keys: String, _ last: [String]) async throws {
    let server = JobServer([state])
    try await Self.with(server) { rig in
      server.answer("POST /exports/JOB/cancel", ok("{}"))
      server.answer("GET /none", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys(Self.abort + keys))
      _ = await rig.run(flow)
      #expect(server.takeAsked().suffix(2) == last[...])
      #expect(
        flow.explanation.items.contains {
          $0.heading == "  stop" && $0.text.hasSuffix("cancel when the run gives up the job")
        })
    }
  }

  @Test func `a job that was left and is late now is stopped, and a failure of that is reported`() async throws {
    let server = JobServer(["running"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys(Self.abort + "deadline: 10m", "retry: none"))
      _ = await rig.run(flow)
      rig.clock.advance(by: .seconds(601))
      server.answer("GET /exports/JOB", nil)
      server.answer("POST /exports/JOB/cancel", answer("500 Oh No", "{}"))
      _ = server.takeAsked()
      let run = await rig.run(flow)
      #expect(server.takeAsked().prefix(3) == ["POST /exports/j1/cancel", "DELETE /exports/j1", "POST /exports"])
      #expect(
        run.warnings(.jobLeft).first
          == .server(
            "job j1 is given up and could not be stopped: the server answered with status 500: {}", status: 500))
    }
  }

  @Test func `a job that cannot be deleted is reported, and the flow passes`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("DELETE /exports/JOB", answer("500 Oh No", "{}"))
      let run = await rig.run(try rig.flow(Self.keys()))
      #expect(run.message == "")
      #expect(
        run.warnings(.jobLeft) == [
          .server("job j1 has ended and could not be deleted: the server answered with status 500: {}", status: 500)
        ])
      server.answer("DELETE /exports/JOB", answer("404 Not Found", "{}"))
      let second = await rig.run(try rig.flow(Self.keys()), .fresh)
      #expect(second.warnings(.jobLeft).isEmpty)
    }
  }

  @Test func `a rule can say that there are no records`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(Self.keys("", "errors: [{ when: status == 409, do: skip }]"))
      server.answer("POST /exports", answer("409 Conflict", "{}"))
      #expect(await rig.run(flow).message == "")
      #expect(rig.result == "")
      server.answer("POST /exports", nil)
      server.answer("GET /exports/JOB", answer("409 Conflict", "{}"))
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(server.takeAsked() == ["POST /exports", "POST /exports", "GET /exports/j1", "DELETE /exports/j1"])
    }
  }

  // MARK: - Another run

  @Test func `a job whose poll failed is found again by the next run`() async throws {
    let server = JobServer(["running", "done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys())
      let first = await rig.run(flow)
      #expect(
        first.message
          == "the poll of job j1: the server answered with status 500: {} (the next run goes on with job j1)")
      #expect(server.takeAsked() == ["POST /exports", "GET /exports/j1"])
      let note = try #require(Self.notes(rig).first)
      #expect(rig.scratch.text(note)?.contains(#""flow":"shop.users","id":"j1""#) == true)
      let mode = try FileManager.default.attributesOfItem(atPath: rig.scratch.path(note))[.posixPermissions] as? Int
      #expect(mode == 0o600)
      server.answer("GET /exports/JOB", nil)
      #expect(await rig.run(flow).message == "")
      #expect(server.takeAsked() == ["GET /exports/j1", "GET /exports/j1", "GET /exports/j1/1", "DELETE /exports/j1"])
      // A found job is polled at once.
      #expect(rig.waits.all == [.seconds(5), .seconds(5)])
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `a cancelled run leaves its job to the next one`() async throws {
    let server = JobServer(["running", "done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB/1", [.hold])
      let flow = try rig.flow(Self.keys())
      let first = Task { await rig.run(flow) }
      while !server.state.withLock({ $0.asked.contains("GET /exports/j1/1") }) { await Task.yield() }
      first.cancel()
      #expect(await first.value.error?.kind == .cancelled)
      #expect(server.takeAsked().last == "GET /exports/j1/1")
      #expect(Self.notes(rig).count == 1)
      await rig.letGo()
      server.answer("GET /exports/JOB/1", nil)
      let again = try rig.flow(Self.keys())
      #expect(await rig.run(again).message == "")
      #expect(server.takeAsked() == ["GET /exports/j1", "GET /exports/j1/1", "DELETE /exports/j1"])
      #expect(rig.result == #"{"id":1,"name":"j1"}"# + "\n")
    }
  }

  @Test func `half a download is stored nowhere, and the next run reads it whole`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let half = #"[{"id":1,"name":"a"},{"id":2,"#
      server.answer(
        "GET /exports/JOB/1",
        [.text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n\(half)"), .close])
      let flow = try rig.flow(Self.keys("", "retry: none"))
      #expect(await rig.run(flow).error != nil)
      #expect(rig.result == nil)
      server.answer("GET /exports/JOB/1", nil)
      #expect(await rig.run(flow).message == "")
      #expect(server.state.withLock { $0.created } == ["j1"])
    }
  }

  @Test func `half a zip file is an error, and the next run reads it whole`() async throws {
    let server = JobServer(["done"])
    let zip = try #require(Data(base64Encoded: Self.zip)).map { $0 }
    func file(_ bytes: [UInt8]) -> [ScriptedServer.Step] {
      [
        .text("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: \(bytes.count)\r\n\r\n"),
        .send(bytes),
      ]
    }
    try await Self.with(server) { rig in
      let flow = try rig.flow(Self.keys("", "decode: { unpack: zip, format: csv }"))
      server.answer("GET /exports/JOB/1", file(Array(zip.prefix(zip.count / 2))))
      #expect(await rig.run(flow).message.contains("the next run goes on with job j1"))
      #expect(rig.result == nil)
      server.answer("GET /exports/JOB/1", file(zip))
      #expect(await rig.run(flow).message == "")
      #expect(rig.result == #"{"id":1,"name":"a"}"# + "\n")
      #expect(server.state.withLock { $0.created } == ["j1"])
    }
  }

  @Test func `a job that the server has forgotten is created anew`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys())
      _ = await rig.run(flow)
      _ = server.takeAsked()
      server.answer("GET /exports/JOB", nil)
      rig.answer { request in
        request.target == "/exports/j1" && request.method == "GET"
          ? answer("404 Not Found", "{}") : server.answer(request)
      }
      #expect(await rig.run(flow).message == "")
      #expect(server.takeAsked() == ["POST /exports", "GET /exports/j2", "GET /exports/j2/1", "DELETE /exports/j2"])
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `a result that is gone is not looked for again`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB/1", answer("410 Gone", "{}"))
      let flow = try rig.flow(Self.keys())
      #expect(await rig.run(flow).error?.status == 410)
      #expect(Self.notes(rig) == [])
      #expect(server.takeAsked().last == "DELETE /exports/j1")
    }
  }

  @Test func `an expired job is deleted and another one created`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys("deadline: 10m"))
      _ = await rig.run(flow)
      _ = server.takeAsked()
      server.answer("GET /exports/JOB", nil)
      rig.clock.advance(by: .seconds(601))
      #expect(await rig.run(flow).message == "")
      #expect(
        server.takeAsked() == [
          "DELETE /exports/j1", "POST /exports", "GET /exports/j2", "GET /exports/j2/1", "DELETE /exports/j2",
        ])
    }
  }

  @Test func `another request has another job, and expired files are removed`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      _ = await rig.run(try rig.flow(Self.keys("deadline: 10m")))
      _ = await rig.run(try rig.flow(Self.keys("deadline: 10m").replacing("of: users", with: "of: orders")))
      #expect(server.state.withLock { $0.created } == ["j1", "j2"])
      #expect(Self.notes(rig).count == 2)
      rig.clock.advance(by: .seconds(601))
      _ = await rig.run(try rig.flow(Self.keys("deadline: 10m").replacing("of: users", with: "of: lines")))
      #expect(Self.notes(rig).count == 1)
      // An edit of the download keeps the job.
      server.answer("GET /exports/JOB", nil)
      let other = Self.keys("download: \"/exports/{{ job.id }}/2\"").replacing("of: users", with: "of: lines")
      let edited = try rig.flow(other)
      #expect(await rig.run(edited).message == "")
      #expect(server.state.withLock { $0.created.count } == 3)
      #expect(rig.result == #"{"id":2,"name":"j3"}"# + "\n")
    }
  }

  @Test(arguments: ["", "{}", #"{"version":1,"created_ms":1}"#, #"{"version":1,"id":"j1"#])
  func `a damaged file counts as none`(text: String) async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let flow = try rig.flow(Self.keys())
      _ = await rig.run(flow)
      try rig.scratch.write(text.utf8, to: try #require(Self.notes(rig).first))
      server.answer("GET /exports/JOB", nil)
      #expect(await rig.run(flow).message == "")
      #expect(server.state.withLock { $0.created } == ["j1", "j2"])
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `a job is not remembered if that is not wanted, or if it contains a secret`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      let forgetful = try rig.flow(Self.keys("resume: false"))
      #expect(await rig.run(forgetful).message == "the poll of job j1: the server answered with status 500: {}")
      #expect(server.takeAsked().last == "DELETE /exports/j1")
      rig.environment.secrets.add("key-123456")
      server.answer("POST /exports", ok(#"{"id":"j2","key":"key-123456"}"#))
      _ = await rig.run(try rig.flow(Self.keys("values: { key: response.key }")))
      #expect(server.takeAsked().last == "DELETE /exports/j2")
      #expect(rig.files == [])
    }
  }

  // MARK: - Many jobs

  @Test func `each parent has its own job, and no more jobs exist at once than allowed`() async throws {
    let server = JobServer(["running", "done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(
        Self.keys(
          "concurrency: 2\ndownload: \"/exports/{{ job.id }}/{{ value }}\"",
          "each: { values: [1, 2, 3, 4, 5, 6], concurrency: 6 }"
        ).replacing("of: users", with: "of: \"{{ value }}\""))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(rig.result?.split(separator: "\n").map { $0.prefix(7) } == (1...6).map { "{\"id\":\($0)" })
      #expect(server.state.withLock { $0.mostOpen } == 2)
      #expect(server.state.withLock { $0.created.count } == 6)
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `the jobs of a failed parent are found again, and the other ones are not asked for`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let keys = Self.keys(
        "download: \"/exports/{{ job.id }}/{{ value }}\"", "each: { values: [1, 2], concurrency: 1, on_error: fail }"
      ).replacing("of: users", with: "of: \"{{ value }}\"")
      server.answer("GET /exports/JOB/2", answer("500 Oh No", "{}"))
      let first = try rig.flow(keys)
      #expect(await rig.run(first).error != nil)
      _ = server.takeAsked()
      server.answer("GET /exports/JOB/2", nil)
      let second = try rig.flow(keys)
      #expect(await rig.run(second).message == "")
      #expect(server.takeAsked().filter { $0.hasPrefix("POST") }.count == 1)
      #expect(server.state.withLock { $0.created } == ["j1", "j2", "j3"])
    }
  }

  @Test func `equal requests of two parents have two jobs`() async throws {
    let server = JobServer(["running", "running", "done"])
    try await Self.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("", "each: { values: [1, 2, 3], concurrency: 3 }")))
      #expect(run.message == "")
      #expect(server.state.withLock { $0.created.count } == 3)
      #expect(rig.result?.split(separator: "\n").count == 3)
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `of two parents with equal requests, one goes on with the job that is found`() async throws {
    let server = JobServer(["running", "running", "done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", answer("500 Oh No", "{}"))
      _ = await rig.run(try rig.flow(Self.keys("", "each: { values: [1], on_error: fail }")))
      server.answer("GET /exports/JOB", nil)
      let run = await rig.run(try rig.flow(Self.keys("", "each: { values: [1, 2], concurrency: 2, on_error: fail }")))
      #expect(run.message == "")
      #expect(server.state.withLock { $0.created } == ["j1", "j2"])
      #expect(Self.notes(rig) == [])
    }
  }

  @Test func `a key in the query is not sent to another origin`() async throws {
    let store = try ScriptedServer { _ in ok(#"[{"id":1,"name":"x"}]"#) }
    defer { store.stop() }
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("GET /exports/JOB", ok(#"{"state":"done","urls":"\#(store.url)/a?signature=s1"}"#))
      let flow = try rig.flow(
        Self.keys("urls: response.urls"), top: "secrets: [T]",
        http: "auth: { api_key: { query: key, value: \"{{ secrets.T }}\" } }",
        inputs: .init(secrets: ["T": Secret("token-1234")]))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(store.requests.map(\.target) == ["/a?signature=s1"])
      #expect(rig.server.requests.allSatisfy { $0.target.contains("key=token-1234") })
    }
  }

  @Test func `a failed deletion is reported for parents too`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      server.answer("DELETE /exports/JOB", answer("500 Oh No", "{}"))
      let run = await rig.run(try rig.flow(Self.keys("", "each: { values: [1, 2] }")))
      #expect(run.message == "")
      #expect(run.warnings(.jobLeft).count == 2)
    }
  }

  @Test func `each slice of a cursor has its own job`() async throws {
    let server = JobServer(["done"])
    try await Self.with(server) { rig in
      let flow = try rig.flow(
        """
        schema: { key: id, fields: { id: integer, name: string } }
        persistence: { path: users.jsonl, mode: merge }
        cursor: { field: id, start: 0, end: 20, slice: 10 }
        """ + "\n"
          + Self.keys().replacing("of: users", with: "from: \"{{ cursor.start }}\", to: \"{{ cursor.end }}\""))
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(server.state.withLock { $0.created } == ["j1", "j2"])
      let bodies = rig.server.requests.filter { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(bodies == [#"{"from":0,"to":10}"#, #"{"from":10,"to":20}"#])
    }
  }

  // MARK: - Declarations

  @Test func `explain says what happens`() async throws {
    try await Self.with { rig in
      let flow = try rig.flow(
        Self.keys("failed: response.state == 'failed'\nwait: 10s\nconcurrency: 3\nurls: response.urls"))
      let text = flow.explanation.items.map { "\($0.heading): \($0.text)" }.joined(separator: "\n")
      for line in [
        "  job: id response.id, found again by the next run",
        "  poll: GET \(rig.server.url)/exports/{job.id}, first after 10 s, then after twice the wait, at most 60 s; 3600 s in all",
        "  state: failed when response.state == 'failed'; done when response.state == 'done'; else running",
        "  download: GET the URLs response.urls", "  remove: DELETE \(rig.server.url)/exports/{job.id}",
        "  at once: 3 jobs at the host",
      ] { #expect(text.contains(line), "\(text)") }
      #expect(flow.timeout == 7200)
    }
  }

  @Test func `parts that do not fit together are refused`() async throws {
    try await Rig.with { rig in
      let total = rig.compile(rig.text(Self.keys("urls: response.urls", "expect: { total: $.total }")))
      #expect(
        total.diagnostics.diagnostics.map(\.message) == [
          "'expect.total' is the number of records of one response, but 'urls' can give several responses"
        ])
      let sent = rig.compile(
        rig.text(
          Self.keys("", "each: { values: [1] }").replacing("json: { of: users }", with: "records: { format: json }")))
      #expect(
        sent.diagnostics.diagnostics.map(\.message).contains(
          "a request that sends the records of 'each' cannot create a job"))
      let page = rig.compile(
        rig.text(
          Self.keys("", "pages: { by: page, query: p }").replacing("of: users", with: "of: \"{{ page.number }}\"")))
      #expect(page.locations.contains { $0.hasPrefix("template.unknown-root") }, "\(page.locations)")
    }
  }

  /// A zip file with `a.csv`: `id,name`, `1,a`.
  private static let zip =
    "UEsDBBQAAAAAAAAAIVgRwGaDDgAAAA4AAAAFAAAAYS5jc3ZpZCxuYW1lDQoxLGENClBLAQIUAxQAAAAAAAAAIVgRwGaDDgAAAA4AAAAFAAAAAAAAAAAAAACAAQAAAABhLmNzdlBLBQYAAAAAAQABADMAAAAxAAAAAAA="
}
