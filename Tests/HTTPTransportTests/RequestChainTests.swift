import Dispatch
import HTTPTransport
import ReactorCore
import Synchronization
import TestSupport
import Testing

/// The requests of a chain are sent before they are asked for, each once, and never another one than was named.
@Suite struct RequestChainTests {
  private static func page(_ number: Int) -> Resource { Resource(path: "/\(number)", method: .GET) }

  /// Pages from 1 to `last`, each naming the next one.
  private static func chain(to last: Int) -> RequestChain {
    RequestChain { _, resource in
      guard let number = Int(resource.path.dropFirst()), number < last else { return nil }
      return page(number + 1)
    }
  }

  private static func resource(_ number: Int, _ chain: RequestChain) -> Resource {
    var resource = page(number)
    resource.chain = chain
    return resource
  }

  private static func targets(_ exchange: Exchange) -> [String] { exchange.server.requests.map(\.target) }

  @Test func `a few responses are there before they are asked for, and each is asked for once`() async throws {
    let exchange = try Exchange { ok("page \($0.target)") }
    defer { exchange.stop() }
    let chain = Self.chain(to: 9)
    let first = try await exchange.connection.response(for: Self.resource(1, chain))
    #expect(await exchange.server.wait { $0.requests.count == 5 })
    var texts = [String(decoding: try await first.body.collect(upTo: 1 << 20), as: UTF8.self)]
    for number in 2...9 {
      // Of those after it, four wait at most.
      #expect(exchange.server.requests.count <= number + 3)
      texts.append(try await exchange.text(Self.resource(number, chain)))
      let sent = min(number + 4, 9)
      #expect(await exchange.server.wait { $0.requests.count == sent })
    }
    #expect(texts == (1...9).map { "page /\($0)" })
    #expect(Self.targets(exchange) == (1...9).map { "/\($0)" })
    #expect(exchange.server.acceptedConnections == 1)
  }

  @Test func `nothing is sent ahead of a response that is not whole`() async throws {
    let exchange = try Exchange { request in
      guard request.target == "/1" else { return ok() }
      return [.text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .until { $0.requests.count == 2 }, .text("cd")]
    }
    defer { exchange.stop() }
    let chain = Self.chain(to: 9)
    let first = try await exchange.connection.response(for: Self.resource(1, chain))
    #expect(first.status == 200)
    // The second request is another one: had it been sent ahead, it would come twice.
    _ = try await exchange.text(Resource(path: "/other", method: .GET))
    #expect(String(decoding: try await first.body.collect(upTo: 9), as: UTF8.self) == "abcd")
    #expect(Self.targets(exchange).prefix(2) == ["/1", "/other"])
  }

  @Test func `another request than the one that was sent ahead is sent, and the others are given up`() async throws {
    let exchange = try Exchange(adjust: { $0.timeout = .seconds(100) }) { request in
      request.target == "/3" ? [.hold] : ok("page \(request.target)")
    }
    defer { exchange.stop() }
    let chain = Self.chain(to: 9)
    #expect(try await exchange.text(Self.resource(1, chain)) == "page /1")
    #expect(await exchange.server.wait { $0.requests.count == 3 })
    #expect(try await exchange.text(Self.resource(7, chain)) == "page /7")
    // The server notices that nobody waits for page 3 any more.
    #expect(await exchange.server.wait { $0.openConnections == 1 })
    #expect(try await exchange.text(Self.resource(8, chain)) == "page /8")
    #expect(try await exchange.text(Self.resource(9, chain)) == "page /9")
    #expect(Self.targets(exchange) == ["/1", "/2", "/3", "/7", "/8", "/9"])
  }

  @Test func `a request with other fields is another request`() async throws {
    let exchange = try Exchange { ok($0["X-Key"] ?? "none") }
    defer { exchange.stop() }
    let chain = Self.chain(to: 2)
    #expect(try await exchange.text(Self.resource(1, chain)) == "none")
    #expect(await exchange.server.wait { $0.requests.count == 2 })
    #expect(try await exchange.text(Self.resource(2, chain).addHeader("k", key: "X-Key")) == "k")
    #expect(Self.targets(exchange) == ["/1", "/2", "/2"])
  }

  @Test func `letting go of the chain stops what was sent ahead`() async throws {
    let exchange = try Exchange(adjust: { $0.timeout = .seconds(100) }) { $0.target == "/2" ? [.hold] : ok() }
    defer { exchange.stop() }
    do {
      let chain = Self.chain(to: 9)
      _ = try await exchange.text(Self.resource(1, chain))
      #expect(await exchange.server.wait { $0.requests.count == 2 })
    }
    #expect(await exchange.server.wait { $0.openConnections == 0 })
    #expect(Self.targets(exchange) == ["/1", "/2"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a reader that asks before the driving thread does is the only one`() async throws {
    let (hasHead, isNaming, hasAsked) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let exchange = try Exchange { request in
      guard request.target == "/1" else { return ok("page \(request.target)") }
      // A reader that is not waiting when the end comes sees it before the driving thread tells of it.
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\npage /"),
        .until { _ in hasHead.wait(timeout: .now()) == .success }, .text("1"),
      ]
    }
    defer { exchange.stop() }
    let chain = RequestChain { _, resource in
      guard resource.path == "/1" else { return nil }
      isNaming.signal()
      // Holds the driving thread up until the reader has asked by itself.
      _ = hasAsked.wait(timeout: .now() + 10)
      return Self.page(2)
    }
    let first = try await exchange.connection.response(for: Self.resource(1, chain))
    hasHead.signal()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = isNaming.wait(timeout: .now() + 10)
        continuation.resume()
      }
    }
    #expect(String(decoding: try await first.body.collect(upTo: 1 << 20), as: UTF8.self) == "page /1")
    // It runs until it waits, and then its request is queued.
    let second = Task.immediate { try await exchange.text(Self.resource(2, chain)) }
    hasAsked.signal()
    #expect(try await second.value == "page /2")
    _ = try await exchange.text(Resource(path: "/other", method: .GET))
    #expect(Self.targets(exchange) == ["/1", "/2", "/other"])
  }

  @Test func `a response that failed before it was asked for is asked for again`() async throws {
    let failures = Counter()
    let exchange = try Exchange { request in
      guard request.target == "/2", failures.next() == 0 else { return ok("page \(request.target)") }
      return [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut"), .close]
    }
    defer { exchange.stop() }
    let chain = Self.chain(to: 3)
    _ = try await exchange.text(Self.resource(1, chain))
    #expect(await exchange.server.wait { $0.requests.count == 2 && $0.openConnections == 0 })
    // Whoever has answered this has read the end of the connection before.
    #expect(try await exchange.text(Resource(path: "/other", method: .GET)) == "page /other")
    #expect(try await exchange.text(Self.resource(2, chain)) == "page /2")
    #expect(try await exchange.text(Self.resource(3, chain)) == "page /3")
    #expect(Self.targets(exchange) == ["/1", "/2", "/other", "/2", "/3"])
  }

  @Test(arguments: [404, 500, 302])
  func `only a response that succeeded names the next one`(_ status: Int) async throws {
    let exchange = try Exchange { request in
      if request.target == "/away" { return ok("away") }
      if request.target != "/2" { return ok("page \(request.target)") }
      return [.text("HTTP/1.1 \(status) No\r\nLocation: /away\r\nContent-Length: 2\r\n\r\nno")]
    }
    defer { exchange.stop() }
    let chain = Self.chain(to: 9)
    _ = try await exchange.text(Self.resource(1, chain))
    #expect(await exchange.server.wait { $0.requests.count == 2 })
    let second = try await exchange.connection.response(for: Self.resource(2, chain))
    #expect(second.status == (status == 302 ? 200 : status))
    #expect(String(decoding: try await second.body.collect(upTo: 9), as: UTF8.self) == (status == 302 ? "away" : "no"))
    #expect(Self.targets(exchange) == (status == 302 ? ["/1", "/2", "/away"] : ["/1", "/2"]))
  }

  @Test func `a slow reader of a large response holds the chain back`() async throws {
    let large = String(repeating: "x", count: 8 << 20)
    let exchange = try Exchange { ok($0.target == "/1" ? large : "small") }
    defer { exchange.stop() }
    let chain = Self.chain(to: 2)
    let first = try await exchange.connection.response(for: Self.resource(1, chain))
    let chunk = try #require(try await first.body.next())
    #expect(Self.targets(exchange) == ["/1"])
    let rest = try await first.body.collect(upTo: 16 << 20)
    #expect(chunk.count + rest.count == large.utf8.count)
    #expect(try await exchange.text(Self.resource(2, chain)) == "small")
    #expect(Self.targets(exchange) == ["/1", "/2"])
  }
}

/// Counts from 0.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
