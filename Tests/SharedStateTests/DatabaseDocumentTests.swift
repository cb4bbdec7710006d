import Databases
import Foundation
import ReactorCore
import SharedState
import Storage
import TestSupport
import Testing

/// Documents in a real PostgreSQL server: what only a database has.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "documents of the shared state")) ?? true))
struct DatabaseDocumentTests {
  private static let server = Result { try PostgreSQLServer() }
  private static let key = SealingKey(parsing: String(repeating: "ab", count: 32))

  private let server: PostgreSQLServer
  private let document = StateDocument(.tokens, UUID().uuidString)

  init() throws { server = try Self.server.get() }

  private func store(key: SealingKey? = DatabaseDocumentTests.key, lease: Duration = .seconds(30)) -> DatabaseDocuments
  {
    DatabaseDocuments(in: StateDatabase(url: server.url), key: key, lease: lease)
  }

  /// A store that renews no lock, as of a process that was stopped.
  private func stopped() -> DatabaseDocuments {
    DatabaseDocuments(
      in: StateDatabase(url: server.url), key: Self.key, lease: .milliseconds(200),
      delay: Delay { (_) async throws(ReactorError) in await Pause.exactly(microseconds: 3_600_000_000) })
  }

  @Test func `a lock is renewed while it is held`() async throws {
    let lock = try #require(try await store(lease: .milliseconds(300)).lockIfFree(document))
    await Pause.exactly(microseconds: 700_000)
    #expect(try await store().lockIfFree(document) == nil)
    await lock.release()
    #expect(try await store().lockIfFree(document) != nil)
  }

  @Test func `what is written after the lease is stored, unless another process has the lock`() async throws {
    let lock = try #require(try await stopped().lockIfFree(document))
    await Pause.exactly(microseconds: 300_000)
    try await lock.write(Array("one".utf8))
    let other = try #require(try await store().lockIfFree(document))
    let error = await #expect(throws: ReactorError.self) { try await lock.write(Array("late".utf8)) }
    #expect(error?.message.hasPrefix("another process has locked document tokens/") == true, "\(error?.message ?? "")")
    #expect(error?.isOfSharedState == false)
    await lock.release()
    #expect(try await store().lockIfFree(document) == nil)
    #expect(try await store().read(document) == Array("one".utf8))
    await other.release()
    await #expect(throws: ReactorError.self) { try await lock.write(Array("late".utf8)) }
    #expect(try await store().read(document) == Array("one".utf8))
  }

  @Test func `a token is sealed, and refused without its key`() async throws {
    try await store().write(Array("token-12345".utf8), as: document)
    let stored = try server.sql("SELECT encode(bytes, 'escape') FROM reactor_documents WHERE name = '\(document.name)'")
    #expect(!stored.isEmpty && !stored.contains("token"), "\(stored)")
    let cases: [(SealingKey?, String)] = [
      (nil, "is sealed, and there is no key"),
      (SealingKey(parsing: String(repeating: "cd", count: 32)), "was sealed with another key"),
    ]
    for (key, words) in cases {
      let error = await #expect(throws: ReactorError.self) { _ = try await store(key: key).read(document) }
      #expect(error?.message == "document tokens/\(document.name) of the shared state \(words)")
      #expect(error?.help?.contains("REACTOR_STATE_KEY") == true)
    }
    await #expect(throws: ReactorError.self) { try await store(key: nil).write([1], as: document) }
    await #expect(throws: ReactorError.self) { _ = try await store(key: nil).lockIfFree(document) }
    let other = StateDocument(.tokens, document.name + " other")
    try server.sql(
      "INSERT INTO reactor_documents (kind, name, bytes) SELECT kind, '\(other.name)', bytes FROM reactor_documents "
        + "WHERE name = '\(document.name)'")
    let error = await #expect(throws: ReactorError.self) { _ = try await store().read(other) }
    #expect(error?.message.contains("was changed by another program") == true, "\(error?.message ?? "")")
  }

  @Test func `a job is sealed if there is a key`() async throws {
    let job = StateDocument(.jobs, document.name)
    let text = "SELECT encode(bytes, 'escape') FROM reactor_documents WHERE name = '\(job.name)'"
    try await store(key: nil).write(Array("job 17".utf8), as: job)
    #expect(try server.sql(text).contains("job 17") && !store(key: nil).seals(.jobs))
    #expect(try await store().read(job) == Array("job 17".utf8))
    try await store().write(Array("job 18".utf8), as: job)
    #expect(try !server.sql(text).contains("job 18") && store().seals(.jobs))
    #expect(try await store().read(job) == Array("job 18".utf8))
  }

  @Test func `a database of an earlier version gets the table`() async throws {
    let own = try PostgreSQLServer()
    let database = StateDatabase(url: own.url)
    _ = try await database.run("SELECT 1")
    await database.close()
    try own.sql("DROP TABLE reactor_documents")
    let store = DatabaseDocuments(in: StateDatabase(url: own.url), key: Self.key)
    try await store.write([1], as: document)
    #expect(try await store.read(document) == [1])
  }

  @Test func `a database that is away is an error of the state, and not a document that is missing`() async throws {
    let own = try PostgreSQLServer()
    let store = DatabaseDocuments(in: StateDatabase(url: own.url, stopwatch: Stopwatch { .zero }), key: nil)
    try await store.write([1], as: StateDocument(.jobs, "a"))
    own.stop()
    let hasty = DatabaseDocuments(
      in: StateDatabase(
        url: own.url, delay: Delay { (_) async throws(ReactorError) in },
        stopwatch: Self.fast()), key: nil)
    let error = await #expect(throws: ReactorError.self) { _ = try await hasty.read(StateDocument(.jobs, "a")) }
    #expect(error?.isOfSharedState == true, "\(error?.message ?? "")")
  }

  /// A stopwatch on which ten seconds pass with each reading.
  private static func fast() -> Stopwatch {
    let clock = ManualClock()
    return Stopwatch {
      clock.advance(by: .seconds(10))
      return clock.stopwatch.reading()
    }
  }
}
