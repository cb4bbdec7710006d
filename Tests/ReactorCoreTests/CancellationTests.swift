import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
  /// Gives each request to the next of some connections.
  private final class InTurn: Connection {
    let baseURL = "http://turns.test"
    private let waiting: Mutex<ArraySlice<HangingConnection>>

    init(_ connections: [HangingConnection]) { waiting = Mutex(connections[...]) }

    func response(for resource: Resource) async throws(ReactorError) -> Response {
      guard let next = waiting.withLock({ $0.popFirst() }) else { throw .server("one too many") }
      return try await next.response(for: resource)
    }
  }

  private let isThere = Latch()
  private let forever = Latch()

  private func cancelWhenThere<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    let task = Task { try await work() }
    await isThere.wait()
    task.cancel()
    return await task.result
  }

  @Test(arguments: ["the error of a cancelled load", "a miss all the same", "another error"])
  func `a cancelled load does not fall through to the network`(_ ending: String) async {
    let connection = StubConnection(body: Answer.threeArticles)
    let persistence = StubPersistence<[Article]>(load: { [isThere, forever] in
      isThere.open()
      await forever.wait()
      switch ending {
      case "a miss all the same": return .miss(.absent)
      case "another error": throw ReactorError.persistence("interrupted")
      default: throw CancellationError()
      }
    })
    let flow: ReactorFlow<[Article]> = createFlow(connection: connection).persisting(in: persistence)
    let result = await cancelWhenThere { try await Reactor(flow: flow).fetch(.articles) }
    #expect(throws: ReactorError.cancelled) { try result.get() }
    #expect(connection.requests.isEmpty)
  }

  @Test func `a load that reports a cancellation of its own ends the fetch`() async {
    let connection = StubConnection(body: Answer.threeArticles)
    let persistence = StubPersistence<[Article]>(load: { throw ReactorError.cancelled })
    let flow: ReactorFlow<[Article]> = createFlow(connection: connection).persisting(in: persistence)
    await #expect(throws: ReactorError.cancelled) { try await Reactor(flow: flow).fetch(.articles) }
    #expect(connection.requests.isEmpty)
  }

  @Test func `cancelling while the head is awaited ends the fetch without a save`() async {
    let connection = HangingConnection()
    let persistence = StubPersistence<[Article]>()
    let flow: ReactorFlow<[Article]> = createFlow(connection: connection).persisting(in: persistence)
    let task = Task { try await Reactor(flow: flow).fetch(.articles) }
    await connection.isHanging.wait()
    task.cancel()
    let result = await task.result
    #expect(throws: ReactorError.cancelled) { try result.get() }
    #expect(persistence.saves.isEmpty)
  }

  @Test func `cancelling while the modifier reads the body stops the transfer`() async {
    // Many at once, so that for some the body ends well before the task.
    let connections = (0..<400).map { _ in HangingConnection(afterChunk: "sorry, ") }
    let network = Network(connection: InTurn(connections), responseModifier: .accepting { _ in false })
    let tasks = connections.map { _ in Task { try await network.response(for: .articles) } }
    for connection in connections { await connection.isHanging.wait() }
    network.cancelAllConnections()
    for task in tasks {
      let result = await task.result
      #expect(throws: ReactorError.cancelled) { try result.get() }
    }
    #expect(connections.allSatisfy { $0.stoppedBodies == 1 })
    #expect(network.openConnections == 0)
  }

  @Test func `cancelling during a save that is waited for ends the fetch, whatever is tolerated`() async {
    let persistence = StubPersistence<String>(save: { [isThere, forever] _ in
      isThere.open()
      await forever.wait()
      throw ReactorError.persistence("interrupted")
    })
    let reactor = Reactor(
      flow: ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: persistence),
      configuration: CoreConfiguration(shouldFailWhenSaveToPersistenceFails: false))
    let result = await cancelWhenThere { try await reactor.fetch(.articles) }
    #expect(throws: ReactorError.cancelled) { try result.get() }
  }

  @Test func `cancelling after the network gave its response saves nothing`() async {
    let persistence = StubPersistence<String>()
    let flow = ReactorFlow<String>(network: { [isThere, forever] _ in
      isThere.open()
      await forever.wait()
      return "fresh all the same"
    }).persisting(in: persistence)
    let result = await cancelWhenThere { try await Reactor(flow: flow).fetch(.articles) }
    #expect(throws: ReactorError.cancelled) { try result.get() }
    #expect(persistence.saves.isEmpty)
  }

  @Test func `a deferred save outlives the cancelled fetch`() async throws {
    let persistence = StubPersistence<String>(save: { [isThere, forever] model in
      isThere.open()
      await forever.wait()
      try Task.checkCancellation()
      return model
    })
    let reactor = Reactor(
      flow: ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: persistence),
      configuration: CoreConfiguration(shouldWaitForSaveToPersistence: false))
    let fetch = Task { try await reactor.fetch(.articles) }
    #expect(try await fetch.value.save == .deferred)
    await isThere.wait()
    fetch.cancel()
    #expect(await reactor.queue.pending == 1)
    forever.open()
    #expect(await reactor.queue.drain() == [])
    #expect(await reactor.queue.pending == 0)
    #expect(persistence.saves == ["fresh"])
  }

  @Test func `a fetch in a cancelled task does nothing`() async {
    let persistence = StubPersistence<String>(load: { .hit("kept") })
    let reactor = Reactor(flow: ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: persistence))
    let gate = Latch()
    let task = Task {
      await gate.wait()
      return try await reactor.fetch(.articles)
    }
    task.cancel()
    let result = await task.result
    #expect(throws: ReactorError.cancelled) { try result.get() }
    #expect(persistence.loads == 0)
  }
}
