import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite struct ReactorFlowTests {
  private struct Odd: Error {}

  @Test func `decorators change and watch a flow without typed-throws closures`() async throws {
    let seen = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { line in seen.withLock { $0.append(line) } }
    let memory = InMemoryPersistence<Int>()
    let flow = ReactorFlow<Int>(network: { _ in 1 })
      .persisting(in: memory)
      .mapNetwork { $0 + 10 }
      .mapSave { $0 + 100 }
      .onLoadMiss { miss, resource in note("miss \(miss) \(resource.path)") }
      .onLoadHit { model, _ in note("hit \(model)") }
      .onNetwork { parsed, _ in note("network \(parsed.model)") }
      .onSave { model, _ in note("saved \(model)") }
    let reactor = Reactor(flow: flow)
    #expect(try await reactor.fetch(.articles).model == 111)
    #expect(try await reactor.fetch(.articles).model == 111)
    #expect(
      seen.withLock { $0 } == ["miss nothing persisted yet /articles", "network 11", "saved 111", "hit 111"])
  }

  @Test func `a load that throws is reported with its error, and the network is asked`() async throws {
    let seen = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in seen.withLock { $0.append(text) } }
    var flow = ReactorFlow<Int>(network: { _ in 7 })
    flow.loadFromPersistenceFlow = { (_) async throws(ReactorError) -> PersistenceRead<Int> in
      throw .persistence("the disk is gone")
    }
    let logged =
      flow
      .onLoadFailure { error, resource in note("failed: \(error) \(resource.path)") }
      .onLoadMiss { miss, _ in note("missed: \(miss)") }
    #expect(try await Reactor(flow: logged).fetch(.articles).model == 7)
    #expect(seen.withLock { $0 } == ["failed: the disk is gone /articles"])
  }

  @Test func `errors of plain closures keep what they say and get the step's kind`() async {
    let network = ReactorFlow<Int>(network: { _ in throw Odd() })
    let error = await #expect(throws: ReactorError.self) { try await Reactor(flow: network).fetch(.articles) }
    #expect(error == .server("Odd()"))
    let mapped = ReactorFlow<Int>(network: { _ in 1 }).mapNetwork { _ in throw MappedError("too small", pointer: "/n") }
    await #expect(throws: ReactorError(.parser, "too small", pointer: "/n")) {
      try await Reactor(flow: mapped).fetch(.articles)
    }
    let cancelled = ReactorFlow<Int>(network: { _ in throw CancellationError() })
    await #expect(throws: ReactorError.cancelled) { try await Reactor(flow: cancelled).fetch(.articles) }
    let saving = ReactorFlow<Int>(network: { _ in 1 }).persisting(in: InMemoryPersistence()).mapSave { _ in throw Odd()
    }
    await #expect(throws: ReactorError.persistence("Odd()")) { try await Reactor(flow: saving).fetch(.articles) }
  }

  @Test func `a flow keeps results only when it was given a save`() async throws {
    var flow = ReactorFlow<Int>(network: { _ in 1 })
    #expect(!flow.persistsResults)
    #expect(!flow.mapSave { $0 }.onSave { _, _ in }.persistsResults)
    flow.saveToPersistenceFlow = { (model, _) async throws(ReactorError) -> Int in model + 1 }
    #expect(flow.persistsResults)
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.model == 2)
    #expect(fetched.save == .saved)
    #expect(!flow.withoutPersistence().persistsResults)
  }

  @Test func `errors compare whole, and by kind as upstream did`() {
    #expect(ReactorError.parser("a") != ReactorError.parser("b"))
    #expect(ReactorError.parser("a").isSameKind(as: .parser("b")))
    #expect(!ReactorError.parser("a").isSameKind(as: .server("a")))
  }
}
