import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport
import TimeSyntax

/// `cursor.zone`: bounds for servers that read local times.
@Suite struct CursorZoneTests {
  private static let hasDatabase = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/UTC")

  private static func zones() -> [String] {
    guard hasDatabase else {
      print("skipped: time zones, because this machine has no time zone database")
      return []
    }
    return TimeZone.knownTimeZoneIdentifiers.filter { $0 != "GMT" }
  }

  @Test(arguments: zones())
  func `the offsets of a zone are those of the database, also long after its last change`(_ name: String) throws {
    let rules = try #require(ZoneDatabase.system.rules(name))
    let zone = try #require(TimeZone(identifier: name))
    // From 1972 on, where databases agree; a prime step hits all times of a day and of a year.
    for seconds in stride(from: Int64(63_072_000), to: 4_102_444_800, by: 1_300_021) {
      let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      #expect(rules.offset(at: seconds) == expected, "\(name) at \(seconds)")
      let local = seconds + Int64(expected)
      let instant = rules.instant(ofLocal: local)
      #expect(instant <= seconds && instant + Int64(rules.offset(at: instant)) == local, "\(name) at \(seconds)")
    }
  }

  @Test(arguments: [
    [], Array("TZif".utf8), Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39),
    Array("TZif2".utf8) + [UInt8](repeating: 255, count: 80),
  ])
  func `a damaged file has no rules`(_ bytes: [UInt8]) { #expect(ZoneRules(tzif: bytes) == nil) }

  @Test func `a file that is cut or changed anywhere gives no trap`() throws {
    guard Self.hasDatabase else { return }
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    let bytes = [UInt8](file)
    for index in stride(from: 0, to: bytes.count, by: 3) {
      #expect(ZoneRules(tzif: Array(bytes[..<index])) == nil)
      var changed = bytes
      changed[index] ^= 0xFF
      _ = ZoneRules(tzif: changed)?.offset(at: 1_700_000_000)
    }
  }

  /// Runs a flow whose position is a time, and returns the bounds that the next run sends.
  private static func bounds(after position: String, now: String, _ cursor: String) async throws -> [String] {
    let asked = Mutex<[String]>([])
    try await Rig.with { rig in
      rig.answer { request in
        asked.withLock { $0.append(request.target.removingPercentEncoding?.replacing("+", with: " ") ?? "") }
        return ok(#"[{"id":1,"t":"\#(position)"}]"#)
      }
      let instant = try #require(try? Date(now, strategy: .iso8601)).timeIntervalSince1970
      rig.clock.advance(by: .seconds(instant) - rig.clock.wallClock.sinceEpoch())
      let flow = try rig.flow(
        """
        resource: /r
        schema: { key: id, fields: { id: integer, t: timestamp } }
        persistence: { path: out.jsonl, mode: merge }
        cursor: { field: t, query: { start: a, end: b }, \(cursor) }
        """)
      #expect(await rig.run(flow).message == "")
      asked.withLock { $0 = [] }
      #expect(await rig.run(flow).message == "")
    }
    return asked.withLock { $0 }
  }

  private static let cases: [(position: String, now: String, cursor: String, asked: [String])] = [
    // Winter and summer.
    (
      "2024-01-10T15:00:00Z", "2024-07-01T12:00:00Z", "format: \"%Y-%m-%d %H:%M:%S\", zone: America/New_York",
      ["/r?a=2024-01-10 10:00:00&b=2024-07-01 08:00:00"]
    ),
    // In the first pass of the repeated hour a start is before it, and an end in the second pass is after it.
    (
      "2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "format: \"%y%m%d %H:%M:%S\", zone: America/New_York",
      ["/r?a=241103 00:59:59&b=241103 02:00:00"]
    ),
    (
      "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z", "format: \"%y%m%d %H:%M:%S\", zone: America/New_York",
      ["/r?a=241103 01:30:00&b=241103 02:30:00"]
    ),
    // The clocks skip an hour, and no instant is in it.
    (
      "2024-03-10T06:59:59Z", "2024-03-10T07:00:00Z", "format: \"%y%m%d %H:%M:%S\", zone: America/New_York",
      ["/r?a=240310 01:59:59&b=240310 03:00:00"]
    ),
    // Days are local ones.
    (
      "2024-01-01T16:00:00Z", "2024-01-03T16:00:00Z",
      "format: date, zone: Asia/Tokyo, bounds: \"[]\", slice: day, start: 2024-01-02",
      ["/r?a=2024-01-02&b=2024-01-02", "/r?a=2024-01-03&b=2024-01-03", "/r?a=2024-01-04&b=2024-01-04"]
    ),
    // A day without a time is the local one: midnight in Auckland is noon or 11:00 of the day before in UTC.
    (
      "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z",
      "format: \"%Y-%m-%dT%H:%M\", zone: Pacific/Auckland, start: 2024-01-02",
      ["/r?a=2024-01-02T00:00&b=2024-01-02T13:00"]
    ),
  ]

  @Test(arguments: cases)
  func `bounds are local times that never leave out a part of the range`(
    _ value: (position: String, now: String, cursor: String, asked: [String])
  ) async throws {
    guard Self.hasDatabase else { return }
    #expect(try await Self.bounds(after: value.position, now: value.now, value.cursor) == value.asked)
  }

  @Test func `an unknown zone is an error of the file`() async throws {
    try await Rig.with { rig in
      let keys = """
        schema: { key: id, fields: { id: integer, t: timestamp } }
        persistence: { path: out.jsonl, mode: merge }
        cursor: { field: t, query: a, format: date, zone: Europe/Berlim }
        """
      let found = rig.compile(rig.text(keys)).diagnostics.diagnostics
      #expect(found.map(\.code.rawValue) == ["cursor.bounds"])
      guard Self.hasDatabase else { return }
      #expect(found.first?.message == "there is no time zone 'Europe/Berlim'")
    }
  }
}
