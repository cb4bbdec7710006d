import Foundation
import TestSupport
import Testing

/// `flows/etcd.yaml` against a real etcd: a login, base64, pages behind a computed key, and changes by revision.
@Suite(.timeLimit(.minutes(3))) struct EtcdIntegrationTests {
  private static func record(_ key: String, _ number: Int) throws -> NSObject {
    try Records.value(
      #"{"key":"\#(key)","number":\#(number),"state":"\#(["open", "paid", "sent"][number % 3])","version":1}"#)
  }

  /// The records without their revision, which depends on what else was written.
  private static func withoutRevisions(_ records: [NSObject]) -> [NSObject] {
    records.map { record in
      var fields = record as? [String: NSObject] ?? [:]
      fields["revision"] = nil
      return fields as NSDictionary
    }
  }

  @Test func `three pages of keys come decoded, by a token that a login gave`() async throws {
    guard let etcd = try await Integration("etcd.yaml", server: "etcd") else { return }
    #expect(try await etcd.run().flow("orders").records == 400)
    let expected = try (1...400).map { try Self.record("/shop/orders/\(Integration.padded($0, to: 4))", $0) }
    #expect(try Self.withoutRevisions(etcd.records("etcd/orders.jsonl")) == expected)
    let password = try #require(etcd.environment["ETCD_PASSWORD"])
    for file in etcd.workspace.files(hidden: true) {
      #expect(etcd.workspace.text(file)?.contains(password) != true, "\(file)")
    }
  }

  @Test func `a run after a change gets what was changed alone`() async throws {
    guard var etcd = try await Integration("etcd.yaml", server: "etcd") else { return }
    let prefix = "/\(Integration.ownName("own"))/"
    etcd.environment.merge(["REACTOR_VAR_USER": "root", "REACTOR_VAR_PREFIX": prefix]) { $1 }
    let base = try etcd.address("etcd") + "/v3"
    let password = try #require(etcd.environment["ETCD_PASSWORD"])
    let login = try await Integration.send("POST", base + "/auth/authenticate", ["name": "root", "password": password])
    let token = try #require(login["token"] as? String)
    func put(_ key: Int, _ number: Int) async throws {
      let value = #"{"number": \#(number), "state": "\#(["open", "paid", "sent"][number % 3])"}"#
      let pair = [prefix + Integration.padded(key, to: 4), value].map { Data($0.utf8).base64EncodedString() }
      let answer = try await Integration.send(
        "POST", base + "/kv/put", ["key": pair[0], "value": pair[1]], headers: ["Authorization": token])
      #expect(answer.status == 200, "\(answer)")
    }
    for key in 1...160 { try await put(key, key) }
    #expect(try await etcd.run().flow("orders").records == 160)
    // The last one comes again, because the bound is included.
    #expect(try await etcd.run().flow("orders").records == 1)
    try await put(161, 161)
    try await put(3, 7)
    #expect(try await etcd.run().flow("orders").records == 3)
    var expected = try (1...161).map { try Self.record(prefix + Integration.padded($0, to: 4), $0) }
    expected[2] = try Records.value(#"{"key":"\#(prefix)0003","number":7,"state":"paid","version":2}"#)
    #expect(try Self.withoutRevisions(etcd.records("etcd/orders.jsonl")) == expected)
  }

  @Test func `what the user may not read is refused with the reason that the file gives`() async throws {
    guard let etcd = try await Integration("etcd.yaml", server: "etcd") else { return }
    let outcome = try await etcd.start(["--var", "prefix=/shop/settings/"])
    #expect(outcome.status == 5)
    let message = try Summary(outcome).flow("orders").error?.message ?? ""
    #expect(message.contains("reader may not read /shop/settings/"), "\(message)")
    #expect(etcd.workspace.files().isEmpty)
  }
}
