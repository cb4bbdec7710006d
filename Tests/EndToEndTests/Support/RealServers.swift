import Foundation
import TestSupport

/// Prometheus, a container registry, Datasette and httpbin, started once for all tests by `scripts/real-servers`.
///
/// They end with this process, however it ends: the script's command reads from a pipe that only this process holds.
actor RealServers {
  static let shared = RealServers()

  private var starting: Task<[String: String], Never>?
  private var input: Pipe?

  /// The environment that tells flows where a server is; nil, after a line that says so, where it cannot be had.
  static func environment(for server: String) async throws -> [String: String]? {
    let all = await shared.addresses()
    let name = "REACTOR_VAR_\(server.uppercased())"
    if all[name] != nil { return all.filter { $0.key.hasPrefix("REACTOR_VAR_") } }
    let line = "skipped: \(server) cannot be started here; scripts/real-servers start says why"
    guard ProcessInfo.processInfo.environment["REACTOR_REQUIRE_REAL_SERVERS"] != "1" else {
      throw Repository.Missing(what: line)
    }
    print(line)
    return nil
  }

  private func addresses() async -> [String: String] {
    let given = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("REACTOR_VAR_") }
    if given["REACTOR_VAR_PROMETHEUS"] != nil { return given }
    if starting == nil {
      let input = Pipe()
      self.input = input
      starting = Task { await RealServers.start(readingFrom: input) }
    }
    return await starting?.value ?? [:]
  }

  private static func start(readingFrom input: Pipe) async -> [String: String] {
    let process = Process()
    process.executableURL = Repository.root.appendingPathComponent("scripts/real-servers")
    process.arguments = ["run", "--", "/bin/sh", "-c", "env | grep ^REACTOR_VAR_; echo ready; cat >/dev/null"]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return [:] }
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var text = ""
        while !text.contains("ready\n") {
          let more = output.fileHandleForReading.availableData
          if more.isEmpty { break }
          text += String(decoding: more, as: UTF8.self)
        }
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
          let parts = line.split(separator: "=", maxSplits: 1)
          return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        continuation.resume(returning: Dictionary(pairs) { $1 })
      }
    }
  }
}
