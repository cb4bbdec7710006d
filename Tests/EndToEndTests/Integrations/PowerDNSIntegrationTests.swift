import Foundation
import TestSupport
import Testing

/// `flows/powerdns.yaml` and `flows/directory.yaml` against a real PowerDNS: a key in a header, children of zones, a flat
/// table, and records of another system that are published as a zone.
@Suite(.timeLimit(.minutes(3))) struct PowerDNSIntegrationTests {
  private static let seeded = ["shop.example.", "empty.example.", "2.0.192.in-addr.arpa."]

  /// Those of the seeded zones: other tests make zones of their own.
  private func ofSeeded(_ records: [NSObject]) -> [[String: NSObject]] {
    records.compactMap { $0 as? [String: NSObject] }.filter { record in
      (record["zone"] as? String).map { Self.seeded.contains($0) } ?? false
    }
  }

  @Test func `zones, record sets and records are the seeded ones`() async throws {
    guard let dns = try await Integration("powerdns.yaml", server: "powerdns") else { return }
    try await dns.run()
    #expect(
      Set(ofSeeded(try dns.records("dns/zones.jsonl")))
        == Set(
          try Self.seeded.map {
            let record = try Records.value(
              #"{"zone":"\#($0)","kind":"Native","dnssec":false,"reverse":\#($0.hasSuffix("arpa."))}"#)
            return try #require(record as? [String: NSObject])
          }))

    let sets = ofSeeded(try dns.records("dns/record-sets.jsonl"))
    let counts = Dictionary(grouping: sets) { $0["zone"] as? String ?? "" }.mapValues(\.count)
    #expect(counts == ["shop.example.": 123, "empty.example.": 2, "2.0.192.in-addr.arpa.": 22])
    let contents = Dictionary(
      sets.map { ("\($0["name"] ?? "" as NSString) \($0["type"] ?? "" as NSString)", $0["contents"] as? [String]) }
    ) { $1 }
    for number in 1...120 {
      let name = "host-\(Integration.padded(number, to: 3)).shop.example."
      #expect(contents["\(name) A"] == ["192.0.2.\(number)"])
      if number <= 20 { #expect(contents["\(number).2.0.192.in-addr.arpa. PTR"] == [name]) }
    }
    #expect(contents["about.shop.example. TXT"] == [#""tea, \"the good one\"""#])

    let rows = try Records.rows(dns.workspace.text("out/dns/records.csv"))
    #expect(rows.first == ["zone", "name", "type", "ttl", "content"])
    let seeded = rows.dropFirst().filter { Self.seeded.contains($0[0]) }
    // Without the three SOA.
    #expect(seeded.count == 144)
    #expect(!seeded.contains { $0[2] == "SOA" })
    #expect(Set(seeded.filter { $0[2] == "A" }.map { $0[4] }) == Set((1...120).map { "192.0.2.\($0)" }))
    #expect(seeded.filter { $0[2] == "A" }.allSatisfy { $0[3] == "300" })
  }

  @Test func `customers of Kinto are published as a zone, twice as well as once`() async throws {
    guard var directory = try await Integration("directory.yaml", server: "powerdns"),
      directory.environment["REACTOR_VAR_KINTO"] != nil
    else { return }
    let zone = "\(Integration.ownName("own-")).example."
    directory.environment["REACTOR_VAR_ZONE"] = zone
    let base = try directory.address("powerdns") + "/api/v1/servers/localhost/zones"
    let key = ["X-API-Key": try #require(directory.environment["POWERDNS_KEY"])]
    for _ in 1...2 {
      let summary = try await directory.run()
      #expect(try summary.flow("customers").records == 12)
      let answer = try await Integration.send("GET", "\(base)/\(zone)", headers: key)
      let sets = try #require(answer["rrsets"] as? [[String: Any]]).filter { $0["type"] as? String == "TXT" }
      let texts = Dictionary(
        sets.map { set in
          ("\(set["name"] ?? "")", (set["records"] as? [[String: Any]] ?? []).map { "\($0["content"] ?? "")" })
        }
      ) { $1 }
      #expect(
        texts
          == Dictionary(
            uniqueKeysWithValues: (1...12).map {
              ("customer-\(Integration.padded($0, to: 2)).\(zone)", ["\"Customer \($0)\""])
            }))
    }
    let removed = try await Integration.send("DELETE", "\(base)/\(zone)", headers: key)
    #expect(removed.status == 204, "\(removed)")
  }

  @Test func `a wrong key is reported with the status, and not with the key`() async throws {
    guard var dns = try await Integration("powerdns.yaml", server: "powerdns") else { return }
    dns.environment["POWERDNS_KEY"] = "guessed-wrongly"
    let outcome = try await dns.start([])
    #expect(outcome.status == 5)
    #expect(outcome.stdout.contains("401") && !outcome.stdout.contains("guessed-wrongly"), "\(outcome.stdout)")
    #expect(dns.workspace.files().isEmpty)
  }
}
