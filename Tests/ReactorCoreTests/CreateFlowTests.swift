import Foundation
import JSONSyntax
import ReactorCore
import Storage
import Synchronization
import TestSupport
import Testing

@Suite struct CreateFlowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var persisted: FlowConfiguration {
    FlowConfiguration(persistence: .enabled(path: folder.file("out/kept.json")))
  }

  /// A declared schema: the mapping is a value, the model has no type of its own.
  private let declared = ModelMapping<[String: String]>(
    decode: { (json) throws(MappedError) -> [String: String] in ["name": try json.stringField("name")] },
    encode: { .object(JSONObject($0.map { .init(name: $0.key, value: .string($0.value)) })) })

  private func isHit<Model>(_ flow: ReactorFlow<Model>) async throws -> Bool {
    if case .hit = try await flow.loadFromPersistenceFlow(.articles) { true } else { false }
  }

  @Test func `R-008 an array flow with persistence loads after a fetch`() async throws {
    let flow: ReactorFlow<[Article]> = createFlow(
      connection: StubConnection(body: Answer.threeArticles), configuration: persisted)
    #expect(try await !isHit(flow))
    _ = try await Reactor(flow: flow).fetch(.articles)
    #expect(try await isHit(flow))
  }

  @Test func `R-009 an array flow without persistence misses after a fetch`() async throws {
    let flow: ReactorFlow<[Article]> = createFlow(connection: StubConnection(body: Answer.threeArticles))
    #expect(try await Reactor(flow: flow).fetch(.articles).save == .notAsked)
    #expect(try await !isHit(flow))
  }

  @Test func `R-010 a single flow with persistence loads after a fetch`() async throws {
    let flow: ReactorFlow<Author> = createFlow(
      connection: StubConnection(body: Answer.author), configuration: persisted)
    _ = try await Reactor(flow: flow).fetch(.articles)
    #expect(try await isHit(flow))
  }

  @Test func `R-011 a single flow without persistence misses after a fetch`() async throws {
    let flow: ReactorFlow<Author> = createFlow(connection: StubConnection(body: Answer.author))
    _ = try await Reactor(flow: flow).fetch(.articles)
    #expect(try await !isHit(flow))
  }

  @Test func `declared mappings make flows like compiled types, from a connection and from a base URL`() async throws {
    let single = StubConnection(body: Answer.author)
    let many = StubConnection(body: "[\(Answer.author), {}]")
    let nested = StubConnection(body: "{\"data\": [\(Answer.author), {}]}")
    let expected = ["name": "Ada"]
    let base = "http://h/api"
    #expect(
      try await Reactor(flow: createFlow(mapping: declared, connection: single)).fetch(.articles).model == expected)
    #expect(
      try await Reactor(flow: createFlow(elements: declared, connection: many)).fetch(.articles).model == [expected])
    #expect(
      try await Reactor(flow: createFlow(elements: declared, under: "data", connection: nested)).fetch(.articles).model
        == [expected])
    let provider = StubConnectionProvider(single)
    #expect(
      try await Reactor(flow: createFlow(mapping: declared, baseURL: base, provider: provider)).fetch(.articles).model
        == expected)
    #expect(
      try await Reactor(flow: createFlow(elements: declared, baseURL: base, provider: StubConnectionProvider(many)))
        .fetch(.articles).model == [expected])
    #expect(provider.baseURLs == ["http://h/api"])
  }

  @Test func `compiled types make flows and reactors from a base URL`() async throws {
    let single: ReactorFlow<Author> = createFlow(
      baseURL: "http://h", provider: StubConnectionProvider(StubConnection(body: Answer.author)))
    #expect(try await Reactor(flow: single).fetch(.articles).model == Author(name: "Ada"))
    let many: ReactorFlow<[Article]> = createFlow(
      baseURL: "http://h", provider: StubConnectionProvider(StubConnection(body: Answer.threeArticles)))
    #expect(try await Reactor(flow: many).fetch(.articles).model == Article.all)
    let author = Reactor<Author>(
      baseURL: "http://h", provider: StubConnectionProvider(StubConnection(body: Answer.author)))
    #expect(try await author.fetch(.articles).model == Author(name: "Ada"))
    let articles = Reactor<[Article]>(
      baseURL: "http://h", provider: StubConnectionProvider(StubConnection(body: Answer.thirdIncomplete)),
      configuration: ReactorConfiguration(shouldPrune: false))
    let error = await #expect(throws: ReactorError.self) { try await articles.fetch(.articles) }
    #expect(error?.recordIndex == 2)
  }

  @Test(arguments: [true, false])
  func `the reachability flag is honoured by every factory`(_ checks: Bool) async throws {
    let configuration = FlowConfiguration(shouldCheckReachability: checks)
    let requests = Mutex(0)
    func one(_ reachability: any Reachability = AlwaysReachable()) -> StubConnection {
      StubConnection(reachability: reachability) { _ in
        requests.withLock { $0 += 1 }
        return Response(status: 200, body: ResponseBody(bytes: Array(Answer.author.utf8)))
      }
    }
    func many(_ reachability: any Reachability = AlwaysReachable()) -> StubConnection {
      StubConnection(reachability: reachability) { _ in
        requests.withLock { $0 += 1 }
        return Response(status: 200, body: ResponseBody(bytes: Array("[]".utf8)))
      }
    }
    func ends(_ fetch: (any Reachability) async throws -> Void) async throws {
      let reachability = StubReachability(false)
      if checks {
        await #expect(throws: ReactorError.noConnectivity) { try await fetch(reachability) }
      } else {
        try await fetch(reachability)
      }
      #expect(reachability.checks == (checks ? 1 : 0))
    }
    func run<Model>(_ flow: ReactorFlow<Model>) async throws { _ = try await Reactor(flow: flow).fetch(.articles) }
    let base = "http://h"
    try await ends {
      let flow: ReactorFlow<Author> = createFlow(connection: one($0), configuration: configuration)
      try await run(flow)
    }
    try await ends {
      let flow: ReactorFlow<[Author]> = createFlow(connection: many($0), configuration: configuration)
      try await run(flow)
    }
    try await ends {
      let flow: ReactorFlow<Author> = createFlow(
        connection: one(StubReachability(!checks)), reachability: $0, configuration: configuration)
      try await run(flow)
    }
    try await ends {
      let flow: ReactorFlow<[Author]> = createFlow(connection: many(), reachability: $0, configuration: configuration)
      try await run(flow)
    }
    try await ends {
      try await run(createFlow(mapping: declared, connection: one(), reachability: $0, configuration: configuration))
    }
    try await ends {
      try await run(createFlow(elements: declared, connection: many($0), configuration: configuration))
    }
    try await ends {
      let flow: ReactorFlow<Author> = createFlow(
        baseURL: base, provider: StubConnectionProvider(one($0)), configuration: configuration)
      try await run(flow)
    }
    try await ends {
      let flow: ReactorFlow<[Author]> = createFlow(
        baseURL: base, provider: StubConnectionProvider(many($0)), configuration: configuration)
      try await run(flow)
    }
    try await ends {
      try await run(
        createFlow(
          mapping: declared, baseURL: base, provider: StubConnectionProvider(one($0)), configuration: configuration))
    }
    try await ends {
      try await run(
        createFlow(
          elements: declared, baseURL: base, provider: StubConnectionProvider(many($0)), configuration: configuration))
    }
    try await ends {
      let network = Network(connection: one(), reachability: $0)
      try await run(createFlow(mapping: declared, connection: network, configuration: configuration))
    }
    #expect(requests.withLock { $0 } == (checks ? 0 : 11))
  }

  @Test func `two hosts that share a path never share a persisted result`() async throws {
    func flow(_ host: String, _ name: String) -> ReactorFlow<Author> {
      createFlow(connection: StubConnection(baseURL: host, body: #"{"name": "\#(name)"}"#), configuration: persisted)
    }
    let one = Reactor(flow: flow("http://one.test", "One"))
    let two = Reactor(flow: flow("http://two.test", "Two"))
    #expect(try await one.fetch(.articles).model.name == "One")
    let second = try await two.fetch(.articles)
    #expect(second.model.name == "Two")
    #expect(second.miss == .otherResource)
    #expect(try await two.fetch(.articles).source == .persistence)
    #expect(try await one.fetch(.articles).source == .network)
  }

  @Test func `a network given as connection keeps its modifier and its cancelAllConnections`() async throws {
    let network = Network(connection: StubConnection(status: 404, body: Answer.author), responseModifier: .passThrough)
    let flow: ReactorFlow<Author> = createFlow(connection: network)
    let fetched = try await Reactor(flow: flow).fetch(.articles)
    #expect(fetched.status == 404)
    let hanging = HangingConnection()
    let open = Network(connection: hanging)
    let waiting: ReactorFlow<Author> = createFlow(connection: open)
    let task = Task { try await Reactor(flow: waiting).fetch(.articles) }
    await hanging.isHanging.wait()
    open.cancelAllConnections()
    let result = await task.result
    #expect(throws: ReactorError.cancelled) { try result.get() }
  }

  @Test func `a response modifier reaches the flow`() async throws {
    let flow: ReactorFlow<Author> = createFlow(
      connection: StubConnection(status: 404, body: Answer.author), responseModifier: .accepting { $0 == 404 })
    #expect(try await Reactor(flow: flow).fetch(.articles).model == Author(name: "Ada"))
  }

  @Test func `two resources on one flow do not mix`() async throws {
    let connection = StubConnection(bodies: ["/a": #"{"name": "A"}"#, "/b": #"{"name": "B"}"#])
    let flow: ReactorFlow<Author> = createFlow(connection: connection, configuration: persisted)
    let reactor = Reactor(flow: flow)
    let a = Resource(path: "/a", method: .GET)
    let b = Resource(path: "/b", method: .GET)
    #expect(try await reactor.fetch(a).model.name == "A")
    let second = try await reactor.fetch(b)
    #expect(second.model.name == "B")
    #expect(second.miss == .otherResource)
    #expect(try await reactor.fetch(b).source == .persistence)
  }

  @Test func `a corrupt file falls back to the network and is repaired`() async throws {
    let flow: ReactorFlow<Author> = createFlow(
      connection: StubConnection(body: Answer.author),
      configuration: FlowConfiguration(persistence: .enabled(path: folder.file("kept.json"))))
    let reactor = Reactor(flow: flow)
    _ = try await reactor.fetch(.articles)
    try "{\"torn".write(toFile: folder.file("kept.json"), atomically: false, encoding: .utf8)
    let fetched = try await reactor.fetch(.articles)
    #expect(fetched.source == .network)
    guard case .unreadable = fetched.miss else {
      Issue.record("missed for another reason: \(String(describing: fetched.miss))")
      return
    }
    #expect(try await reactor.fetch(.articles).source == .persistence)
  }

  @Test func `expiry is checked in fetch`() async throws {
    let clock = ManualClock()
    let connection = StubConnection(body: Answer.author)
    let flow: ReactorFlow<Author> = createFlow(
      connection: connection,
      configuration: FlowConfiguration(
        persistence: .enabled(path: folder.file("kept.json"), expiresAfter: .seconds(60))),
      instruments: FlowInstruments(stopwatch: clock.stopwatch, wallClock: clock.wallClock))
    let reactor = Reactor(flow: flow)
    _ = try await reactor.fetch(.articles)
    clock.advance(by: .seconds(59))
    #expect(try await reactor.fetch(.articles).source == .persistence)
    clock.advance(by: .seconds(1))
    #expect(try await reactor.fetch(.articles).miss == .expired)
    #expect(connection.requests.count == 2)
  }

  @Test func `configurations have upstream's defaults`() {
    let flow = FlowConfiguration()
    guard case .disabled = flow.persistence else {
      Issue.record("a flow persists by default")
      return
    }
    #expect(flow.shouldCheckReachability)
    #expect(flow.shouldPrune)
    let core = CoreConfiguration()
    #expect(core.shouldFailWhenSaveToPersistenceFails)
    #expect(core.shouldWaitForSaveToPersistence)
    let both = ReactorConfiguration()
    guard case .disabled = both.persistence else {
      Issue.record("a reactor persists by default")
      return
    }
    #expect(both.shouldCheckReachability && both.shouldPrune)
    #expect(both.shouldFailWhenSaveToPersistenceFails && both.shouldWaitForSaveToPersistence)
  }
}
