import Foundation
import TestSupport
import Testing

/// The shipped demo flows against the demo shop: every record compared with what the shop holds.
@Suite(.timeLimit(.minutes(2)))
struct DemoFlowTests {
  private let flow = Repository.flows.appendingPathComponent("demo.yaml").path

  @Test func `all demo flows pass and their records are the shop's`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    let outcome = try await workspace.reactor(
      "run", flow, "--format", "json", "--var", "feed_size=5000", environment: server.environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let summary = try Summary(outcome)
    #expect(summary.complete)
    #expect(summary.v == 1)
    #expect(
      summary.flows.map(\.id) == ["customers", "orders", "products", "rates", "feed", "echo"].map { "demo.\($0)" })
    #expect(summary.flows.allSatisfy { $0.status == "passed" && $0.source == "network" })
    #expect(summary.flows.map(\.records) == [12, 4, 5, 1, 5000, 1])
    #expect(summary.flows.map { $0.rejected ?? 0 } == [1, 0, 0, 0, 0, 0])

    try customers(workspace)
    try orders(workspace)
    try products(workspace)
    try feed(workspace)
    let rates = try Records.array(workspace.text("out/demo/rates.json"))
    #expect(
      rates
        == (try Records.expected(
          #"""
          {"base":"EUR","date":"2024-03-28","usd":"1.0811","jpy":"163.45","gbp":"0.85510",
           "all":{"USD":"1.0811","JPY":"163.45","GBP":"0.85510"}}
          """#)))
    let echo = try Records.array(workspace.text("out/demo/echo.json"))
    #expect(
      echo
        == (try Records.expected(
          #"{"size":5000,"note":"asked for 5000 records","ids":[1,9007199254740993]}"#)))
  }

  private func customers(_ workspace: Workspace) throws {
    let found = try Records.lines(workspace.text("out/demo/customers.jsonl"))
    #expect(found.count == 12)
    let expected = try Records.expected(
      #"{"id":1,"name":"Ada Lovelace","email":"ada@example.com","tier":"pro","active":true,"city":"London","zip":"SW1A 1AA","joined":"2023-01-15T09:30:00Z"}"#,
      #"{"id":2,"name":"Grace Hopper","email":"grace@example.com","tier":"pro","active":true,"city":"New York","zip":"10001","joined":"2023-02-02T04:59:59Z"}"#,
      #"{"id":3,"name":"茶谷 さくら","email":null,"tier":"free","active":true,"city":"東京","zip":"100-0001","joined":"2023-03-02T15:00:00Z"}"#,
      #"{"id":4,"name":"Zoë Müller-Lüdenscheidt","email":"zoe@example.com","tier":"free","active":false,"city":"Köln","zip":"50667","joined":"2023-04-01T12:00:00.125Z"}"#,
      #"{"id":6,"name":"Édith Piaf","email":"edith@example.com","tier":"free","active":true,"city":"Paris","zip":"75020","joined":"2023-06-18T16:06:00Z"}"#,
      #"{"id":7,"name":"O'Brien \"The Pot\" Patrick","email":null,"tier":"pro","active":true,"city":"Dublin","zip":"D02 XY45","joined":"2023-07-07T07:07:07Z"}"#,
      #"{"id":8,"name":"Nína Björk","email":"nina@example.com","tier":"free","active":false,"city":"Reykjavík","zip":"101","joined":"2023-08-31T23:00:00Z"}"#,
      #"{"id":9,"name":"Bob Nowhere","email":null,"tier":"free","active":true,"city":"","zip":null,"joined":"2023-09-09T09:09:09Z"}"#
    )
    let first = try Records.withInstants(["joined"], in: Array(found.prefix(8)))
    #expect(first == (try Records.withInstants(["joined"], in: expected)))
  }

  private func orders(_ workspace: Workspace) throws {
    let text = workspace.text("out/demo/orders.json")
    let found = try Records.withInstants(["placed"], in: Records.array(text))
    let expected = try Records.expected(
      #"""
      {"id":9007199254740993,"customer":1,"status":"paid","amount":"19.90","currency":"EUR",
       "placed":"2024-01-05T09:00:00Z","first_sku":"TEA-1","lines":[{"sku":"TEA-1","quantity":2,"price":"7.45"},
       {"sku":"CUP-9","quantity":1,"price":"5.00"}]}
      """#,
      #"""
      {"id":9007199254740995,"customer":2,"status":"shipped","amount":"1234567890123456789.01","currency":"USD",
       "placed":"2024-01-07T04:59:59.999Z","first_sku":"POT-3",
       "lines":[{"sku":"POT-3","quantity":1,"price":"1234567890123456789.01"}]}
      """#,
      #"""
      {"id":9223372036854775807,"customer":3,"status":"open","amount":"0.10","currency":"JPY",
       "placed":"2024-02-28T15:00:00Z","first_sku":null,"lines":[]}
      """#,
      #"""
      {"id":42,"customer":12,"status":"cancelled","amount":"-3.50","currency":"EUR","placed":"2024-03-31T01:00:00Z",
       "first_sku":"TEA-1","lines":[{"sku":"TEA-1","quantity":-1,"price":"3.50"}]}
      """#)
    #expect(found == (try Records.withInstants(["placed"], in: expected)))
    // JSON readers may round; the digits themselves must be there.
    for digits in ["9007199254740993", "9007199254740995", "9223372036854775807", "1234567890123456789.01"] {
      #expect(text?.contains(digits) == true)
    }
  }

  private func products(_ workspace: Workspace) throws {
    let rows = try Records.rows(workspace.text("out/demo/products.csv"))
    #expect(rows.first == ["sku", "name", "price", "stock", "weight"])
    #expect(rows.map { $0.count } == Array(repeating: 5, count: 6))
    #expect(
      rows.dropFirst().map { [$0[0], $0[1], $0[3]] } == [
        ["TEA-1", "Sencha 煎茶", "120"], ["TEA-2", #"Earl Grey "No. 2""#, "0"], ["CUP-9", "Cup, small", "31"],
        ["POT-3", "Teapot 🫖", "2"], ["SET-7", "L'ensemble à thé", "1"],
      ])
    #expect(rows.dropFirst().map { Double($0[2]) } == [7.45, 6.5, 5, 100, 249.99])
    #expect(rows.dropFirst().map { Double($0[4]) } == [nil, 0.25, 0.2, 1.75, 4.5])
  }

  private func feed(_ workspace: Workspace) throws {
    let found = try Records.withInstants(["at"], in: Records.lines(workspace.text("out/demo/feed.jsonl")))
    let expected = try (0..<5000).map { index in
      try Records.value(
        """
        {"id":\(9_007_199_254_740_993 + index),"sku":"T-\(index % 1000)","amount":"\(index).\(index % 10)5",
         "ratio":\(Double(index % 8) / 8),
         "paid":\(index % 3 != 0),"at":"2024-01-01T00:00:\(index % 60 < 10 ? "0" : "")\(index % 60)Z","tags":["a","b"]}
        """)
    }
    #expect(found.count == expected.count)
    for (index, pair) in zip(found, try Records.withInstants(["at"], in: expected)).enumerated() where pair.0 != pair.1
    {
      Issue.record("record \(index) is \(pair.0), expected \(pair.1)")
      break
    }
  }
}
