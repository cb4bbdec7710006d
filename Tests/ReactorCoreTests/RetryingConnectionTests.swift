import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite struct RetryingConnectionTests {
  private let clock = PatientClock()

  /// Responses in turn; the last one again and again.
  private func server(_ answers: @escaping @Sendable (Int) throws -> Response) -> StubConnection {
    let count = Mutex(0)
    return StubConnection { _ in
      try answers(
        count.withLock { count in
          count += 1
          return count
        })
    }
  }

  private static func answer(_ status: Int, _ headers: Headers = Headers(), _ body: String = "") -> Response {
    Response(status: status, headers: headers, body: ResponseBody(bytes: Array(body.utf8)))
  }

  @Test func `503 then 200 is one response and one retry`() async throws {
    let events = Mutex<[FlowEvent]>([])
    let server = server { $0 == 1 ? Self.answer(503) : Self.answer(200, [:], "hello") }
    let connection = RetryingConnection(
      server, patience: clock.patience, instruments: clock.instruments { event in events.withLock { $0.append(event) } }
    )
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    #expect(response.status == 200)
    #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
    #expect(try await response.body.next() == nil)
    #expect(server.requests.count == 2)
    #expect(clock.waits == [.milliseconds(500)])
    #expect(
      events.withLock { $0 } == [.retrying(attempt: 1, reason: .status(503), wait: .milliseconds(500))])
  }

  @Test func `the last response is returned as it is`() async throws {
    let server = server { _ in Self.answer(503, ["X-Try": "yes"], "busy") }
    let connection = RetryingConnection(server, patience: clock.patience, instruments: clock.instruments())
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    #expect(response.status == 503)
    #expect(try await response.body.collect(upTo: 100) == Array("busy".utf8))
    #expect(server.requests.count == 3)
    #expect(clock.waits == [.milliseconds(500), .seconds(1)])
  }

  @Test(arguments: [Resource.Method.POST, .PATCH])
  func `what may not be repeated is sent once`(method: Resource.Method) async throws {
    let server = server { _ in Self.answer(503) }
    let connection = RetryingConnection(server, patience: clock.patience, instruments: clock.instruments())
    #expect(try await connection.response(for: Resource(path: "/", method: method)).status == 503)
    #expect(server.requests.count == 1)
    var policy = RetryPolicy()
    policy.isIdempotent = true
    let willing = RetryingConnection(
      server, policy: policy, patience: clock.patience, instruments: clock.instruments())
    #expect(try await willing.response(for: Resource(path: "/", method: method)).status == 503)
    #expect(server.requests.count == 4)
  }

  @Test func `a connection that breaks before the body has begun is tried again`() async throws {
    let server = server { number in
      switch number {
      case 1: throw ReactorError.broken
      case 2: Response(status: 200, body: ResponseBody(BrokenBody(after: [])))
      default: Response(status: 200, body: ResponseBody(BrokenBody(after: ["a"])))
      }
    }
    let connection = RetryingConnection(server, patience: clock.patience, instruments: clock.instruments())
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    #expect(server.requests.count == 3)
    #expect(try await response.body.next() == Array("a".utf8))
    // From here on it is the reader's.
    await #expect(throws: ReactorError.broken) { try await response.body.next() }
    #expect(server.requests.count == 3)
  }

  @Test func `an error that stays is thrown after the last try`() async throws {
    let server = server { _ in throw ReactorError.broken }
    let connection = RetryingConnection(server, patience: clock.patience, instruments: clock.instruments())
    await #expect(throws: ReactorError.broken) {
      try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(server.requests.count == 3)
  }

  @Test func `a wait that would pass the deadline fails at once and says so`() async throws {
    let server = server { _ in Self.answer(429, ["Retry-After": "30"]) }
    let connection = RetryingConnection(
      server, deadline: clock.now + .seconds(20), patience: clock.patience, instruments: clock.instruments())
    let error = await #expect(throws: ReactorError.self) {
      try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.kind == .timeout)
    #expect(error?.status == 429)
    #expect(
      error?.message
        == "the server answered with status 429; a wait of 30 s before the next try would exceed the flow's deadline")
    #expect(clock.waits == [])
  }

  @Test func `cancelling ends the wait at once`() async throws {
    let begun = Latch()
    let server = server { _ in Self.answer(503) }
    let connection = RetryingConnection(
      server,
      patience: Patience(
        delay: Delay { (_) async throws(ReactorError) in
          begun.open()
          try await Delay.real.wait(.seconds(3600))
        }))
    let task = Task { try await connection.response(for: Resource(path: "/", method: .GET)) }
    await begun.wait()
    task.cancel()
    await #expect(throws: ReactorError.cancelled) { _ = try await task.value }
    #expect(server.requests.count == 1)
  }

  @Test func `a 429 and a used-up limit hold back the other flows of the host`() async throws {
    let budget = clock.budget()
    let server = server { number in
      switch number {
      case 1: Self.answer(200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "40"])
      case 2: Self.answer(429, ["Retry-After": "5"])
      default: Self.answer(200, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "40"])
      }
    }
    let events = Mutex<[FlowEvent]>([])
    let instruments = clock.instruments { event in events.withLock { $0.append(event) } }
    let one = RetryingConnection(server, budget: budget, patience: clock.patience, instruments: instruments)
    let other = RetryingConnection(
      server, policy: .none, budget: budget, patience: clock.patience, instruments: instruments)
    #expect(try await one.response(for: Resource(path: "/1", method: .GET)).status == 200)
    #expect(clock.waits == [])
    // Held for 40 s by the first response, and then refused.
    #expect(try await other.response(for: Resource(path: "/2", method: .GET)).status == 429)
    #expect(clock.waits == [.seconds(40)])
    // Held for 5 s by the second response, although that was another connection's.
    #expect(try await one.response(for: Resource(path: "/3", method: .GET)).status == 200)
    #expect(clock.waits == [.seconds(40), .seconds(5)])
    #expect(events.withLock { $0 } == [.waiting(.seconds(40)), .waiting(.seconds(5))])
    #expect(try await one.response(for: Resource(path: "/4", method: .GET)).status == 200)
    #expect(clock.waits.count == 2)
  }
}

/// A body whose connection breaks after some chunks.
private actor BrokenBody: ByteSource {
  private var chunks: ArraySlice<String>

  init(after chunks: [String]) { self.chunks = chunks[...] }

  func next() async throws(ReactorError) -> [UInt8]? {
    guard let chunk = chunks.popFirst() else { throw .broken }
    return Array(chunk.utf8)
  }

  nonisolated func cancel() {}
}
