import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Synchronization
import TestSupport
import Testing

/// Jobs that are created after one that failed.
@Suite struct JobRetryTests {
  private static func keys(_ retry: String, _ job: String = "", _ rest: String = "") -> String {
    JobTests.keys(
      "failed: response.state == 'failed'\nretry: \(retry)" + (job.isEmpty ? "" : "\n" + job), rest)
  }

  private static func notes(_ rig: Rig) -> [String] { rig.scratch.names().filter { $0.hasPrefix(".reactor/jobs/") } }

  private static func server(_ own: [String: [String]], _ others: [String] = ["done"]) -> JobServer {
    let server = JobServer(others)
    server.own.withLock { $0 = own }
    return server
  }

  // MARK: - A run

  @Test func `a failed job is deleted, and another one is created after the wait`() async throws {
    let server = Self.server(["j1": ["running", "failed"]])
    try await JobTests.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("{ max: 2, wait: 5m }")))
      #expect(run.message == "")
      #expect(
        server.takeAsked() == [
          "POST /exports", "GET /exports/j1", "GET /exports/j1", "DELETE /exports/j1", "POST /exports",
          "GET /exports/j2", "GET /exports/j2/1", "DELETE /exports/j2",
        ])
      #expect(rig.waits.all == [.seconds(5), .seconds(10), .seconds(300), .seconds(5)])
      #expect(run.events.contains(.retrying(attempt: 1, reason: .job, wait: .seconds(300))))
      #expect(rig.result == #"{"id":1,"name":"j2"}"# + "\n" && Self.notes(rig) == [])
    }
  }

  @Test(arguments: [(2, "2 jobs"), (1, "1 job")])
  func `when the last job fails too, the flow fails, and the next run begins again`(_ max: Int, _ words: String)
    async throws
  {
    let server = Self.server([:], ["failed"])
    try await JobTests.with(server) { rig in
      let flow = try rig.flow(Self.keys("\(max)"))
      let run = await rig.run(flow)
      #expect(run.error?.key == "job.failed" && run.error?.kind == .server)
      #expect(
        run.message.hasPrefix("job j\(max + 1) has failed at the server: {")
          && run.message.hasSuffix(" (\(words) before it failed too)"), "\(run.message)")
      #expect(server.takeAsked().filter { $0.hasPrefix("DELETE") }.count == max + 1)
      #expect(rig.files == [])
      _ = await rig.run(flow)
      #expect(server.state.withLock { $0.created.count } == 2 * (max + 1))
    }
  }

  @Test func `a job that is late or in an unknown state is the last one`() async throws {
    for (job, key) in [("deadline: 1m", "job.deadline"), ("running: response.state == 'queued'", "job.running")] {
      let server = Self.server([:], ["paused"])
      try await JobTests.with(server) { rig in
        let declared = try rig.flow(Self.keys("3", job))
        #expect(await rig.run(declared).error?.key == key)
        #expect(server.state.withLock { $0.created } == ["j1"] && rig.files == [])
      }
    }
  }

  @Test func `each job has its own deadline, and the flow has time for all`() async throws {
    let server = Self.server(["j1": ["failed"]])
    try await JobTests.with(server) { rig in
      let run = await rig.run(try rig.flow(Self.keys("{ max: 1, wait: 30s }", "wait: 50s\ndeadline: 1m")))
      #expect(run.message == "" && rig.waits.all == [.seconds(50), .seconds(30), .seconds(50)])
      let flow = try rig.flow(Self.keys("{ max: 2, wait: 5m }"))
      #expect(flow.timeout == 3600 + 3 * 3600 + 2 * 300)
      let line = flow.explanation.items.first { $0.heading == "  more jobs" }?.text
      #expect(line == "at most 2 after one that failed, each after 300 s")
    }
  }

  @Test func `without memory the jobs follow each other too`() async throws {
    let server = Self.server(["j1": ["failed"]])
    try await JobTests.with(server) { rig in
      let declared = try rig.flow(Self.keys("1", "resume: false"))
      #expect(await rig.run(declared).message == "")
      #expect(server.state.withLock { $0.created } == ["j1", "j2"])
    }
  }

  @Test func `a later job has another idempotency key`() async throws {
    let server = Self.server(["j1": ["failed"]])
    try await JobTests.with(server) { rig in
      let keys = Self.keys("1").replacing("body: {", with: "idempotency: { header: X-Key, key: k1 }, body: {")
      let declared = try rig.flow(keys)
      #expect(await rig.run(declared).message == "")
      #expect(rig.server.requests.filter { $0.method == "POST" }.map { $0["x-key"] } == ["k1", "k1-2"])
    }
  }

  @Test func `a failed job takes no place while the next one is waited for`() async throws {
    let server = Self.server(["j1": ["running", "running", "failed"]])
    try await JobTests.with(server) { rig in
      let keys = Self.keys("1", "concurrency: 1", "each: { values: [1, 2], concurrency: 2 }")
        .replacing("of: users", with: "of: \"{{ value }}\"")
      let declared = try rig.flow(keys)
      #expect(await rig.run(declared).message == "")
      let sent = rig.server.requests.filter { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(sent.count == 3 && sent.first == sent.last && sent[0] != sent[1], "\(sent)")
      #expect(server.state.withLock { $0.mostOpen } == 1 && Self.notes(rig) == [])
    }
  }

  // MARK: - Another run

  /// Cancels a run when a request is sent to which the server does not respond.
  private static func interrupt(_ flow: DeclaredFlow, _ rig: Rig, _ server: JobServer, at request: String) async {
    let run = Task { await rig.run(flow) }
    while !server.state.withLock({ $0.asked.contains(request) }) { await Task.yield() }
    run.cancel()
    #expect(await run.value.error?.kind == .cancelled)
    await rig.letGo()
  }

  @Test func `a run that ends between two jobs is continued after the rest of the wait`() async throws {
    let server = Self.server(["j1": ["failed"]])
    try await JobTests.with(server) { rig in
      server.answer("DELETE /exports/JOB", [.hold])
      await Self.interrupt(
        try rig.flow(Self.keys("{ max: 1, wait: 5m }")), rig, server, at: "DELETE /exports/j1")
      let note = try #require(Self.notes(rig).first)
      #expect(rig.scratch.text(note)?.contains("\"failed_ms\":") ?? false)
      server.answer("DELETE /exports/JOB", nil)
      _ = server.takeAsked()
      rig.clock.advance(by: .seconds(100))
      let declared = try rig.flow(Self.keys("{ max: 1, wait: 5m }"))
      #expect(await rig.run(declared).message == "")
      #expect(
        server.takeAsked() == ["POST /exports", "GET /exports/j2", "GET /exports/j2/1", "DELETE /exports/j2"])
      #expect(rig.waits.all == [.seconds(5), .seconds(200), .seconds(5)] && Self.notes(rig) == [])
    }
  }

  @Test func `the next run creates no more jobs than are left`() async throws {
    let server = Self.server([:], ["failed"])
    try await JobTests.with(server) { rig in
      // The second job is found again; it is the last but one.
      server.own.withLock { $0["j2"] = ["running", "failed"] }
      let isHeld = Latch()
      rig.answer { request in
        let steps = server.answer(request)
        return request.target == "/exports/j2" && request.method == "GET" && !isHeld.value ? [.hold] : steps
      }
      await Self.interrupt(try rig.flow(Self.keys("2")), rig, server, at: "GET /exports/j2")
      isHeld.value = true
      let run = await rig.run(try rig.flow(Self.keys("2")))
      #expect(run.message.hasPrefix("job j3 ") && run.message.hasSuffix(" (2 jobs before it failed too)"))
      #expect(server.state.withLock { $0.created } == ["j1", "j2", "j3"] && Self.notes(rig) == [])
    }
  }

  @Test func `a request for another job that fails is sent again by the next run`() async throws {
    let server = Self.server(["j1": ["failed"], "j2": ["failed"]])
    try await JobTests.with(server) { rig in
      let isDown = Latch()
      rig.answer { request in
        if request.method == "POST", isDown.value { return answer("500 Oh No", "{}") }
        if request.method == "DELETE" { isDown.value = true }
        return server.answer(request)
      }
      let declared = try rig.flow(Self.keys("1"))
      #expect(await rig.run(declared).error?.status == 500)
      #expect(Self.notes(rig).count == 1)
      isDown.value = false
      let run = await rig.run(try rig.flow(Self.keys("1")))
      #expect(run.message.hasSuffix("(1 job before it failed too)") && Self.notes(rig) == [])
    }
  }

  @Test func `a failed job that is old, or after which none follows, does not count`() async throws {
    for (retry, later) in [("3", Duration.seconds(3700)), ("", .seconds(1))] {
      let server = Self.server(["j1": ["failed"]])
      try await JobTests.with(server) { rig in
        server.answer("DELETE /exports/JOB", [.hold])
        await Self.interrupt(try rig.flow(Self.keys("3")), rig, server, at: "DELETE /exports/j1")
        server.answer("DELETE /exports/JOB", nil)
        rig.clock.advance(by: later)
        let waits = rig.waits.all.count
        let keys = retry.isEmpty ? JobTests.keys("failed: response.state == 'failed'") : Self.keys(retry)
        let declared = try rig.flow(keys)
        #expect(await rig.run(declared).message == "")
        #expect(Array(rig.waits.all.dropFirst(waits)) == [.seconds(5)])
        #expect(server.state.withLock { $0.created } == ["j1", "j2"] && Self.notes(rig) == [])
      }
    }
  }

  @Test func `a job after which there are no records leaves no file`() async throws {
    let server = Self.server(["j1": ["failed"]])
    try await JobTests.with(server) { rig in
      rig.answer { request in
        let created = server.state.withLock { $0.created.count }
        return request.method == "POST" && created == 1 ? answer("409 Conflict", "{}") : server.answer(request)
      }
      let flow = try rig.flow(Self.keys("1", "", "errors: [{ when: status == 409, do: skip }]"))
      #expect(await rig.run(flow).message == "" && rig.result == "")
      #expect(Self.notes(rig) == [])
    }
  }
}
