import Foundation
import TestSupport

/// A batch of flows whose every result has an old and a new content, and what must hold after any disturbance.
final class Bench {
  let items: [Item]
  /// The folder of the results.
  let root: URL
  private let workspace: Workspace
  private let server: VersionedServer
  private(set) var version = 1
  /// What the files held before the disturbance, by item.
  private(set) var before: [String: Data] = [:]

  /// Starts the server and makes the first version, undisturbed.
  ///
  /// - Parameter root: the folder of the results; below the workspace unless given.
  init(_ items: [Item], root: URL? = nil) async throws {
    self.items = items
    workspace = try Workspace()
    self.root = root ?? workspace.folder.appendingPathComponent("results")
    server = try VersionedServer(items)
    server.serve(version)
    let head = "reactor: 1\nhttp: { base_url: \"\(server.url)\", timeout: 20s }\nflows:\n"
    try workspace.write(head + items.map(\.yaml).joined(), to: "flows/a.yaml")
    try FileManager.default.createDirectory(at: self.root, withIntermediateDirectories: true)
  }

  /// The usual mixture: formats, sizes, folders, a save that is not waited for, one that changes nothing.
  static func mixture(_ count: Int = 8) -> [Item] {
    (0..<count).map { number in
      switch number % 8 {
      case 0: Item(name: "f\(number)", kind: .large, path: "out/f\(number).jsonl")
      case 1: Item(name: "f\(number)", kind: .small, path: "out/f\(number).csv", probes: true)
      case 2: Item(name: "f\(number)", kind: .constant, path: "out/f\(number).jsonl")
      case 3: Item(name: "f\(number)", kind: .small, path: "out/deep/er/f\(number).jsonl")
      case 4: Item(name: "f\(number)", kind: .small, path: "out/f\(number).jsonl", waits: false)
      default: Item(name: "f\(number)", kind: .small, path: "out/f\(number).jsonl")
      }
    }
  }

  // MARK: - Running

  /// Starts `reactor run` over the flows, by way of another program when one is given.
  func start(
    _ arguments: [String] = ["--fresh"], through wrapper: [String] = [], environment: [String: String] = [:]
  ) throws -> Program {
    let command = wrapper + [try Repository.program("reactor"), "run", "flows", "--root", root.path] + arguments
    return try Program(command[0], Array(command.dropFirst()), in: workspace.folder, environment: environment)
  }

  /// Runs it to its end and reads the summary.
  func run(
    _ arguments: String..., through wrapper: [String] = [], environment: [String: String] = [:]
  ) async throws -> (outcome: Program.Outcome, summary: Summary?) {
    let program = try start(arguments + ["--format", "json"], through: wrapper, environment: environment)
    let outcome = await program.end()
    return (outcome, try? Summary(parsing: outcome.stdout))
  }

  // MARK: - Versions

  /// Remembers what is there and lets the server answer the next version.
  ///
  /// - Parameter removed: names of items whose files are taken away, so that they have to be created.
  func advance(removing removed: Set<String> = []) {
    for item in items where removed.contains(item.name) {
      try? FileManager.default.removeItem(at: url(item))
      // The folders above, too, when nothing else is in them.
      var folder = url(item).deletingLastPathComponent()
      while folder.path != root.path, isEmpty(folder) {
        try? FileManager.default.removeItem(at: folder)
        folder.deleteLastPathComponent()
      }
    }
    before = Dictionary(uniqueKeysWithValues: items.compactMap { item in data(item).map { (item.name, $0) } })
    version += 1
    server.serve(version)
  }

  func data(_ item: Item) -> Data? { try? Data(contentsOf: url(item)) }

  func url(_ item: Item) -> URL { root.appendingPathComponent(item.path) }

  // MARK: - Judging

  /// Items whose file is neither what it was nor the whole new version.
  func thirds() -> [String] {
    items.compactMap { item in
      let now = data(item)
      guard now != before[item.name], now != item.file(version) else { return nil }
      return "\(item.path) is neither old nor new: \(now.map { "\($0.count) bytes" } ?? "gone")"
    }
  }

  /// Items whose file is not the new version.
  func missing() -> [String] {
    items.compactMap { data($0) == $0.file(version) ? nil : "\($0.path) is not the new version" }
  }

  /// Files that nobody asked for and that the program does not keep between runs.
  func leftovers() -> [String] {
    let expected = Set(items.map(\.path))
    let found = FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []
    return found.compactMap { $0 as? String }
      .filter { path in
        let attributes = try? FileManager.default.attributesOfItem(atPath: root.appendingPathComponent(path).path)
        return attributes?[.type] as? FileAttributeType != .typeDirectory
      }
      .filter { !expected.contains($0) && !$0.hasSuffix(".reactor.stamps") && $0 != ".reactor/history.jsonl" }
      .map { "\($0) was left behind" }
  }

  /// A rerun must end as if nothing had been: all new, nothing left, and every result usable without the server.
  func recover() async throws -> [String] {
    let again = try await run("--fresh")
    guard again.outcome.status == 0 else {
      return ["the rerun ended with \(again.outcome.status): \(again.outcome.stderr)"]
    }
    var wrong = missing() + leftovers()
    let offline = try await run("--fresh=never")
    let persisted = (offline.summary?.flows ?? []).filter { $0.status == "passed" && $0.source == "persistence" }
    if persisted.count != items.count {
      wrong.append("only \(persisted.count) of \(items.count) results can be used: \(offline.outcome.stderr)")
    }
    return wrong
  }

  private func isEmpty(_ folder: URL) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return false }
    // What the program keeps of results that are gone does not count.
    return names.allSatisfy { $0 == ".reactor.stamps" }
  }
}
