import Synchronization
import Testing

@testable import FlowRuntime
@testable import ReactorCore

/// The bounds of the responses in memory.
@Suite struct ResponseCacheTests {
  private final class Sent: Sendable {
    let keys = Mutex<[String]>([])
    var all: [String] { keys.withLock { $0 } }

    func response(_ cache: ResponseCache, _ key: String, size: Int = 1_000) async throws -> Int {
      let response = try await cache.response(for: .init(scope: "", request: key)) { () throws(ReactorError) in
        self.keys.withLock { $0.append(key) }
        return Response(status: 200, body: ResponseBody(bytes: [UInt8](repeating: 1, count: size)))
      }
      return try await response.body.collect(upTo: 1 << 30).count
    }
  }

  @Test func `the responses used longest ago go when there is no room`() async throws {
    let (cache, sent) = (ResponseCache(capacity: 10 * 2_024), Sent())
    for key in 0..<10 { #expect(try await sent.response(cache, "\(key)") == 1_000) }
    #expect(try await sent.response(cache, "0") == 1_000)
    #expect(sent.all.count == 10)
    _ = try await sent.response(cache, "10")
    // Half of the room is free now: the newest five are 10, 0, 9, 8 and 7.
    for key in [0, 7, 8, 9, 10] { _ = try await sent.response(cache, "\(key)") }
    #expect(sent.all.count == 11)
    _ = try await sent.response(cache, "1")
    #expect(sent.all.count == 12)
  }

  @Test func `a failure is not kept, and a large response is complete`() async throws {
    let (cache, sent) = (ResponseCache(), Sent())
    await #expect(throws: ReactorError.self) {
      try await cache.response(for: .init(scope: "", request: "a")) { () throws(ReactorError) in
        throw .server("none")
      }
    }
    #expect(try await sent.response(cache, "a") == 1_000)
    let large = ResponseCache.largest + 1
    #expect(try await sent.response(cache, "b", size: large) == large)
    #expect(try await sent.response(cache, "b", size: large) == large)
    #expect(sent.all == ["a", "b", "b"])
  }

  @Test func `the same request to another server is another one`() async throws {
    let cache = ResponseCache()
    for (scope, status) in [("a", 200), ("b", 201), ("a", 200)] {
      let response = try await cache.response(for: .init(scope: scope, request: "x")) { () throws(ReactorError) in
        Response(status: scope == "a" ? 200 : 201, body: ResponseBody(bytes: []))
      }
      #expect(response.status == status)
    }
  }
}
