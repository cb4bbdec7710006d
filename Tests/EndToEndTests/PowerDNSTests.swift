import Foundation
import TestSupport
import Testing

/// Flows against a real PowerDNS, whose API asks for a key: zones, and the record sets of one.
@Suite(.timeLimit(.minutes(3)))
struct PowerDNSTests {
  private static let flow = """
    reactor: 1
    vars: { powerdns: http://127.0.0.1:9 }
    secrets: [POWERDNS_KEY]
    http:
      base_url: "{{ vars.powerdns }}/api/v1/servers/localhost"
      headers: { X-API-Key: "{{ secrets.POWERDNS_KEY }}" }
    flows:
      zones:
        resource: /zones
        records: $[*]
        schema: { key: id, fields: { id: string, kind: { type: enum, values: [Native, Master, Slave] }, url: string } }
        persistence: out/zones.jsonl
      addresses:
        resource: /zones/shop.example.
        records: $.rrsets[?@.type == 'A']
        schema: { key: name, fields: { name: string, ttl: integer, address: { from: "$.records[0].content", type: string } } }
        persistence: out/addresses.jsonl
    """

  @Test func `zones and addresses are the seeded ones`() async throws {
    guard let environment = try await RealServers.environment(for: "powerdns") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/dns.yaml")
    let outcome = try await workspace.reactor("run", "--format", "json", environment: environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let zones = ["2.0.192.in-addr.arpa.", "empty.example.", "shop.example."].map {
      #"{"id":"\#($0)","kind":"Native","url":"/api/v1/servers/localhost/zones/\#($0)"}"#
    }
    // Other tests make zones of their own.
    #expect(
      try Set(Records.lines(workspace.text("out/zones.jsonl"))).isSuperset(of: zones.map { try Records.value($0) }))
    let addresses = try Records.lines(workspace.text("out/addresses.jsonl"))
    let expected = try (1...120).map {
      try Records.value(
        #"{"name":"host-\#(String(1000 + $0).dropFirst()).shop.example.","ttl":300,"address":"192.0.2.\#($0)"}"#)
    }
    #expect(addresses.count == 120)
    #expect(Set(addresses) == Set(expected))
  }

  @Test func `a wrong key is refused with a text that is not JSON and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "powerdns") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/dns.yaml")
    let outcome = try await workspace.reactor(
      "run", environment: environment.merging(["POWERDNS_KEY": "guessed-wrongly"]) { $1 })
    #expect(outcome.status == 5)
    #expect(outcome.stderr.contains("401") && !outcome.stderr.contains("guessed-wrongly"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/dns.yaml"])
  }
}
