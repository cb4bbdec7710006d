package import Foundation

/// A folder of one test: the working folder of the programs it runs.
package final class Workspace {
  package let folder: URL

  package init() throws { folder = try Workspace.makeFolder("workspace") }

  deinit { try? FileManager.default.removeItem(at: folder) }

  package static func makeFolder(_ purpose: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reactor-\(purpose)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  // MARK: - Files

  /// Writes a text file, with its folders.
  package func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// A file's bytes; nil when it is not there.
  package func bytes(_ path: String) -> Data? { try? Data(contentsOf: folder.appendingPathComponent(path)) }

  /// A file's text; nil when it is not there.
  package func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  /// Every file below, relative, sorted; what the program keeps for itself (a leading dot) only when asked.
  package func files(hidden: Bool = false) -> [String] {
    let prefix = folder.resolvingSymlinksInPath().path + "/"
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    return (found?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .map { $0.resolvingSymlinksInPath().path.replacingOccurrences(of: prefix, with: "") }
      .filter { hidden || !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .sorted()
  }

  // MARK: - Running

  /// Runs `reactor` here to its end.
  package func reactor(
    _ arguments: String..., environment: [String: String] = [:], within seconds: Double = 60
  ) async throws -> Program.Outcome {
    try await start(arguments, environment: environment).end(within: seconds)
  }

  /// Starts `reactor` here.
  package func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
    try Program(Repository.program("reactor"), arguments, in: folder, environment: environment)
  }

  /// Runs a shell line here, with the path of `reactor` as `$REACTOR`.
  package func shell(_ line: String, environment: [String: String] = [:]) async throws -> Program.Outcome {
    let all = environment.merging(["REACTOR": try Repository.program("reactor")]) { $1 }
    return try await Program("/bin/sh", ["-c", line], in: folder, environment: all).end()
  }
}
