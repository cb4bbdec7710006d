import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite(.serialized) struct FlowControlTests {
  @Test(.timeLimit(.minutes(1)))
  func `two thousand requests sixteen at a time use at most sixteen connections`() async throws {
    let body = String(repeating: "x", count: 2_500)
    let exchange = try Exchange { _ in ok(body) }
    defer { exchange.stop() }
    let count = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          var whole = 0
          for _ in 0..<125 where (try? await exchange.text()) == body { whole += 1 }
          return whole
        }
      }
      return await group.reduce(0, +)
    }
    #expect(count == 2_000)
    #expect(exchange.server.acceptedConnections <= 16)
  }

  /// Twice on one connection: the second is not measured by what the first one was.
  @Test(.timeLimit(.minutes(1)))
  func `a response may begin as late as its timeout allows`() async throws {
    let exchange = try Exchange(adjust: { $0.lowSpeedTime = .seconds(1) }) { _ in
      [.pause(milliseconds: 2_500)] + ok()
    }
    defer { exchange.stop() }
    for _ in 0..<2 {
      let text = try await exchange.text()
      #expect(text == "hello")
    }
    #expect(exchange.server.acceptedConnections == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a reader that does not read stops the server`() async throws {
    let piece = Misbehaviour.letters(1 << 20)
    let exchange = try Exchange { _ in [.text(head("Content-Length: \(200 << 20)")), .repeat(piece, count: 200)] }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
    #expect(await exchange.server.wait { $0.isBlocked })
    var before = -1
    // Until the server gets nothing more off its hands for a while.
    while exchange.server.bytesSent != before {
      before = exchange.server.bytesSent
      try await Task.sleep(for: .milliseconds(200))
    }
    // Chunks and pieces of ours, and what the kernel holds in both directions.
    #expect((256 << 10..<24 << 20).contains(exchange.server.bytesSent))
    var count = 0
    while let chunk = try await response.body.next() {
      #expect(!chunk.isEmpty && chunk.count <= 512 * 1024)
      count += chunk.count
    }
    #expect(count == 200 << 20)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a reader slower than the server gets every byte in order`() async throws {
    let pieces: [ScriptedServer.Step] = (0..<64).map { .send([UInt8](repeating: UInt8($0), count: 100_003)) }
    let exchange = try Exchange { _ in [.text(head("Content-Length: \(64 * 100_003)"))] + pieces }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
    var position = 0
    while let chunk = try await response.body.next() {
      for byte in chunk {
        guard byte == UInt8(position / 100_003) else {
          Issue.record("wrong byte at \(position)")
          return
        }
        position += 1
      }
      // Always behind the server.
      #expect(await exchange.server.wait { $0.isBlocked || $0.bytesSent >= 64 * 100_003 })
    }
    #expect(position == 64 * 100_003)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a large response over a kept connection survives a reader that begins late`() async throws {
    let exchange = try Exchange { _ in
      [.text(head("Content-Length: \(8 << 20)")), .repeat(Misbehaviour.letters(1 << 20), count: 8)]
    }
    defer { exchange.stop() }
    for round in 0..<20 {
      let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
      #expect(await exchange.server.wait { $0.isBlocked || $0.bytesSent >= (round + 1) * 8 << 20 })
      #expect(try await response.body.collect(upTo: 1 << 30).count == 8 << 20)
    }
    #expect(exchange.server.acceptedConnections == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the deadline holds while nobody reads`() async throws {
    let exchange = try Exchange(adjust: { $0.timeout = .seconds(2) }) { _ in
      [.text(head()), .repeat(Misbehaviour.letters(1 << 20), count: 100), .hold]
    }
    defer { exchange.stop() }
    let error = await failure { () async throws(ReactorError) in
      let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
      #expect(await exchange.server.wait(until: { $0.openConnections == 0 }))
      _ = try await response.body.collect(upTo: 1 << 30)
    }
    #expect(error?.kind == .timeout)
  }

  @Test(.timeLimit(.minutes(1)))
  func `cancelling before the head stops the transfer at once`() async throws {
    let exchange = try Exchange { _ in [.hold] }
    defer { exchange.stop() }
    let task = Task { await failure { () async throws(ReactorError) in _ = try await exchange.text() } }
    #expect(await exchange.server.wait(until: { $0.requests.count == 1 }))
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(await exchange.server.wait(until: { $0.openConnections == 0 }))
  }

  @Test(.timeLimit(.minutes(1)))
  func `cancelling within the body stops the transfer at once`() async throws {
    let exchange = try Exchange { _ in [.text(head("Content-Length: 100") + "x"), .hold] }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
    #expect(try await response.body.next() == [UInt8(ascii: "x")])
    let task = Task { await failure { () async throws(ReactorError) in _ = try await response.body.next() } }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(await exchange.server.wait(until: { $0.openConnections == 0 }))
  }

  @Test func `a task that was cancelled before opens nothing`() async throws {
    let exchange = try Exchange { _ in ok() }
    defer { exchange.stop() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () async throws(ReactorError) in _ = try await exchange.text() }
    }
    #expect(await task.value?.kind == .cancelled)
    #expect(exchange.server.requests.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a body dropped unread stops the transfer`() async throws {
    let exchange = try Exchange { _ in [.text(head("Content-Length: 100") + "x"), .hold] }
    defer { exchange.stop() }
    _ = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
    #expect(await exchange.server.wait(until: { $0.acceptedConnections == 1 && $0.openConnections == 0 }))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a shut-down client ends its transfers and takes no more`() async throws {
    let exchange = try Exchange { _ in [.hold] }
    defer { exchange.stop() }
    let task = Task { await failure { () async throws(ReactorError) in _ = try await exchange.text() } }
    #expect(await exchange.server.wait(until: { $0.requests.count == 1 }))
    exchange.client.shutdown()
    #expect(await task.value?.message == "the HTTP client was shut down")
    let late = await failure { () async throws(ReactorError) in _ = try await exchange.text() }
    #expect(late?.kind == .cancelled)
    exchange.client.shutdown()
  }

  @Test(.timeLimit(.minutes(1)))
  func `one hundred transfers under way do not disturb each other`() async throws {
    let exchange = try Exchange { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return number % 3 == 0 ? [.text(head("Content-Length: 9") + "x"), .reset] : ok("\(number)")
    }
    defer { exchange.stop() }
    let results = await withTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<100 {
        group.addTask { (number, try? await exchange.text(Resource(path: "/\(number)", method: .GET))) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for number in 0..<100 { #expect(results[number] == (number % 3 == 0 ? nil : "\(number)")) }
  }
}
