import Foundation
import TestSupport

/// The servers that `scripts/real-servers` starts, once for all tests: Prometheus, Pushgateway, a container registry,
/// etcd, InfluxDB, PowerDNS, Datasette, httpbin, Kinto, moto, an OAuth2 server and PostgreSQL.
///
/// They end with this process, however it ends: the script's command reads from a pipe that only this process holds.
actor RealServers {
  static let shared = RealServers()

  private var starting: Task<[String: String], Never>?
  private var input: Pipe?

  /// The environment that tells flows where the servers are and what their users log in with; nil, after a line that says so, where it cannot be had.
  static func environment(for server: String) async throws -> [String: String]? {
    let all = await shared.addresses()
    let name = "REACTOR_VAR_\(server.uppercased())"
    if all[name] != nil { return all }
    let line = "skipped: \(server) cannot be started here; scripts/real-servers start says why"
    guard ProcessInfo.processInfo.environment["REACTOR_REQUIRE_REAL_SERVERS"] != "1" else {
      throw Repository.Missing(what: line)
    }
    print(line)
    return nil
  }

  /// What the names of the variables that the script tells begin with.
  private static let prefixes = ["REACTOR_VAR_", "KINTO_", "ETCD_", "POWERDNS_", "INFLUXDB_", "OAUTH_", "WAREHOUSE_"]

  private func addresses() async -> [String: String] {
    let given = ProcessInfo.processInfo.environment.filter { variable in
      Self.prefixes.contains { variable.key.hasPrefix($0) }
    }
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
    let told = prefixes.joined(separator: "|")
    process.arguments = ["run", "--", "/bin/sh", "-c", "env | grep -E '^(\(told))'; echo ready; cat >/dev/null"]
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
