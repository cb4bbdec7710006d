import ReactorCore
import Storage
import Synchronization
import TestSupport
import Testing

@Suite struct ReactorTests {
  @Test func `R-001 fetch saves three articles that then load from disk, off the caller`() async throws {
    let folder = try TemporaryFolder()
    let caller = CallerActor()
    #expect(await caller.runsOnItself)
    let seenOnCaller = Mutex<[Bool]>([])
    let connection = StubConnection { _ in
      seenOnCaller.withLock { $0.append(CallerActor.isCurrent) }
      return Response(status: 200, body: ResponseBody(bytes: Array(Answer.threeArticles.utf8)))
    }
    let flow: ReactorFlow<[Article]> = createFlow(
      connection: connection,
      configuration: FlowConfiguration(persistence: .enabled(path: folder.file("articles.json"))))
    let fetched = try await caller.fetch(.articles, with: Reactor(flow: flow))
    #expect(fetched.source == .network)
    #expect(fetched.miss == .absent)
    #expect(fetched.save == .saved)
    #expect(seenOnCaller.withLock { $0 } == [false])
    guard case .hit(let loaded) = try await flow.loadFromPersistenceFlow(.articles) else {
      Issue.record("nothing was persisted")
      return
    }
    #expect(loaded == Article.all)
  }

  @Test func `R-002 fetch takes persistence first and never touches the network`() async throws {
    let connection = StubConnection(body: Answer.threeArticles)
    let flow: ReactorFlow<[Article]> = createFlow(connection: connection)
    let persistence = StubPersistence<[Article]>(load: { .hit([.first, .second]) })
    let fetched = try await Reactor(flow: flow.persisting(in: persistence)).fetch(.articles)
    #expect(fetched.model == [.first, .second])
    #expect(fetched.source == .persistence)
    #expect(fetched.miss == nil)
    #expect(fetched.save == .notAsked)
    #expect(connection.requests.isEmpty)
    #expect(persistence.saves.isEmpty)
  }

  // Upstream's stub completed without a value and so did fetch; an async function has no such end, hence the flow here
  // either gives a model or throws.
  @Test func `R-003 a flow with only a network closure reaches the network`() async throws {
    let flow = ReactorFlow<String>(network: { $0.path })
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.model == "/articles")
    #expect(fetched.miss == .disabled)
    let empty = ReactorFlow<String>(network: { _ in throw ReactorError.server("no value") })
    await #expect(throws: ReactorError.server("no value")) { try await Reactor(flow: empty).fetch(.articles) }
  }

  // Upstream failed with `.persistence`; a miss with its reason replaces that error.
  @Test func `R-004 with the default save nothing can be loaded after a fetch`() async throws {
    let flow = ReactorFlow<String>(
      networkFlow: { (_) async throws(ReactorError) -> Fetched<String> in Fetched("fresh") },
      loadFromPersistenceFlow: { (_) async throws(ReactorError) -> PersistenceRead<String> in
        throw .persistence("nothing here")
      })
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.model == "fresh")
    #expect(fetched.miss == .unreadable("nothing here"))
    #expect(fetched.save == .notAsked)
    await #expect(throws: ReactorError.persistence("nothing here")) {
      _ = try await flow.loadFromPersistenceFlow(.articles)
    }
  }

  struct SaveCase: Sendable, CustomTestStringConvertible {
    var waits: Bool
    var fails: Bool
    var saveWorks: Bool
    var testDescription: String { "wait \(waits), fail on save failure \(fails), save works \(saveWorks)" }
  }

  static let saveCases = [true, false].flatMap { waits in
    [true, false].flatMap { fails in
      [true, false].map { SaveCase(waits: waits, fails: fails, saveWorks: $0) }
    }
  }

  @Test(arguments: saveCases)
  func `R-005 R-006 the flags decide about a save as in the truth table`(_ row: SaveCase) async throws {
    let error = ReactorError.persistence("the disk is full", path: "out.json")
    let persistence = StubPersistence<String>(save: { model in
      if row.saveWorks { return model + " as saved" }
      throw error
    })
    let reactor = Reactor(
      flow: ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: persistence),
      configuration: CoreConfiguration(
        shouldFailWhenSaveToPersistenceFails: row.fails, shouldWaitForSaveToPersistence: row.waits), name: "flow")
    let result: Result<Fetched<String>, ReactorError>
    do throws(ReactorError) {
      result = .success(try await reactor.fetchFromNetwork(.articles))
    } catch {
      result = .failure(error)
    }
    let lost = await reactor.queue.drain()
    #expect(persistence.saves == ["fresh"])
    #expect(persistence.loads == 0)
    switch (row.waits, row.fails, row.saveWorks) {
    case (true, _, true):
      #expect(try result.get().model == "fresh as saved")
      #expect(try result.get().save == .saved)
      #expect(lost.isEmpty)
    case (true, true, false):
      #expect(throws: error) { try result.get() }
      #expect(lost.isEmpty)
    case (true, false, false):
      #expect(try result.get().model == "fresh")
      #expect(try result.get().save == .failedTolerated(error))
      #expect(lost.isEmpty)
    case (false, _, let works):
      #expect(try result.get().model == "fresh")
      #expect(try result.get().save == .deferred)
      #expect(lost == (works ? [] : [SaveQueue.Failure(name: "flow", resource: .articles, error: error)]))
    }
    #expect((try? result.get().miss) == ((try? result.get()) == nil ? nil : .skipped))
  }

  @Test func `R-007 strict parsing of an incomplete third object fails with its index`() async throws {
    let flow: ReactorFlow<[Article]> = createFlow(
      connection: StubConnection(body: Answer.thirdIncomplete),
      configuration: FlowConfiguration(shouldPrune: false))
    let error = await #expect(throws: ReactorError.self) { try await Reactor(flow: flow).fetch(.articles) }
    #expect(error?.kind == .parser)
    #expect(error?.recordIndex == 2)
    #expect(error?.pointer == "/body")
    #expect(error?.status == 200)
  }

  @Test func `pruning leaves the incomplete one out through a whole fetch and saves the rest`() async throws {
    let folder = try TemporaryFolder()
    let flow: ReactorFlow<[Article]> = createFlow(
      connection: StubConnection(body: Answer.thirdIncomplete),
      configuration: FlowConfiguration(persistence: .enabled(path: folder.file("a.json"))))
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.model.map(\.title) == ["One", "Two"])
    #expect(fetched.report.total == 3)
    #expect(fetched.report.kept == 2)
    #expect(fetched.report.rejections == [.init(index: 2, pointer: "/body", reason: "missing")])
    #expect(try await Reactor(flow: flow).fetch(.articles).model.map(\.title) == ["One", "Two"])
  }

  @Test(arguments: [true, false])
  func `a wholly bad batch is reported and not saved over a good one`(waits: Bool) async throws {
    let persistence = StubPersistence<[Article]>()
    let flow: ReactorFlow<[Article]> = createFlow(connection: StubConnection(body: Answer.allBad))
    let reactor = Reactor(
      flow: flow.persisting(in: persistence), configuration: CoreConfiguration(shouldWaitForSaveToPersistence: waits))
    let fetched = try await reactor.fetch(.articles)
    #expect(fetched.model == [])
    #expect(fetched.save == .withheld)
    #expect(fetched.report.isWhollyRejected)
    #expect(fetched.report.rejections.map(\.index) == [0, 1, 2])
    #expect(await reactor.queue.drain() == [])
    #expect(persistence.saves == [])
  }

  @Test func `an empty array is a result and is saved`() async throws {
    let persistence = StubPersistence<[Article]>()
    let flow: ReactorFlow<[Article]> = createFlow(connection: StubConnection(body: "[]"))
    #expect(try await Reactor(flow: flow.persisting(in: persistence)).fetch(.articles).save == .saved)
    #expect(persistence.saves == [[]])
  }

  @Test func `R-044 persistence can be chosen for one call`() async throws {
    let memory = InMemoryPersistence<[Article]>()
    let flow: ReactorFlow<[Article]> = createFlow(connection: StubConnection(body: Answer.threeArticles))
    let reactor = Reactor(flow: flow)
    let without = try await reactor.fetch(.articles, persistingIn: nil)
    #expect(without.model.count == 3)
    #expect(without.save == .notAsked)
    #expect(await memory.count == 0)
    let with = try await reactor.fetch(.articles, persistingIn: memory)
    #expect(with.save == .saved)
    guard case .hit(let loaded) = try await memory.load(for: .articles) else {
      Issue.record("nothing was persisted")
      return
    }
    #expect(loaded.count == 3)
    #expect(try await reactor.fetch(.articles, persistingIn: memory).source == .persistence)
  }

  @Test(arguments: [
    PersistenceMiss.absent, .expired, .otherResource, .schemaChanged, .unreadable("torn"), .disabled, .skipped,
  ])
  func `any miss goes to the network and keeps its reason`(_ miss: PersistenceMiss) async throws {
    let persistence = StubPersistence<String>(load: { .miss(miss) })
    let flow = ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: persistence)
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.source == .network)
    #expect(fetched.miss == miss)
  }

  @Test func `a failed network leaves what was saved before alone`() async throws {
    let persistence = StubPersistence<[Article]>()
    let flow: ReactorFlow<[Article]> = createFlow(connection: StubConnection(body: Answer.truncated))
    let error = await #expect(throws: ReactorError.self) {
      try await Reactor(flow: flow.persisting(in: persistence)).fetch(.articles)
    }
    #expect(error?.kind == .parser)
    #expect(persistence.saves == [])
  }

  @Test func `steps are reported in order with their durations`() async throws {
    let clock = ManualClock()
    let events = Mutex<[FlowEvent]>([])
    let instruments = FlowInstruments(
      stopwatch: clock.stopwatch, wallClock: clock.wallClock,
      observer: { event in events.withLock { $0.append(event) } })
    let connection = StubConnection { _ in
      clock.advance(by: .seconds(2))
      return Response(status: 200, body: ResponseBody(bytes: Array(Answer.thirdIncomplete.utf8)))
    }
    let flow: ReactorFlow<[Article]> = createFlow(
      connection: connection, reachability: StubReachability(true), instruments: instruments)
    let persistence = StubPersistence<[Article]>(
      load: {
        clock.advance(by: .seconds(1))
        return .miss(.expired)
      },
      save: { model in
        clock.advance(by: .seconds(4))
        return model
      })
    let fetched = try await Reactor(flow: flow.persisting(in: persistence), instruments: instruments).fetch(.articles)
    let bytes = Answer.thirdIncomplete.utf8.count
    #expect(
      events.withLock { $0 } == [
        .started(.load), .finished(.load, .seconds(1)), .missed(.expired), .started(.reach), .finished(.reach, .zero),
        .started(.request), .started(.parse), .received(bytes: bytes), .finished(.request, .seconds(2)),
        .finished(.parse, .zero), .pruned(fetched.report), .started(.save), .finished(.save, .seconds(4)),
      ])
    #expect(fetched.timings.load == .seconds(1))
    #expect(fetched.timings.reach == .zero)
    #expect(fetched.timings.request == .seconds(2))
    #expect(fetched.timings.parse == .zero)
    #expect(fetched.timings.save == .seconds(4))
    #expect(fetched.timings.total == .seconds(7))
    #expect(fetched.bytes == bytes)
    #expect(fetched.status == 200)
  }

  @Test func `a deferred save reports its own steps when it runs`() async throws {
    let events = Mutex<[FlowEvent]>([])
    let clock = ManualClock()
    let instruments = FlowInstruments(
      stopwatch: clock.stopwatch, observer: { event in events.withLock { $0.append(event) } })
    let error = ReactorError.persistence("full")
    let reactor = Reactor(
      flow: ReactorFlow<String>(network: { _ in "fresh" }).persisting(in: StubPersistence(failingSaves: error)),
      configuration: CoreConfiguration(shouldWaitForSaveToPersistence: false), instruments: instruments)
    let fetched = try await reactor.fetchFromNetwork(.articles)
    #expect(fetched.timings.save == nil)
    _ = await reactor.queue.drain()
    #expect(events.withLock { $0 } == [.saveDeferred, .started(.save), .failed(.save, error)])
  }
}
