import Foundation
import Synchronization
import TestSupport

/// Flows of each mode that load versions of a server's records into tables, and what must hold after any disturbance.
///
/// The records of version `v` are events 1 … `v × step`. Table `merged` has the last event of each key, `appended` every
/// event, `replaced` rows of one version.
final class TableBench {
  /// Events that a version adds.
  static let step = 100
  /// Keys of `merged`.
  private static let keys = 250
  /// Rows of `replaced`.
  private static let size = 600
  static let tables = ["merged", "appended", "replaced"]

  let store: TableStore
  /// The output root.
  let root: URL
  let workspace: Workspace
  private let environment: [String: String]
  private let server: ScriptedServer
  private let served: Version
  /// The version of the server.
  private(set) var version = 0

  private final class Version: Sendable {
    let value = Mutex(0)
  }

  /// - Parameters:
  ///   - root: the output root; below the workspace unless given
  ///   - head: further keys of the flow file
  ///   - environment: what each run has besides
  init(
    _ store: TableStore, root: URL? = nil, head: String = "", environment: [String: String] = [:]
  ) async throws {
    self.store = store
    self.environment = environment
    let workspace = try Workspace()
    self.workspace = workspace
    self.root = root ?? workspace.folder.appendingPathComponent("results")
    let served = Version()
    self.served = served
    server = try ScriptedServer { request in
      let body = Self.body(request.target, served.value.withLock { $0 })
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try workspace.write(
      """
      reactor: 1
      \(head)
      \(store.declaration)
      http: { base_url: "\(server.url)", timeout: 20s }
      defaults: { reachability: false, retry: none }
      schemas: { row: { key: id, fields: { id: integer, n: integer, pad: string } } }
      flows:
        merge: { resource: /merge, schema: row, cursor: { field: n, query: since }, persistence: { store: db, table: merged, mode: merge } }
        append: { resource: /append, schema: row, cursor: { field: n, query: since, bounds: "(]" }, persistence: { store: db, table: appended, mode: append } }
        replace: { resource: /replace, schema: row, persistence: { store: db, table: replaced } }

      """, to: "flows/a.yaml")
    if root == nil { try FileManager.default.createDirectory(at: self.root, withIntermediateDirectories: true) }
  }

  deinit { server.stop() }

  // MARK: - Running

  /// Lets the server have another version.
  func advance(to version: Int? = nil) {
    self.version = version ?? self.version + 1
    served.value.withLock { $0 = self.version }
  }

  /// Starts `reactor run` over the flows, by way of another program when one is given.
  func start(
    _ arguments: [String] = [], root: String? = nil, through wrapper: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Program {
    let flows = workspace.folder.appendingPathComponent("flows").path
    let command =
      wrapper + [try Repository.program("reactor"), "run", flows, "--fresh", "--root", root ?? self.root.path]
      + arguments
    return try Program(
      command[0], Array(command.dropFirst()), in: workspace.folder,
      environment: self.environment.merging(environment) { $1 })
  }

  /// How many microseconds a run takes when nothing happens to it.
  func undisturbed() async throws -> Int {
    var shortest = 60.0
    for _ in 0..<3 {
      advance()
      let outcome = try await start().end()
      shortest = min(shortest, outcome.seconds)
      let wrong = complaints(from: version)
      guard outcome.status == 0, wrong.isEmpty else {
        throw TableStore.Failure(description: "before anything was disturbed: \(wrong) \(outcome.stderr)")
      }
    }
    return Int(shortest * 1_100_000)
  }

  /// A rerun must end as if nothing had been.
  func recover(root: String? = nil, through wrapper: [String] = []) async throws -> [String] {
    let again = try await start(root: root, through: wrapper).end()
    guard again.status == 0 else { return ["the rerun ended with \(again.status): \(again.stderr)"] }
    return complaints(from: version)
  }

  // MARK: - Judging

  /// What is wrong with the tables, each of which must have the whole of a version between two, in words.
  ///
  /// - Parameter old: the version before the disturbance; nil where there were no tables, so that some may lack. The
  ///   other version is that of the server.
  func complaints(from old: Int?) -> [String] {
    do {
      let names = old == nil ? try store.tables(below: root) : Set(Self.tables)
      let found = Self.tables.filter(names.contains)
      guard !found.isEmpty else { return [] }
      return try look(at: found).flatMap { table -> [String] in
        let isKnown = (min(old ?? version, version)...version).contains(table.version)
        return table.wrong + (isKnown ? [] : ["\(table.name) has version \(table.version)"])
      }
    } catch {
      return ["\(error)"]
    }
  }

  /// How many tables have the newest version.
  func renewed() -> Int {
    let names = (try? store.tables(below: root)) ?? []
    return ((try? look(at: Self.tables.filter(names.contains))) ?? []).count { $0.version == version }
  }

  /// Takes the database away.
  func forget() throws {
    switch store.kind {
    case .postgres: try store.server?.sql("DROP SCHEMA \(store.schema) CASCADE; CREATE SCHEMA \(store.schema)")
    case .sqlite:
      try FileManager.default.removeItem(at: root)
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }
  }

  private typealias Look = (name: String, version: Int, wrong: [String])

  private func look(at tables: [String]) throws -> [Look] {
    let lines = try store.lines(tables.flatMap(Self.queries), below: root).map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
    guard lines.count == tables.count * 3 else { throw TableStore.Failure(description: "\(tables): \(lines)") }
    return tables.enumerated().map { index, name in Self.judge(name, Array(lines[(index * 3)..<(index * 3 + 3)])) }
  }

  /// One line each: the rows of a table, its stamp, and its loads.
  private static func queries(_ table: String) -> [String] {
    let rows = "SELECT count(*), coalesce(sum(n), 0), coalesce(max(n), 0), count(DISTINCT id), min(n) FROM \(table)"
    // The stamp must be that of a load, with its counts.
    let stamp = """
      SELECT t.records, coalesce(t.cursor, ''), count(l.load) FROM reactor_tables t LEFT JOIN reactor_loads l \
      ON l.load = t.load AND l.name = t.name AND l.records = t.records \
      AND coalesce(l.cursor_after, '') = coalesce(t.cursor, '') \
      WHERE t.name = '\(table)' GROUP BY t.records, t.cursor
      """
    // Each load continues from the end of another, and an appended row belongs to a load that had so many.
    let strays =
      table == "appended"
      ? """
      (SELECT count(*) FROM reactor_loads l WHERE name = 'appended' AND received <> \
      (SELECT count(*) FROM appended a WHERE a.reactor_load = l.load)), \
      (SELECT count(*) FROM appended a WHERE NOT EXISTS (SELECT 1 FROM reactor_loads l WHERE l.load = a.reactor_load))
      """ : "0, 0"
    let loads = """
      SELECT count(*), coalesce(sum(received), 0), \(strays), \
      (SELECT count(*) FROM reactor_loads l WHERE name = '\(table)' AND cursor_before IS NOT NULL AND NOT EXISTS \
      (SELECT 1 FROM reactor_loads b WHERE b.name = l.name AND b.cursor_after = l.cursor_before)) \
      FROM reactor_loads WHERE name = '\(table)'
      """
    return [rows, stamp, loads]
  }

  private static func judge(_ name: String, _ lines: [[String]]) -> Look {
    let (rows, stamp, loads) = (lines[0].map { Int($0) ?? 0 }, lines[1], lines[2].map { Int($0) ?? 0 })
    var wrong: [String] = []
    func expect(_ isTrue: Bool, _ words: String) {
      if !isTrue { wrong.append("\(name): \(words): rows \(rows), stamp \(stamp), loads \(loads)") }
    }
    guard rows.count == 5, stamp.count == 3, loads.count == 5 else { return (name, -1, ["\(name): \(lines)"]) }
    let (count, sum, last, distinct) = (rows[0], rows[1], rows[2], rows[3])
    expect(Int(stamp[0]) == count, "the stamp has another number of rows")
    expect(stamp[2] == "1", "the stamp is not that of a load")
    expect(loads[2] == 0 && loads[3] == 0, "rows and loads do not agree")
    expect(loads[4] == 0, "a load continues from nothing")
    expect(count == distinct, "rows are doubled")
    guard name != "replaced" else {
      expect(count == size && rows[4] == last, "it is not one whole version")
      expect(sum == last * count && loads[1] == loads[0] * size, "its loads were not whole")
      return (name, last, wrong)
    }
    let cursor = Int(stamp[1].filter(\.isNumber)) ?? -1
    expect(cursor == last && last.isMultiple(of: step), "the cursor is not that of the rows")
    let expected = name == "appended" ? last : min(last, keys)
    expect(count == expected, "rows are lost or too many")
    // The last ones of 1 … last.
    expect(sum == expected * (2 * last - expected + 1) / 2, "rows are not those of the cursor")
    if name == "appended" { expect(loads[1] == count, "the loads have another number of rows") }
    return (name, last / step, wrong)
  }

  // MARK: - The server

  private static func body(_ target: String, _ version: Int) -> String {
    let since = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
    let pad = String(repeating: "x", count: 100)
    func record(_ id: Int, _ n: Int) -> String { #"{"id":\#(id),"n":\#(n),"pad":"\#(pad)"}"# }
    let last = version * step
    let records: [String] =
      switch target.prefix(while: { $0 != "?" }) {
      case "/merge": since > last ? [] : (max(since, 1)...last).map { record($0 % keys, $0) }
      case "/append": since >= last ? [] : ((since + 1)...last).map { record($0, $0) }
      default: (1...size).map { record($0, version) }
      }
    return "[" + records.joined(separator: ",") + "]"
  }
}
