import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct NetworkTests {
  @Test func `R-012 a 200 of 15 bytes arrives once, whole, off the caller`() async throws {
    let seenOnCaller = Mutex<Bool?>(nil)
    let connection = StubConnection { _ in
      seenOnCaller.withLock { $0 = CallerActor.isCurrent }
      return Response(status: 200, body: ResponseBody(bytes: Array("fifteen bytes !".utf8)))
    }
    let network = Network(connection: connection, reachability: StubReachability(true))
    let response = try await CallerActor().response(for: .articles, from: network)
    #expect(response.status == 200)
    #expect(try await response.body.next()?.count == 15)
    #expect(try await response.body.next() == nil)
    #expect(try await response.body.next() == nil)
    #expect(seenOnCaller.withLock { $0 } == false)
    #expect(connection.requests.count == 1)
    #expect(network.openConnections == 0)
  }

  @Test func `R-013 unreachable means no connectivity and no request`() async {
    let connection = StubConnection(body: "[]")
    let network = Network(connection: connection, reachability: StubReachability(false))
    await #expect(throws: ReactorError.noConnectivity) { try await network.response(for: .articles) }
    #expect(connection.requests.isEmpty)
  }

  @Test func `R-014 a transport error comes through as it is`() async {
    let error = ReactorError.server("connection reset by peer")
    let network = Network(connection: StubConnection(failing: error))
    await #expect(throws: error) { try await network.response(for: .articles) }
  }

  @Test func `R-015 the error of a modifier is the error`() async {
    let refusal = ReactorError.server("refused by the modifier", status: 302)
    let modifier = ResponseModifier { (response) async throws(ReactorError) -> Response in
      if (200...300).contains(response.status) { return response }
      throw refusal
    }
    let network = Network(connection: StubConnection(status: 302, body: "moved"), responseModifier: modifier)
    await #expect(throws: refusal) { try await network.response(for: .articles) }
  }

  @Test(arguments: [100, 199, 300, 301, 304, 400, 401, 404, 429, 500, 503, 999])
  func `a status outside 200 to 299 is an error with its status`(_ status: Int) async {
    let network = Network(connection: StubConnection(status: status, body: "no\r\n  such \u{1B}[31m thing"))
    await #expect(
      throws: ReactorError.server("the server answered with status \(status): no such [31m thing", status: status)
    ) { try await network.response(for: .articles) }
    #expect(network.openConnections == 0)
  }

  @Test(arguments: [200, 201, 204, 206, 299])
  func `a status from 200 to 299 passes`(_ status: Int) async throws {
    let network = Network(connection: StubConnection(status: status, body: "[]"))
    #expect(try await network.response(for: .articles).status == status)
  }

  @Test func `a modifier can accept what would be refused, and change it`() async throws {
    let network = Network(connection: StubConnection(status: 404, body: "[1]"), responseModifier: .passThrough)
    let response = try await network.response(for: .articles)
    #expect(response.status == 404)
    #expect(try await response.body.collect(upTo: 10) == Array("[1]".utf8))
    let changed = Network(
      connection: StubConnection(status: 404, body: "gone"),
      responseModifier: ResponseModifier { (response) async throws(ReactorError) -> Response in
        Response(status: response.status, body: ResponseBody(bytes: Array("[]".utf8)))
      })
    #expect(try await changed.response(for: .articles).body.collect(upTo: 10) == Array("[]".utf8))
    #expect(changed.openConnections == 0)
  }

  @Test func `a refused response's excerpt is short, one line, and left out when binary`() async {
    let long = Network(connection: StubConnection(status: 500, chunks: Array(repeating: Array("é".utf8), count: 9000)))
    let error = await #expect(throws: ReactorError.self) { try await long.response(for: .articles) }
    #expect(error?.message == "the server answered with status 500: " + String(repeating: "é", count: 160) + "…")
    let binary = Network(connection: StubConnection(status: 500, chunks: [[0x50, 0x4B, 0, 1, 2]]))
    await #expect(throws: ReactorError.server("the server answered with status 500", status: 500)) {
      try await binary.response(for: .articles)
    }
  }

  @Test(arguments: [
    ("X", "a\r\nB: c"), ("X", "a\nb"), ("X", "a\0b"), ("X", "a\u{7F}b"), ("X\r\nY", "a"), ("X Y", "a"), ("", "a"),
    ("X:", "a"), ("Ü", "a"),
  ])
  func `a header that could smuggle another is refused before anything is sent`(
    _ name: String, _ value: String
  ) async {
    let connection = StubConnection(body: "[]")
    let reachability = StubReachability(true)
    let network = Network(connection: connection, reachability: reachability)
    let resource = Resource(path: "/", method: .GET, headers: Headers([.init(name, value)]))
    let error = await #expect(throws: ReactorError.self) { try await network.response(for: resource) }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("a\r\nB") == false)
    #expect(connection.requests.isEmpty)
    #expect(reachability.checks == 0)
  }

  @Test func `cancelAllConnections ends requests and bodies of this network and only those`() async throws {
    let waiting = HangingConnection()
    let streaming = HangingConnection(afterChunk: "[1,")
    let mine = Network(connection: waiting)
    let streamed = Network(connection: streaming)
    let others = HangingConnection()
    let other = Network(connection: others)

    let head = Task { try await mine.response(for: .articles) }
    let otherHead = Task { try await other.response(for: .articles) }
    let response = try await streamed.response(for: .articles)
    #expect(try await response.body.next() == Array("[1,".utf8))
    let idle = try await streamed.response(for: .articles)
    let rest = Task { try await response.body.next() }
    await waiting.isHanging.wait()
    await streaming.isHanging.wait()
    await others.isHanging.wait()
    #expect(streamed.openConnections == 2)

    mine.cancelAllConnections()
    let headResult = await head.result
    #expect(throws: ReactorError.cancelled) { try headResult.get() }
    #expect(streamed.openConnections == 2)
    streamed.cancelAllConnections()
    let restResult = await rest.result
    #expect(throws: ReactorError.cancelled) { try restResult.get() }
    await #expect(throws: ReactorError.cancelled) { try await response.body.next() }
    await #expect(throws: ReactorError.cancelled) { try await idle.body.next() }
    #expect(streaming.stoppedBodies == 2)
    #expect(streamed.openConnections == 0)
    #expect(other.openConnections == 1)
    otherHead.cancel()
    let otherResult = await otherHead.result
    #expect(throws: ReactorError.cancelled) { try otherResult.get() }
  }

  @Test func `a network works on after everything was cancelled`() async throws {
    let network = Network(connection: StubConnection(body: "[]"))
    network.cancelAllConnections()
    let response = try await network.response(for: .articles)
    #expect(try await response.body.collect(upTo: 10) == Array("[]".utf8))
  }

  @Test func `a cancelled body never looks complete, and a released one stops`() async throws {
    let network = Network(connection: StubConnection(body: "[]"))
    let response = try await network.response(for: .articles)
    response.body.cancel()
    await #expect(throws: ReactorError.cancelled) { try await response.body.next() }

    let streaming = HangingConnection(afterChunk: "[")
    let dropping = Network(connection: streaming)
    _ = try await dropping.response(for: .articles).status
    #expect(streaming.stoppedBodies == 1)
    #expect(dropping.openConnections == 0)
  }

  @Test(arguments: 0..<30)
  func `requests cancelled at any stage end and leave nothing open`(_ round: Int) async {
    let connection = HangingConnection(afterChunk: "x")
    let network = Network(connection: connection)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          guard let body = try? await network.response(for: .articles).body else { return }
          while (try? await body.next()) != nil {}
        }
      }
      // One hangs in its body; the others are anywhere.
      await connection.isHanging.wait()
      if round.isMultiple(of: 2) { group.addTask { network.cancelAllConnections() } }
      group.cancelAll()
      await group.waitForAll()
    }
    #expect(network.openConnections == 0)
  }

  @Test func `without its check a network still ends what the original ends`() async throws {
    let connection = HangingConnection()
    let network = Network(connection: connection, reachability: StubReachability(false))
    let unchecked = network.withoutReachabilityCheck()
    let task = Task { try await unchecked.response(for: .articles) }
    await connection.isHanging.wait()
    network.cancelAllConnections()
    let result = await task.result
    #expect(throws: ReactorError.cancelled) { try result.get() }
  }
}
