import Foundation
import TestSupport

/// The programs of Prometheus that `scripts/real-servers` provides.
struct PrometheusProgram {
  /// The path of the server; promtool is beside it.
  let server: String
  var promtool: String {
    URL(fileURLWithPath: server).deletingLastPathComponent().appendingPathComponent("promtool").path
  }

  /// Finds them; nil, after a line that says so, where they cannot be had.
  static func find(_ workspace: Workspace) async throws -> PrometheusProgram? {
    let script = Repository.root.appendingPathComponent("scripts/real-servers").path
    let outcome = try await Program(
      "/bin/bash", [script, "install", "--only", "prometheus"], in: workspace.folder, inherits: true
    ).end(within: 120)
    let prefix = "prometheus="
    if let line = outcome.stdout.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) {
      return PrometheusProgram(server: String(line.dropFirst(prefix.count)))
    }
    let line = "skipped: Prometheus cannot be had here; scripts/real-servers install says why"
    guard ProcessInfo.processInfo.environment["REACTOR_REQUIRE_REAL_SERVERS"] != "1" else {
      throw Repository.Missing(what: line)
    }
    print(line)
    return nil
  }

  /// Runs promtool to its end.
  func check(_ arguments: String..., in folder: URL) async throws -> Program.Outcome {
    try await Program(promtool, arguments, in: folder).end()
  }
}
