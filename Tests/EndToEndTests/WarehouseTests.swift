import Foundation
import Testing
import TestSupport

/// `flows/warehouse.yaml`: Datasette's rows in PostgreSQL.
@Suite(.serialized) struct WarehouseTests {
  @Test func `rows arrive in the warehouse, with their history`() async throws {
    guard let environment = try await RealServers.environment(for: "datasette"),
      let url = try await RealServers.environment(for: "postgres")?["WAREHOUSE_URL"]
    else { return }
    let workspace = try Workspace()
    let file = Repository.flows.appendingPathComponent("warehouse.yaml").path
    let check = try await workspace.start(["check", "--connect", file], environment: environment).end()
    #expect(
      check.status == 0 && check.stdout.contains("5 tables and queries checked"), "\(check.stdout)\(check.stderr)")
    for received in ["1200", "1"] {
      let run = try await workspace.start(["run", file], environment: environment).end()
      #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
      let last = try Self.sql("SELECT received FROM shop.reactor_loads WHERE name = 'readings' ORDER BY received", url)
      #expect(last.contains(received))
    }
    // The second run uses the products of the first one, asks only for new readings, and asks again for what rows name.
    #expect(try Self.sql("SELECT count(*) FROM shop.readings", url) == ["1200"])
    #expect(
      try Self.sql("SELECT name, price, valid_to FROM shop.products WHERE id IN (3, 4) ORDER BY id", url)
        == ["茶碗||", "Spoon 🥄|0.1|"])
    #expect(
      try Self.sql("SELECT customer, reason, count(*) FROM shop.watched_orders GROUP BY 1, 2 ORDER BY 1", url)
        == ["5|new|5", "13|late payment|6", "27|it's a reseller|6"])
    #expect(try Self.sql("SELECT count(*) FROM shop.reactor_runs WHERE error IS NULL", url) == ["5"])
    let text = check.stdout + check.stderr + (workspace.text(".reactor/history.jsonl") ?? "")
    #expect(!text.contains("tea-and-biscuits"))
  }

  /// The rows of a query, with `|` between the columns.
  private static func sql(_ text: String, _ url: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", text, url]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
