import Foundation
import ReactorCore
import SharedState
import Storage
import Synchronization
import TestSupport
import Testing

/// What every `StateStore` promises, of files and of a real PostgreSQL server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StateStoreContractTests {
  enum Backend: String, CaseIterable { case local, postgreSQL }

  private static let server = Result { try PostgreSQLServer() }
  static let backends: [Backend] =
    (try? PostgreSQLServer.isAvailable(for: "documents of the shared state")) ?? true
    ? [.local, .postgreSQL] : [.local]

  /// Two stores of one backend, as of two processes.
  private struct Stores {
    let one: any StateStore
    let two: any StateStore
    /// A store whose process dies: it renews no lock.
    let dying: any StateStore
    private let folder: URL

    init(_ backend: Backend) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
      switch backend {
      case .local:
        (one, two) = (LocalStateStore(path: folder.path), LocalStateStore(path: folder.path))
        dying = one
      case .postgreSQL:
        let url = try StateStoreContractTests.server.get().url
        let key = SealingKey(parsing: String(repeating: "ab", count: 32))
        one = DatabaseDocuments(in: StateDatabase(url: url), key: key)
        two = DatabaseDocuments(in: StateDatabase(url: url), key: key)
        dying = DatabaseDocuments(
          in: StateDatabase(url: url), key: key, lease: .milliseconds(300),
          delay: Delay { (_) async throws(ReactorError) in await Pause.exactly(microseconds: 3_600_000_000) })
      }
    }

    func end() { try? FileManager.default.removeItem(at: folder) }
  }

  private func with(_ backend: Backend, _ body: (Stores) async throws -> Void) async throws {
    let stores = try Stores(backend)
    defer { stores.end() }
    try await body(stores)
  }

  /// A document that no other test has.
  private func document(_ kind: StateDocument.Kind = .tokens, _ name: String = UUID().uuidString) -> StateDocument {
    StateDocument(kind, name)
  }

  // MARK: - Documents

  @Test(arguments: backends, StateDocument.Kind.allCases)
  func `a document is read as it was written last, until it is removed`(_ backend: Backend, _ kind: StateDocument.Kind)
    async throws
  {
    try await with(backend) { stores in
      let document = document(kind)
      #expect(try await stores.one.read(document) == nil)
      for bytes in [[1, 2, 0, 255], [], Array("{}\n".utf8)] as [[UInt8]] {
        try await stores.one.write(bytes, as: document)
        #expect(try await stores.two.read(document) == bytes)
      }
      let other = StateDocument(kind == .jobs ? .tokens : .jobs, document.name)
      #expect(try await stores.two.read(other) == nil)
      #expect(try await stores.two.names(of: kind, withPrefix: document.name) == [document.name])
      #expect(try await stores.two.names(of: other.kind, withPrefix: document.name) == [])
      await stores.two.remove(document)
      await stores.two.remove(document)
      #expect(try await stores.one.read(document) == nil)
      #expect(try await stores.one.names(of: kind, withPrefix: document.name) == [])
    }
  }

  @Test(arguments: backends, StateDocument.Kind.allCases)
  func `a name may have any character`(_ backend: Backend, _ kind: StateDocument.Kind) async throws {
    try await with(backend) { stores in
      let own = UUID().uuidString
      let ends = [
        "", "/b", "/../..", "%2Fb", "_", "%", " ü\u{301} 日本", ".tmp", ".json", "'\"\\$1", "\nline", "\u{7F}?*[a]", "~",
      ]
      let names = ends.map { own + $0 } + [".\(own)", "..\(own)", "-\(own)"]
      for (index, name) in names.enumerated() {
        try await stores.one.write([UInt8(index)], as: StateDocument(kind, name))
      }
      for (index, name) in names.enumerated() {
        #expect(try await stores.two.read(StateDocument(kind, name)) == [UInt8(index)], "\(name)")
      }
      let found = try await stores.two.names(of: kind, withPrefix: own)
      #expect(
        Set(found.map { Array($0.utf8) }) == Set(ends.map { Array((own + $0).utf8) }) && found.count == ends.count)
      #expect(try await stores.two.names(of: kind, withPrefix: ".\(own)") == [".\(own)"])
      #expect(try await stores.two.names(of: kind, withPrefix: own + ".t") == [own + ".tmp"])
      for name in names { await stores.two.remove(StateDocument(kind, name)) }
      #expect(try await stores.one.names(of: kind, withPrefix: own) == [])
    }
  }

  @Test(arguments: backends, StateDocument.Kind.allCases)
  func `a document may be large`(_ backend: Backend, _ kind: StateDocument.Kind) async throws {
    try await with(backend) { stores in
      let document = document(kind)
      let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
      try await stores.one.write(bytes, as: document)
      #expect(try await stores.two.read(document) == bytes)
    }
  }

  @Test(arguments: backends) func `of documents written at the same time each is whole`(_ backend: Backend) async throws
  {
    try await with(backend) { stores in
      let shared = document()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in UInt8(0)..<8 {
          let store = number % 2 == 0 ? stores.one : stores.two
          group.addTask {
            try await store.write([UInt8](repeating: number, count: 100_000), as: shared)
            try await store.write([number], as: StateDocument(.jobs, "\(shared.name).\(number)"))
          }
        }
        try await group.waitForAll()
      }
      let bytes = try #require(try await stores.one.read(shared))
      #expect(bytes.count == 100_000 && Set(bytes).count == 1)
      for number in UInt8(0)..<8 {
        #expect(try await stores.two.read(StateDocument(.jobs, "\(shared.name).\(number)")) == [number])
      }
    }
  }

  // MARK: - Locks

  /// Counts those that have a lock.
  private final class Holders: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  @Test(arguments: backends, StateDocument.Kind.allCases)
  func `two holders never have a lock at once`(_ backend: Backend, _ kind: StateDocument.Kind) async throws {
    try await with(backend) { stores in
      let document = document(kind)
      let holders = Holders()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          let store = number % 2 == 0 ? stores.one : stores.two
          group.addTask {
            let lock = try await store.lock(document, otherwise: "busy")
            holders.enter()
            let count = try await store.read(document)?.first ?? 0
            await Pause.exactly(microseconds: 2000)
            try await lock.write([count + 1])
            holders.leave()
            await lock.release()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await stores.one.read(document) == [8])
      #expect(holders.most == 1)
    }
  }

  @Test(arguments: backends) func `a lock that is held is waited for, at most a minute`(_ backend: Backend) async throws
  {
    try await with(backend) { stores in
      let document = document()
      let lock = try #require(try await stores.one.lockIfFree(document))
      #expect(try await stores.one.lockIfFree(document) == nil)
      #expect(try await stores.two.lockIfFree(document) == nil)
      let waited = Mutex(Duration.zero)
      let delay = Delay { (wait) async throws(ReactorError) in waited.withLock { $0 += wait } }
      let error = await #expect(throws: ReactorError.self) {
        _ = try await stores.two.lock(document, delay: delay, otherwise: "another one has it")
      }
      #expect(error?.message == "another one has it" && error?.path == stores.two.location(of: document))
      #expect(waited.withLock { $0 >= .seconds(60) && $0 < .seconds(61) })
      // Another document, and the document of another kind, have their own locks.
      let others = [StateDocument(.jobs, document.name), self.document()]
      for other in others { await (try #require(try await stores.two.lockIfFree(other))).release() }
      let waiting = Task { try await stores.two.lock(document, otherwise: "busy") }
      await Pause.exactly(microseconds: 120_000)
      await lock.release()
      let next = try await waiting.value
      #expect(try await stores.one.lockIfFree(document) == nil)
      await lock.release()
      #expect(try await stores.one.lockIfFree(document) == nil)
      await next.release()
    }
  }

  @Test(arguments: backends) func `the lock of a holder that has died is taken over`(_ backend: Backend) async throws {
    try await with(backend) { stores in
      let document = document()
      var lock = try await stores.dying.lockIfFree(document)
      #expect(lock != nil)
      try await lock?.write([1])
      lock = nil
      let next = try await stores.two.lock(document, otherwise: "busy")
      #expect(try await stores.two.read(document) == [1])
      await next.release()
    }
  }

  @Test(arguments: backends) func `removal leaves the lock`(_ backend: Backend) async throws {
    try await with(backend) { stores in
      let document = document()
      let lock = try #require(try await stores.one.lockIfFree(document))
      try await lock.write([1])
      await stores.two.remove(document)
      #expect(try await stores.two.read(document) == nil)
      #expect(try await stores.two.lockIfFree(document) == nil)
      try await lock.write([2])
      #expect(try await stores.two.read(document) == [2])
      await lock.release()
    }
  }
}
