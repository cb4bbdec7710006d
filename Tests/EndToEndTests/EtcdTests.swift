import Foundation
import TestSupport
import Testing

/// Flows against a real etcd, whose JSON gateway knows only POST, writes keys and values in base64 and 64-bit numbers as
/// text, and wants a token that a login gives.
@Suite(.timeLimit(.minutes(3)))
struct EtcdTests {
  private static let flows = """
    reactor: 1
    vars:
      etcd: http://127.0.0.1:9
      from: { type: string, default: "" }
    secrets: [ETCD_PASSWORD, ETCD_TOKEN]
    http: { base_url: "{{ vars.etcd }}/v3" }
    flows:
      login:
        resource:
          method: POST
          path: /auth/authenticate
          body: { json: { name: reader, password: "{{ secrets.ETCD_PASSWORD }}" } }
        schema: { fields: { token: string } }
        persistence: out/login.json
      orders:
        resource:
          method: POST
          path: /kv/range
          headers: { Authorization: "{{ secrets.ETCD_TOKEN }}" }
          body: { json: { key: "{{ vars.from }}", range_end: \(base64("/shop/orders0")), limit: 150 } }
        records: $.kvs[*]
        pages: none
        schema: { key: key, fields: { key: bytes, value: bytes, version: integer, mod_revision: integer } }
        persistence: out/orders.jsonl
      counted:
        resource:
          method: POST
          path: /kv/range
          headers: { Authorization: "{{ secrets.ETCD_TOKEN }}" }
          body: { json: { key: "{{ vars.from }}", range_end: \(base64("/shop/orders0")), limit: 150 } }
        schema: { fields: { more: { type: boolean, default: false }, count: integer } }
        persistence: out/counted.json
    """

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  @Test func `a login gives the token with which pages of keys are read`() async throws {
    guard let environment = try await RealServers.environment(for: "etcd") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/etcd.yaml")
    let login = try await workspace.reactor(
      "run", "--select", "login", environment: environment.merging(["ETCD_TOKEN": "none yet"]) { $1 })
    #expect(login.status == 0, "\(login.stdout)\(login.stderr)")
    let answer = try Records.array(workspace.text("out/login.json")).first as? [String: NSObject]
    let token = try #require(answer?["token"] as? String)

    let pages: [(from: String, numbers: ClosedRange<Int>, more: Bool, left: Int)] = [
      ("/shop/orders/", 1...150, true, 400), ("/shop/orders/0150\0", 151...300, true, 250),
      ("/shop/orders/0300\0", 301...400, false, 100),
    ]
    for page in pages {
      let outcome = try await workspace.reactor(
        "run", "--fresh", "--select", "orders", "--select", "counted", "--var", "from=\(Self.base64(page.from))",
        environment: environment.merging(["ETCD_TOKEN": token]) { $1 })
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      let records = try Records.lines(workspace.text("out/orders.jsonl")).compactMap { $0 as? [String: NSObject] }
      let keys = page.numbers.map { Self.base64("/shop/orders/\(String(10_000 + $0).dropFirst())") }
      #expect(records.compactMap { $0["key"] as? String } == keys)
      let values = page.numbers.map {
        Self.base64(#"{"number": \#($0), "state": "\#(["open", "paid", "sent"][$0 % 3])"}"#)
      }
      #expect(records.compactMap { $0["value"] as? String } == values)
      #expect(records.allSatisfy { $0["version"] as? Int == 1 })
      let counted = try Records.array(workspace.text("out/counted.json"))
      #expect(try counted == Records.expected(#"{"more":\#(page.more),"count":\#(page.left)}"#))
    }
  }

  @Test func `a token that is none is refused and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "etcd") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/etcd.yaml")
    let outcome = try await workspace.reactor(
      "run", "--select", "orders", "--var", "from=\(Self.base64("/shop/orders/"))",
      environment: environment.merging(["ETCD_TOKEN": "guessed.17"]) { $1 })
    #expect(outcome.status == 5)
    #expect(outcome.stderr.contains("401") && !outcome.stderr.contains("guessed.17"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/etcd.yaml"])
  }
}
