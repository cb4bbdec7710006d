import Expressions
import JSONSyntax
import ReactorCore
import Synchronization
import Testing

@testable import FlowRuntime

/// Partitions of which other processes request some.
@Suite(.timeLimit(.minutes(1))) struct SpreadPartitionsTests {
  private static let scope = "https://api.example.com"

  private static func partitions(_ count: Int) -> [Partition] {
    (0..<count).map { Partition(index: $0, values: [(name: "user", value: .object(["id": .integer(Int64($0))]))]) }
  }

  private static func spread(
    _ source: any PartitionProvider, _ exchange: Exchange,
    gather: @escaping @Sendable (Int) -> GatheredResponses = { _ in GatheredResponses(scope: scope) }
  ) -> SpreadPartitions {
    SpreadPartitions(source, over: exchange, scope: scope, delay: .real) {
      PartitionRange($0, $1)
    } gather: {
      gather($0.number)
    }
  }

  private static func all(_ spread: SpreadPartitions) async throws -> [Partition] {
    var partitions: [Partition] = []
    while let partition = try await spread.next() { partitions.append(partition) }
    await spread.close()
    return partitions
  }

  @Test func `a flow with few parents asks nobody`() async throws {
    let exchange = Exchange()
    let partitions = try await Self.all(Self.spread(ListedPartitions(Self.partitions(100)), exchange))
    #expect(partitions.map(\.index) == Array(0..<100) && exchange.offers.isEmpty && exchange.ends == 0)
  }

  @Test func `ranges come in order, with the responses of who requested them`() async throws {
    // Range 0 is free, 1 is elsewhere until range 2 has been requested here, 3 has been answered.
    let (early, other) = (GatheredResponses(scope: Self.scope), GatheredResponses(scope: Self.scope))
    other.add(
      SharedResponse(status: 200, headers: [:], url: "", meaning: nil, body: [1]), to: Resource(path: "/", method: .GET)
    )
    let one = other.bytes
    let exchange = Exchange { number, exchange in
      switch number {
      case 0: .own
      case 1: exchange.freeClaims == 0 ? .elsewhere : .responses(one)
      case 3: .responses(one)
      default: .elsewhere
      }
    }
    let spread = Self.spread(ListedPartitions(Self.partitions(290)), exchange) { number in
      #expect(number == 2)
      return early
    }
    let partitions = try await Self.all(spread)
    #expect(partitions.map(\.index) == Array(0..<290))
    #expect(exchange.offers == [0: 50, 1: 50, 2: 50, 3: 40] && exchange.ends == 1)
    #expect(partitions[..<150].allSatisfy { $0.gathered == nil })
    #expect(partitions[150...].allSatisfy { $0.gathered != nil })
    #expect(partitions[200..<250].allSatisfy { $0.gathered === early })
    #expect(partitions[150..<200].allSatisfy { $0.gathered !== early })
  }

  @Test func `other processes that pass nothing of use on are not asked again`() async throws {
    let other = GatheredResponses(scope: "another account")
    let resource = Resource(path: "/", method: .GET)
    for _ in 0..<50 {
      other.add(SharedResponse(status: 200, headers: [:], url: "", meaning: nil, body: [1]), to: resource)
    }
    for bytes in [[], other.bytes] {
      let exchange = Exchange { _, _ in .responses(bytes) }
      let spread = Self.spread(ListedPartitions(Self.partitions(2_300)), exchange)
      var count = 0
      while let partition = try await spread.next() {
        count += 1
        #expect(partition.gathered?.take(resource) == nil)
      }
      await spread.close()
      #expect(count == 2_300 && exchange.claims == 1 && exchange.ends == 2)
      // Those that were read ahead were offered.
      #expect(exchange.offers.count < 40)
    }
  }

  @Test func `the error of the source comes after the partitions before it`() async throws {
    let spread = Self.spread(Failing(120), Exchange())
    var count = 0
    let error = await #expect(throws: ReactorError.self) {
      while try await spread.next() != nil { count += 1 }
    }
    await spread.close()
    #expect(error?.message == "no more" && count == 100)
  }

  @Test func `a cancelled wait ends, whatever the source does`() async throws {
    let source = Hanging(160)
    let exchange = Exchange()
    let spread = Self.spread(source, exchange)
    let task = Task { try await Self.all(spread) }
    while exchange.offers.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: ReactorError.self) { try await task.value }
    await spread.close()
    #expect(exchange.ends == 1)
  }

  @Test func `a range is the same after its way through text`() throws {
    var range = PartitionRange(
      7, [Partition(index: 3, values: [(name: "a", value: .integer(1)), (name: "b", value: .null)])])
    range.positions = ["x": "2026-01-01"]
    range.now = try #require(.init(secondsSince1970: 1_700_000_000, nanosecond: 5))
    let read = try #require(PartitionRange(7, json: range.json))
    #expect(read.json == range.json && read.positions == range.positions && read.now == range.now)
    #expect(read.partitions[0].values.map(\.name) == ["a", "b"] && read.partitions[0].batch == nil)
    let batch = [JSONValue.integer(1), .integer(2)]
    let batches = PartitionRange(0, [Partition(index: 0, values: [(name: "a", value: .array(batch))], batch: batch)])
    #expect(PartitionRange(json: batches.json)?.partitions.first?.batch == batch)
    for damaged in ["", "{}", "[1]", "{\"now\":[1,2],\"positions\":{},\"partitions\":[[]]}"] {
      #expect(PartitionRange(json: Array(damaged.utf8)) == nil)
    }
  }

  @Test func `responses are the same after their way through bytes, each for one request`() throws {
    let gathered = GatheredResponses(scope: Self.scope)
    let resource = Resource(path: "/a", method: .GET, headers: ["X": "1"])
    let bodies: [[UInt8]] = [[0, 10, 13, 255], [], Array("{\"a\":1}".utf8)]
    for body in bodies {
      gathered.add(
        SharedResponse(status: 404, headers: ["A": "1, 2"], url: "u", meaning: .noRecordsAndCap, body: body),
        to: resource)
    }
    let read = try #require(GatheredResponses(gathered.bytes, scope: Self.scope))
    #expect(read.bytes == gathered.bytes && read.size == 11)
    #expect(read.take(Resource(path: "/b", method: .GET)) == nil)
    for body in bodies {
      let response = try #require(read.take(resource))
      #expect(response.body == body && response.status == 404 && response.headers["a"] == "1, 2")
      #expect(response.meaning == .noRecordsAndCap && response.url == "u")
    }
    #expect(read.take(resource) == nil && read.size == 0)
    for cut in [1, 20, gathered.bytes.count - 1] {
      #expect(GatheredResponses(Array(gathered.bytes.prefix(cut)), scope: Self.scope) == nil)
    }
  }

  @Test func `no more than 16 MiB is passed on`() {
    let gathered = GatheredResponses(scope: Self.scope)
    let body = [UInt8](repeating: 1, count: 3 << 20)
    for _ in 0..<8 {
      gathered.add(
        SharedResponse(status: 200, headers: [:], url: "", meaning: nil, body: body),
        to: Resource(path: "/a", method: .GET))
    }
    #expect(gathered.size == 15 << 20)
  }
}

/// Notes what is offered and claimed.
private final class Exchange: RangeExchange {
  struct State {
    var offers: [Int: Int] = [:]
    var freeClaims = 0
    var ends = 0
    var claims = 0
  }
  private let state = Mutex(State())
  private let answer: @Sendable (Int, Exchange) -> RangeClaim

  init(_ answer: @escaping @Sendable (Int, Exchange) -> RangeClaim = { _, _ in .own }) { self.answer = answer }

  /// The number of partitions by the number of the range.
  var offers: [Int: Int] { state.withLock { $0.offers } }
  var freeClaims: Int { state.withLock { $0.freeClaims } }
  var ends: Int { state.withLock { $0.ends } }
  var claims: Int { state.withLock { $0.claims } }

  func offer(_ number: Int, _ content: [UInt8]) async {
    let count = PartitionRange(json: content)?.partitions.count
    state.withLock { $0.offers[number] = count }
  }
  func claim(_ number: Int) async -> RangeClaim {
    state.withLock { $0.claims += 1 }
    return answer(number, self)
  }
  func claimFree(from number: Int) async -> Int? {
    state.withLock { state in
      guard state.freeClaims == 0, state.offers[2] != nil else { return nil }
      state.freeClaims += 1
      return 2
    }
  }
  func end() async { state.withLock { $0.ends += 1 } }
}

/// Fails after some partitions.
private actor Failing: PartitionProvider {
  private let count: Int
  private var next = 0
  init(_ count: Int) { self.count = count }
  func next() async throws(ReactorError) -> Partition? {
    guard next < count else { throw .server("no more") }
    defer { next += 1 }
    return Partition(index: next, values: [(name: "user", value: .null)])
  }
  func ending() -> PartitionEnding { PartitionEnding() }
}

/// Gives nothing more after some partitions, until it is cancelled.
private actor Hanging: PartitionProvider {
  private let count: Int
  private var next = 0
  init(_ count: Int) { self.count = count }
  func next() async throws(ReactorError) -> Partition? {
    guard next < count else {
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
      throw .cancelled
    }
    defer { next += 1 }
    return Partition(index: next, values: [(name: "user", value: .null)])
  }
  func ending() -> PartitionEnding { PartitionEnding() }
}
