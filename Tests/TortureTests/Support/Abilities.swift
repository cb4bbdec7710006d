import Foundation
import Synchronization
import TestSupport

/// Flows that join new records with old ones, keep rejected ones apart, spool pages, and remember up to where they are.
///
/// Every trial begins with the same files: the results of version 1, made undisturbed, and a server of version 2.
final class Abilities {
  /// What is kept below the root.
  static let files = ["merge", "append", "letters", "letters.bad", "pages", "each", "cursor", "log"].map {
    "out/\($0).jsonl"
  }
  /// Greatest values of `n` in versions 1 and 2.
  private static let last = [0, 50, 80]

  let root: URL
  let workspace: Workspace
  private let server: ScriptedServer
  private let version = Version()
  /// Contents of the two versions, and of a second pull of version 2.
  private(set) var old: [String: Data] = [:]
  private(set) var new: [String: Data] = [:]
  private(set) var twice: [String: Data] = [:]
  /// The files of what version 2 remembers of parents, which are named by their content.
  private var states: Set<String> = []

  private final class Version: Sendable {
    let value = Mutex(1)
  }

  init() async throws {
    workspace = try Workspace()
    root = workspace.folder.appendingPathComponent("results")
    server = try ScriptedServer { [version] request in
      let body = Abilities.answer(request.target, version.value.withLock { $0 })
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 20s }
      defaults: { reachability: false, retry: none }
      schemas:
        item: { key: id, fields: { id: integer, v: integer, pad: string } }
        event: { key: id, fields: { id: integer, n: integer } }
      flows:
        merge: { resource: /merge, schema: item, persistence: { path: out/merge.jsonl, mode: merge } }
        append: { resource: /append, schema: item, persistence: { path: out/append.jsonl, mode: append } }
        letters: { resource: /letters, schema: item, prune: true, rejected: out/letters.bad.jsonl, persistence: out/letters.jsonl }
        pages: { resource: /pages, pages: { by: page, query: page }, persistence: out/pages.jsonl }
        parents: { resource: /parents }
        each: { resource: "/children/{{ parent.id }}", each: { flow: parents, concurrency: 2 }, persistence: out/each.jsonl }
        cursor: { resource: /cursor, schema: event, cursor: { field: n, query: since }, persistence: { path: out/cursor.jsonl, mode: merge } }
        log: { resource: /log, schema: event, cursor: { field: n, query: since, bounds: "(]" }, persistence: { path: out/log.jsonl, mode: append } }

      """, to: "flows/a.yaml")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try await make()
    old = contents()
    try FileManager.default.copyItem(at: root, to: base)
    version.value.withLock { $0 = 2 }
    try await make()
    new = contents()
    states = Self.states(below: root)
    try await make()
    twice = contents()
    guard !states.isEmpty else { throw Failure(text: "nothing is remembered of parents") }
  }

  private static func states(below root: URL) -> Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent(".reactor/cursors").path)
    return Set((names ?? []).map { ".reactor/cursors/\($0)" })
  }

  deinit { server.stop() }

  struct Failure: Error {
    let text: String
  }

  private var base: URL { workspace.folder.appendingPathComponent("base") }

  private func make() async throws {
    let outcome = try await start().end()
    guard outcome.status == 0, contents().count == Self.files.count else { throw Failure(text: outcome.stderr) }
  }

  // MARK: - Trials

  /// Puts everything back to version 1.
  func restore() throws {
    try? FileManager.default.removeItem(at: root)
    try FileManager.default.copyItem(at: base, to: root)
  }

  func start(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Program {
    try Program(
      try Repository.program("reactor"), ["run", "flows", "--fresh", "--root", root.path] + arguments,
      in: workspace.folder, environment: environment)
  }

  func contents() -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: Self.files.compactMap { file in
        (try? Data(contentsOf: root.appendingPathComponent(file))).map { (file, $0) }
      })
  }

  // MARK: - Judging

  /// Files that are neither of version 1 nor of version 2, and results whose rejected records are another version's.
  func thirds() -> [String] {
    let now = contents()
    var wrong = Self.files.filter { now[$0] != old[$0] && now[$0] != new[$0] }.map { "\($0) is neither old nor new" }
    if now["out/letters.jsonl"] == new["out/letters.jsonl"],
      now["out/letters.bad.jsonl"] != new["out/letters.bad.jsonl"]
    {
      wrong.append("letters.jsonl is new and its rejected records are not")
    }
    return wrong
  }

  /// A rerun ends as if nothing had been, and asks from where the content ends that it found.
  func recover() async throws -> [String] {
    let before = contents()
    let asked = server.requests.count
    let again = try await start().end()
    guard again.status == 0 else { return ["the rerun ended with \(again.status): \(again.stderr)"] }
    let now = contents()
    var wrong: [String] = []
    for file in Self.files {
      // Adding twice what was there already is what `append` is asked to do; with a cursor it never does.
      let isRepeated = file == "out/append.jsonl" && before[file] == new[file]
      if now[file] != (isRepeated ? twice[file] : new[file]) { wrong.append("\(file) is not fixed") }
    }
    for name in ["cursor", "log"] {
      let known = Self.last[before["out/\(name).jsonl"] == new["out/\(name).jsonl"] ? 2 : 1]
      let targets = server.requests[asked...].map(\.target).filter { $0.hasPrefix("/\(name)") }
      if targets != ["/\(name)?since=\(known)"] { wrong.append("\(targets) where \(known) is known") }
    }
    wrong += states.subtracting(Self.states(below: root)).map { "\($0) is gone" }
    return wrong + leftovers()
  }

  /// Files that nobody asked for and that the program does not keep between runs.
  func leftovers() -> [String] {
    let kept = states.union(Self.files + ["out/.reactor.stamps", ".reactor/history.jsonl"])
    let found = FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []
    return found.compactMap { $0 as? String }.filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: root.appendingPathComponent(path).path)
      return attributes?[.type] as? FileAttributeType != .typeDirectory && !kept.contains(path)
    }.map { "\($0) was left behind" }
  }

  // MARK: - The server

  private static func answer(_ target: String, _ version: Int) -> String {
    let number = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
    let pad = String(repeating: "x", count: 200)
    func records(_ ids: some Sequence<Int>) -> [String] {
      ids.map { #"{"id":\#($0),"v":\#(version),"pad":"\#(pad)"}"# }
    }
    let texts: [String]
    switch target.prefix(while: { $0 != "?" }) {
    case "/merge": texts = records(version == 1 ? stride(from: 0, to: 600, by: 2) : stride(from: 0, to: 900, by: 3))
    case "/append": texts = records(version * 1000..<version * 1000 + 200)
    case "/letters": texts = records(0..<100) + (0..<100).map { #"{"id":"x\#($0)","v":\#(version),"pad":"\#(pad)"}"# }
    case "/pages": texts = number > 4 ? [] : records(number * 100..<number * 100 + 100)
    case "/parents": texts = (1...5).map { #"{"id":\#($0)}"# }
    case "/cursor": texts = (max(number, 1)...last[version]).map { #"{"id":\#($0),"n":\#($0)}"# }
    case "/log":
      texts = (0...last[version]).filter { $0 > number }.map { #"{"id":\#($0),"n":\#($0)}"# }
    default: texts = records(0..<20)
    }
    return "[" + texts.joined(separator: ",") + "]"
  }
}
