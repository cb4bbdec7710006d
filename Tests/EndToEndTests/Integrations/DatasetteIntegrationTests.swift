import Foundation
import TestSupport
import Testing

/// `flows/datasette.yaml` against a real Datasette: next URLs, a cursor, value lists, children, offsets and GraphQL.
@Suite(.timeLimit(.minutes(3))) struct DatasetteIntegrationTests {
  private static let start = 1_704_067_200_000

  private static func readings(_ numbers: ClosedRange<Int>) throws -> [NSObject] {
    try numbers.map {
      try Records.value(
        """
        {"id":\($0),"sensor":"sensor-\(1 + $0 % 4)","celsius":\(15 + Double($0) / 16),"at":\(start + $0 * 60_000)}
        """)
    }
  }

  @Test func `readings up to a time, then those since, are all of them once`() async throws {
    guard let datasette = try await Integration("datasette.yaml", server: "datasette") else { return }
    // 450 minutes.
    let first = try await datasette.run("-s", "datasette.readings", "--var", "until=2024-01-01T07:30:00Z")
    #expect(try first.flow("readings").records == 450)
    #expect(
      try Records.withInstants(["at"], in: datasette.records("datasette/readings.jsonl")) == Self.readings(1...450))
    // From the last one on, which comes again.
    #expect(try await datasette.run("-s", "datasette.readings").flow("readings").records == 751)
    #expect(
      try Records.withInstants(["at"], in: datasette.records("datasette/readings.jsonl")) == Self.readings(1...1200))
    #expect(try await datasette.run("-s", "datasette.readings").flow("readings").records == 1)
    #expect(try datasette.records("datasette/readings.jsonl").count == 1200)
  }

  @Test func `customers come country by country, and each one's orders with what is computed`() async throws {
    guard let datasette = try await Integration("datasette.yaml", server: "datasette") else { return }
    let summary = try await datasette.run("-s", "datasette.orders")
    #expect(try summary.flow("customers").records == 40)
    #expect(try summary.flow("orders").records == 120)
    let countries = ["DE", "JP", "US"]
    let customers = countries.enumerated().flatMap { rest, country in
      (1...40).filter { $0 % 3 == rest }.map { (id: $0, country: country) }
    }
    #expect(
      try datasette.records("datasette/customers.jsonl")
        == customers.map {
          try Records.value(#"{"id":\#($0.id),"name":"Customer \#($0.id)","country":"\#($0.country)"}"#)
        })
    let orders = try customers.flatMap { customer in
      try (0..<customer.id % 7).map { number in
        let hours = customer.id * 10 + number
        let quarters = [".0", ".25", ".5", ".75"][number % 4]
        let amount = customer.id + number / 4
        return try Records.value(
          """
          {"id":\(customer.id * 100 + number),"customer":\(customer.id),"country":"\(customer.country)",
           "amount":"\(amount)\(quarters)","size":"\(amount >= 30 ? "large" : amount >= 10 ? "medium" : "small")",
           "placed":\(start(hours)),"month":"2024-01"}
          """)
      }
    }
    #expect(try Records.withInstants(["placed"], in: datasette.records("datasette/orders.jsonl")) == orders)
  }

  private func start(_ hours: Int) -> Int { Self.start + hours * 3_600_000 }

  @Test func `rows by offset and by a GraphQL cursor are those of the tables`() async throws {
    guard let datasette = try await Integration("datasette.yaml", server: "datasette") else { return }
    let summary = try await datasette.run("-s", "datasette.visits_by_offset datasette.largest_orders")
    // 16 groups of ids, the first of 49 and the last of 1.
    #expect(try summary.flow("visits_by_offset").records == 76)
    let rows = try Records.rows(datasette.workspace.text("out/datasette/visits-by-offset.csv")).dropFirst()
    var expected: [[String]] = []
    for group in 0...15 {
      for product in 1...5 {
        let ids = (1...750).filter { $0 / 50 == group && 1 + $0 % 5 == product }
        if !ids.isEmpty { expected.append(["\(product)", "\(ids.count)", "\(Double(ids.reduce(0, +)) / 8)"]) }
      }
    }
    #expect(Array(rows) == expected)

    let large = try (1...40).flatMap { customer in
      try (0..<customer % 7).filter { Double(customer) + Double($0) / 4 >= 35 }.map { number in
        try Records.value(
          """
          {"id":\(customer * 100 + number),"amount":"\(Double(customer) + Double(number) / 4)",
           "customer":"Customer \(customer)","country":"\(["DE", "JP", "US"][customer % 3])"}
          """)
      }
    }
    #expect(large.count == 17)
    #expect(try Set(datasette.records("datasette/largest-orders.jsonl")) == Set(large))
    #expect(try summary.flow("largest_orders").records == 17)
  }
}
