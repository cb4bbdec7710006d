import Foundation
import TestSupport
import Testing

/// `flows/kinto.yaml` against a real Kinto: pages by a header, changes since the last run, conditional requests, children
/// and records that are sent.
@Suite(.timeLimit(.minutes(3))) struct KintoIntegrationTests {
  private static let start = 1_704_067_200_000

  /// The seeded orders that were not deleted: those that end in 5 below 200 were.
  private static let live = (1...270).filter { !($0 % 10 == 5 && $0 < 200) }

  private static func order(_ number: Int) -> String { "order-\(Integration.padded(number, to: 3))" }
  private static func customer(of number: Int) -> String { "customer-\(Integration.padded(1 + number % 12, to: 2))" }
  private static func amount(_ number: Int) -> String { "\(number).\(number % 10)0" }

  /// A record of an order as it is to be kept, its time in milliseconds.
  private static func record(_ number: Int) throws -> NSObject {
    let time = start + number * 1000
    return try Records.value(
      """
      {"id":"\(order(number))","number":\(number),"customer":"\(customer(of: number))","amount":"\(amount(number))",
       "paid":\(number % 3 == 0),"deleted":false,"modified":\(time),"changed":\(time)}
      """)
  }

  private static func tombstone(_ number: Int, at time: Int) throws -> NSObject {
    try Records.value(
      """
      {"id":"\(order(number))","number":null,"customer":"","amount":"0","paid":false,"deleted":true,
       "modified":\(time),"changed":\(time)}
      """)
  }

  @Test func `all orders and all deletions come in seven pages, and then nothing comes again`() async throws {
    guard let kinto = try await Integration("kinto.yaml", server: "kinto") else { return }
    #expect(try await kinto.run("-s", "kinto.orders").flow("orders").records == 270)
    let deleted = stride(from: 5, to: 200, by: 10)
    let expected =
      try Self.live.map(Self.record) + deleted.map { try Self.tombstone($0, at: Self.start + 1_000_000 + $0 * 1000) }
    #expect(try Records.withInstants(["changed"], in: kinto.records("kinto/orders.jsonl")) == expected)

    let again = try await kinto.run("-s", "kinto.orders").flow("orders")
    #expect(again.source == "network" && again.records == 0)
    #expect(try kinto.records("kinto/orders.jsonl").count == 270)
  }

  @Test func `what was added, changed and deleted between runs comes alone, and is merged`() async throws {
    guard var kinto = try await Integration("kinto.yaml", server: "kinto") else { return }
    let (user, bucket) = ("shop:\(kinto.environment["KINTO_PASSWORD"] ?? "")", Integration.ownName("own"))
    let collections = try kinto.address("kinto") + "/v1/buckets/\(bucket)/collections"
    try await Integration.send("PUT", try kinto.address("kinto") + "/v1/buckets/\(bucket)", user: user)
    for name in ["orders", "customers"] { try await Integration.send("PUT", "\(collections)/\(name)", user: user) }
    func put(_ number: Int, amount: String, at seconds: Int) async throws {
      let data: [String: Any] = [
        "number": number, "customer": "customer-01", "amount": amount, "paid": true,
        "last_modified": Self.start + seconds * 1000,
      ]
      let answer = try await Integration.send(
        "PUT", "\(collections)/orders/records/\(Self.order(number))", ["data": data], user: user)
      #expect(answer.status < 300, "\(answer)")
    }
    for number in 1...90 { try await put(number, amount: "1.00", at: number) }
    kinto.environment["REACTOR_VAR_BUCKET"] = bucket
    #expect(try await kinto.run("-s", "kinto.orders").flow("orders").records == 90)

    try await put(91, amount: "91.00", at: 91)
    try await put(7, amount: "7.77", at: 92)
    let time = Self.start + 93_000
    try await Integration.send(
      "DELETE", "\(collections)/orders/records/\(Self.order(8))?last_modified=\(time)", user: user)
    #expect(try await kinto.run("-s", "kinto.orders").flow("orders").records == 3)

    let records = try Records.withInstants(["changed"], in: kinto.records("kinto/orders.jsonl"))
    let ids = records.compactMap { ($0 as? [String: NSObject])?["id"] as? String }
    #expect(ids == (1...91).map(Self.order))
    #expect((records[6] as? [String: NSObject])?["amount"] as? String == "7.77")
    #expect(records[7] == (try Self.tombstone(8, at: time)))
    #expect(try await kinto.run("-s", "kinto.orders").flow("orders").records == 0)
  }

  @Test func `an unchanged list is not sent again, and a changed one is`() async throws {
    guard var kinto = try await Integration("kinto.yaml", server: "kinto") else { return }
    let (user, bucket) = ("shop:\(kinto.environment["KINTO_PASSWORD"] ?? "")", Integration.ownName("own"))
    let base = try kinto.address("kinto") + "/v1/buckets/\(bucket)"
    for path in ["", "/collections/customers", "/collections/customers/records/a"] {
      try await Integration.send("PUT", base + path, ["data": ["name": "Ann"]], user: user)
    }
    kinto.environment["REACTOR_VAR_BUCKET"] = bucket
    #expect(try await kinto.run("-s", "kinto.customers").flow("customers").source == "network")
    let kept = kinto.workspace.bytes("out/kinto/customers.jsonl")
    #expect(try await kinto.run("-s", "kinto.customers").flow("customers").source == "persistence")
    let unchanged = try await kinto.run("-s", "kinto.customers", "--fresh=validate").flow("customers")
    #expect(unchanged.source == "not_modified" && unchanged.records == 1)
    #expect(kinto.workspace.bytes("out/kinto/customers.jsonl") == kept)

    try await Integration.send(
      "PUT", base + "/collections/customers/records/b", ["data": ["name": "Bo"]], user: user)
    let changed = try await kinto.run("-s", "kinto.customers", "--fresh=validate").flow("customers")
    #expect(changed.source == "network" && changed.records == 2)
    #expect(
      try kinto.records("kinto/customers.jsonl")
        == Records.expected(#"{"id":"a","name":"Ann"}"#, #"{"id":"b","name":"Bo"}"#))
  }

  @Test func `each customer's orders are asked for and carry the customer's name`() async throws {
    guard let kinto = try await Integration("kinto.yaml", server: "kinto") else { return }
    #expect(try await kinto.run("-s", "kinto.orders_of_customer").flow("orders_of_customer").records == 250)
    let expected = (1...12).flatMap { customer in
      Self.live.filter { 1 + $0 % 12 == customer }.map {
        [Self.order($0), Self.customer(of: $0), "Customer \(customer)", Self.amount($0)]
      }
    }
    let rows = try Records.rows(kinto.workspace.text("out/kinto/orders-of-customers.csv"))
    #expect(rows.first == ["id", "customer", "name", "amount"])
    #expect(Array(rows.dropFirst()) == expected)
  }

  @Test func `each paid order becomes an invoice, and sending again changes nothing`() async throws {
    guard var kinto = try await Integration("kinto.yaml", server: "kinto") else { return }
    let own = Integration.ownName("invoices-")
    kinto.environment["REACTOR_VAR_INVOICES"] = own
    let paid = Self.live.filter { $0 % 3 == 0 }
    #expect(try await kinto.run("-s", "kinto.invoices").flow("invoices").records == paid.count)
    func invoice(_ number: Int) -> String { "invoice-\(Integration.padded(number, to: 3))" }
    // A second after midnight of the first of January, and so on: 30 days later.
    let expected = try paid.map {
      try Records.value(
        """
        {"id":"\(invoice($0))","order":"\(Self.order($0))","customer":"\(Self.customer(of: $0))",
         "amount":"\(Self.amount($0))","due":"2024-01-31"}
        """)
    }
    #expect(try kinto.records("kinto/invoices.jsonl") == expected)

    func stored() async throws -> [[String: NSObject]] {
      let list = try kinto.address("kinto") + "/v1/buckets/shop/collections/\(own)/records?_sort=id"
      let answer = try await Integration.send("GET", list, user: "shop:\(kinto.environment["KINTO_PASSWORD"] ?? "")")
      return try #require(answer["data"] as? [[String: NSObject]])
    }
    let first = try await stored()
    #expect(first.compactMap { $0["id"] as? String } == paid.map(invoice))
    #expect(first.compactMap { $0["amount"] as? String } == paid.map(Self.amount))
    let again = try await kinto.run("-s", "kinto.invoices").flow("invoices")
    #expect(again.source == "network" && again.records == 0 && again.rejected == 0)
    #expect(try kinto.records("kinto/invoices.jsonl") == expected)
    #expect(try await stored() == first)
  }
}
