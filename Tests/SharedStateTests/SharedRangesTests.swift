import BatchRunner
import FlowRuntime
import Foundation
import ReactorCore
import SharedState
import Synchronization
import TestSupport
import Testing

/// Ranges of a flow's parents that processes of a run request for each other, in a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "shared state")) ?? true))
struct SharedRangesTests {
  private static let server = Result { try PostgreSQLServer() }

  private let server: PostgreSQLServer
  private let database: StateDatabase
  private let run = UUID().uuidString

  init() throws {
    server = try Self.server.get()
    database = StateDatabase(url: server.url)
  }

  private func joined(_ name: String) async throws -> SharedRun {
    var settings = SharedRun.Settings()
    (settings.lease, settings.jobs) = (.seconds(60), 2)
    let member = SharedRun(run, in: database, by: SharedRun.Member(id: name, host: "test", pid: 1), settings)
    _ = try await member.join([("a", [])], digest: "d")
    return member
  }

  private func expire(_ process: String, in tables: String...) async throws {
    for table in tables {
      _ = try await database.run(
        "UPDATE \(table) SET lease = clock_timestamp() - interval '1 second' WHERE run = $1 AND process = $2",
        [run, process])
    }
  }

  /// A process that has flow `a`, and what passes its ranges.
  private func owner(_ name: String = "one") async throws -> (SharedRun, any RangeExchange) {
    let member = try await joined(name)
    #expect(await member.claim(1) == .flows(["a"]))
    return (member, try #require(await member.ranges(of: "a")))
  }

  @Test func `a free process requests what the owner has not begun, and the owner gets the responses`() async throws {
    let (one, exchange) = try await owner()
    for number in 0..<4 { await exchange.offer(number, Array("parents \(number)".utf8)) }
    #expect(await exchange.claim(0) == .own)
    #expect(await exchange.claimFree(from: 1) == 1)

    let two = try await joined("two")
    let asked = Mutex<[String]>([])
    await two.help { flow, content in
      asked.withLock { $0.append("\(flow): \(String(decoding: content, as: UTF8.self))") }
      return [0, 255, UInt8(content.count)]
    }
    guard case .later = await two.claim(1) else {
      Issue.record("a flow is left for it")
      return
    }
    while asked.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(await exchange.claim(1) == .own)
    var claim = await exchange.claim(2)
    while claim == .elsewhere { claim = await exchange.claim(2) }
    #expect(claim == .responses([0, 255, 9]))
    while await exchange.claim(3) == .elsewhere {}
    #expect(asked.withLock { $0 } == ["a: parents 2", "a: parents 3"])
    // What was used is gone, and so is the rest in the end.
    let count = "SELECT count(*) FROM reactor_ranges WHERE run = '\(run)'"
    #expect(try server.sql(count) == "1")
    await exchange.end()
    #expect(try server.sql(count) == "0")
    await two.leave()
    await one.leave()
  }

  @Test func `the range of a process that is gone is requested by another one`() async throws {
    let (one, exchange) = try await owner()
    await exchange.offer(0, [])
    let begun = Mutex(false)
    let two = try await joined("two")
    await two.help { _, _ in
      begun.withLock { $0 = true }
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
      return []
    }
    _ = await two.claim(1)
    while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(await exchange.claim(0) == .elsewhere)
    try await expire("two", in: "reactor_ranges")
    #expect(await exchange.claim(0) == .own)

    // A process that leaves gives its range back.
    await exchange.offer(1, [])
    begun.withLock { $0 = false }
    let three = try await joined("three")
    await three.help { _, _ in
      begun.withLock { $0 = true }
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
      return []
    }
    _ = await three.claim(1)
    while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    await three.leave()
    #expect(await exchange.claim(1) == .own)
    await two.leave()
    await one.leave()
  }

  @Test func `nobody requests the ranges of a process whose flow was taken over`() async throws {
    let (one, old) = try await owner()
    await old.offer(0, Array("old".utf8))
    try await expire("one", in: "reactor_claims", "reactor_processes")
    let (two, new) = try await owner("two")
    let three = try await joined("three")
    let asked = Mutex<[String]>([])
    await three.help { _, content in
      asked.withLock { $0.append(String(decoding: content, as: UTF8.self)) }
      return []
    }
    _ = await three.claim(1)
    await old.offer(1, Array("old".utf8))
    await new.offer(0, Array("new".utf8))
    while asked.withLock({ $0.isEmpty }) { _ = await three.claim(1) }
    while await new.claim(0) == .elsewhere {}
    #expect(asked.withLock { $0 } == ["new"])
    // The process that has lost the flow sends its requests itself, until it is cancelled.
    #expect(await old.claim(0) == .own)
    #expect(await old.claimFree(from: 0) == nil)
    for member in [one, two, three] { await member.leave() }
  }

  @Test func `without the database, the owner requests everything`() async throws {
    let (one, exchange) = try await owner()
    await exchange.offer(0, [])
    try server.sql("ALTER TABLE reactor_ranges RENAME TO away")
    await exchange.offer(1, [])
    #expect(await exchange.claim(0) == .own)
    #expect(await exchange.claimFree(from: 1) == nil)
    try server.sql("ALTER TABLE away RENAME TO reactor_ranges")
    await exchange.end()
    await one.leave()
  }

  @Test func `a server that has become read-only is left for its successor`() async throws {
    let database = StateDatabase(url: server.url)
    #expect(try await database.run("SELECT 1").count == 1)
    let name = try server.sql("SELECT current_database()")
    try server.sql("ALTER DATABASE \(name) SET default_transaction_read_only = on")
    await database.close()
    async let added = database.run("CREATE TABLE successor (id int)", for: .seconds(20))
    try await Task.sleep(for: .milliseconds(300))
    try server.sql(
      "SET default_transaction_read_only = off; ALTER DATABASE \(name) RESET default_transaction_read_only")
    _ = try await added
    #expect(try server.sql("SELECT count(*) FROM successor") == "0")
  }
}
