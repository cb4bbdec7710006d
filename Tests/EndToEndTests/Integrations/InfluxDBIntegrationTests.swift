import Foundation
import TestSupport
import Testing

/// `flows/influxdb.yaml` against a real InfluxDB: pages inside a query's text, columns and rows, and a cursor for each
/// room.
@Suite(.timeLimit(.minutes(3))) struct InfluxDBIntegrationTests {
  private static let start = 1_704_067_200_000
  private static let rooms = [("attic", 20.0), ("cellar", 11.0)]

  private static func point(_ minute: Int, of base: Double) throws -> NSObject {
    try Records.value("{\"at\":\(start + minute * 60_000),\"celsius\":\(base + Double(minute) / 8)}")
  }

  private static func point(_ minute: Int, in room: (name: String, base: Double)) throws -> NSObject {
    try Records.value(
      "{\"room\":\"\(room.name)\",\"at\":\(start + minute * 60_000),\"celsius\":\(room.base + Double(minute) / 8)}")
  }

  @Test func `pages by offset and by number hold every point of every room once`() async throws {
    guard let influxdb = try await Integration("influxdb.yaml", server: "influxdb") else { return }
    let summary = try await influxdb.run("-s", "influxdb.cellar influxdb.temperature influxdb.sales")
    #expect(summary.flows.map(\.records) == [250, 500, 300])
    #expect(
      try Records.withInstants(["at"], in: influxdb.records("influxdb/cellar.jsonl"))
        == (0..<250).map { try Self.point($0, of: 11) })

    let rows = try Records.rows(influxdb.workspace.text("out/influxdb/temperature.csv"))
    #expect(rows.first == ["room", "time", "celsius", "band"])
    // Pages of a hundred minutes, each with both rooms.
    let expected = [0..<100, 100..<200, 200..<250].flatMap { minutes in
      Self.rooms.flatMap { name, base in
        minutes.map { minute in
          let celsius = base + Double(minute) / 8
          return [name, "\(minute)", "\(celsius)", celsius >= 40 ? "hot" : celsius >= 15 ? "mild" : "cold"]
        }
      }
    }
    let found = rows.dropFirst().map { row in
      [row[0], minute(row[1]), Double(row[2]).map { "\($0)" } ?? row[2], row[3]]
    }
    #expect(found == expected)

    let sales = (1...300).map { number in
      let quarters = [".25", ".5", ".75", ""][(number - 1) % 4]
      return "{\"ns\":\(1_704_067_200_000_000_000 + number * 1_000_000_001),\"amount\":\"\(number / 4)\(quarters)\","
        + "\"count\":\(number % 7),\"note\":\"sale \\\"\(number)\\\"\",\"day\":\"2024-01-01\"}"
    }
    #expect(influxdb.workspace.text("out/influxdb/sales.jsonl")?.split(separator: "\n").map(String.init) == sales)
  }

  /// The minute since the start that a time of 2024-01-01 tells, as text.
  private func minute(_ time: String) -> String {
    let parts = time.dropFirst(11).prefix(5).split(separator: ":").compactMap { Int($0) }
    return parts.count == 2 ? "\(parts[0] * 60 + parts[1])" : time
  }

  @Test func `each room goes on by itself, hour by hour, with what was written between the runs`() async throws {
    guard var influxdb = try await Integration("influxdb.yaml", server: "influxdb") else { return }
    let (base, own) = (try influxdb.address("influxdb"), Integration.ownName("own_"))
    let admin = "admin:\(influxdb.environment["INFLUXDB_PASSWORD"] ?? "")"
    let created = try await Integration.send(
      "POST", base + "/query?q=CREATE%20DATABASE%20\(own)", user: admin)
    #expect(created.status == 200, "\(created)")
    func write(_ lines: [String]) async throws {
      let answer = try await Integration.send(
        "POST", base + "/write?db=\(own)", lines.joined(separator: "\n"), user: admin)
      #expect(answer.status == 204, "\(answer)")
    }
    func line(_ room: (name: String, base: Double), _ minute: Int) -> String {
      "temperature,room=\(room.name) celsius=\(room.base + Double(minute) / 8) \((Self.start + minute * 60_000) * 1_000_000)"
    }
    influxdb.environment.merge(["REACTOR_VAR_DB": own, "REACTOR_VAR_USER": "admin"]) { $1 }
    // The attic is read to minute 130, the cellar to 70: over bounds of hours, with points at the bounds themselves.
    try await write((0...130).map { line(Self.rooms[0], $0) } + (0...70).map { line(Self.rooms[1], $0) })
    #expect(try await influxdb.run("-s", "influxdb.by_hour").flow("by_hour").records == 202)
    try await write([line(Self.rooms[0], 131), line(Self.rooms[1], 71), line(Self.rooms[1], 180)])
    // Three new ones, and of each room the last one again.
    #expect(try await influxdb.run("-s", "influxdb.by_hour").flow("by_hour").records == 5)
    let kept = try Records.withInstants(["at"], in: influxdb.records("influxdb/by-hour.jsonl"))
    let expected =
      try (0...131).map { try Self.point($0, in: Self.rooms[0]) }
      + (Array(0...71) + [180]).map { try Self.point($0, in: Self.rooms[1]) }
    #expect(kept.count == expected.count)
    #expect(Set(kept) == Set(expected))
  }

  @Test func `an error inside a good response fails the flow in the server's words`() async throws {
    guard let influxdb = try await Integration("influxdb.yaml", server: "influxdb") else { return }
    let outcome = try await influxdb.start(
      ["-s", "influxdb.cellar", "--var", "db=elsewhere", "--var", "user=admin"])
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    let message = try Summary(outcome).flow("cellar").error?.message ?? ""
    #expect(message.contains("database not found: elsewhere"), "\(message)")
    #expect(influxdb.workspace.files().isEmpty)
  }
}
