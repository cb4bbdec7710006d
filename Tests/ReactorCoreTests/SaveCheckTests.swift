import Foundation
import ReactorCore
import Storage
import Synchronization
import TestSupport
import Testing

/// Where a result cannot be saved, a fetch that must save it sends no request.
@Suite struct SaveCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Paths below the folder, with a part of the error.
  static let unusable = [
    ("articles.jsonl", "another format than JSON"), ("articles.csv", "another format than JSON"),
    ("articles.JSONL", "another format than JSON"), ("articles.jsonl.gz", "another format than JSON"),
    ("articles.csv.zst", "another format than JSON"), ("articles.xml", "is not the extension of an output format"),
    ("articles", "no extension"), ("", "empty"), ("../articles.json", "'..'"), ("taken/articles.json", "taken"),
    ("folder.json", "folder"),
  ]

  private func fetch(
    _ path: String, _ configuration: CoreConfiguration = CoreConfiguration(), _ queue: SaveQueue = SaveQueue(),
    isOneModel: Bool = false
  ) async throws -> (outcome: Result<FetchSummary, ReactorError>, requests: Int) {
    try Data().write(to: URL(fileURLWithPath: folder.file("taken")))
    try FileManager.default.createDirectory(atPath: folder.file("folder.json"), withIntermediateDirectories: true)
    let requests = Mutex(0)
    let connection = StubConnection { _ in
      requests.withLock { $0 += 1 }
      return Response(
        status: 200, body: ResponseBody(bytes: Array((isOneModel ? Answer.author : Answer.threeArticles).utf8)))
    }
    let persisted = FlowConfiguration(
      persistence: .enabled(path: path, in: OutputRoot(path: folder.file("."), durability: .fast)))
    func run<Model>(_ flow: ReactorFlow<Model>) async -> Result<FetchSummary, ReactorError> {
      do throws(ReactorError) {
        return .success(
          try await Reactor(flow: flow, configuration: configuration, queue: queue).fetch(.articles).summary)
      } catch {
        return .failure(error)
      }
    }
    let one: ReactorFlow<Author> = createFlow(connection: connection, configuration: persisted)
    let many: ReactorFlow<[Article]> = createFlow(connection: connection, configuration: persisted)
    let outcome = isOneModel ? await run(one) : await run(many.onSave { _, _ in }.mapSave { $0 })
    return (outcome, requests.withLock { $0 })
  }

  @Test(arguments: unusable, [true, false])
  func `a path that cannot be used is found before the request`(_ path: (String, String), _ isOne: Bool) async throws {
    let (outcome, requests) = try await fetch(path.0, isOneModel: isOne)
    let error = #expect(throws: ReactorError.self) { try outcome.get() }
    #expect(error?.kind == .persistence)
    #expect(error?.description.contains(path.1) == true, "\(error?.description ?? "")")
    #expect(requests == 0)
  }

  @Test(arguments: unusable)
  func `a save that may fail does not prevent the request`(_ path: (String, String)) async throws {
    let tolerant = CoreConfiguration(shouldFailWhenSaveToPersistenceFails: false)
    let (outcome, requests) = try await fetch(path.0, tolerant)
    guard case .failedTolerated(let error) = try outcome.get().save else { throw try outcome.get().save.asError }
    #expect(error.kind == .persistence)
    #expect(requests == 1)
    let queue = SaveQueue()
    let later = CoreConfiguration(shouldWaitForSaveToPersistence: false)
    #expect(try await fetch(path.0, later, queue).outcome.get().save == .deferred)
    #expect(await queue.drain().map(\.error.kind) == [.persistence])
  }

  @Test(arguments: ["articles.json", "out/articles.JSON", "articles.json.gz"])
  func `a path of JSON is used`(_ path: String) async throws {
    let (outcome, requests) = try await fetch(path)
    #expect(try outcome.get().save == .saved)
    #expect(requests == 1)
    let (again, more) = try await fetch(path)
    #expect(try again.get().source == .persistence)
    #expect(more == 0)
  }

  @Test func `a closure in place of the save is not checked by the path that it replaces`() async throws {
    var flow: ReactorFlow<[Article]> = createFlow(
      connection: StubConnection(body: Answer.threeArticles),
      configuration: FlowConfiguration(
        persistence: .enabled(path: "a.csv", in: OutputRoot(path: folder.file(".")))))
    flow.saveToPersistenceFlow = { (model, _) async throws(ReactorError) in model }
    #expect(try await Reactor(flow: flow).fetch(.articles).save == .saved)
  }
}

extension SaveOutcome {
  fileprivate var asError: ReactorError { .server("not tolerated: \(self)") }
}
