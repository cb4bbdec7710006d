import JSONSyntax
import ReactorCLI
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlowShardTests {
  static let ids = (0..<500).map { "file_\($0 % 7).flow_\($0)" }

  @Test(arguments: 1...20)
  func `each flow is in one part, and the parts are of like size`(count: Int) throws {
    var sizes = [Int](repeating: 0, count: count)
    for id in Self.ids {
      let part = FlowShard.number(of: id, count: count)
      try #require((1...count).contains(part))
      sizes[part - 1] += 1
    }
    #expect(sizes.reduce(0, +) == Self.ids.count)
    let mean = Self.ids.count / count
    #expect(sizes.allSatisfy { $0 > mean / 3 && $0 < mean * 2 }, "\(sizes)")
  }

  @Test(arguments: 1...20)
  func `one more part takes flows from the others and moves none between them`(count: Int) {
    var moved = 0
    for id in Self.ids {
      let (before, after) = (FlowShard.number(of: id, count: count), FlowShard.number(of: id, count: count + 1))
      #expect(before == after || after == count + 1)
      if before != after { moved += 1 }
    }
    #expect(moved > 0 && moved < Self.ids.count * 2 / (count + 1) + 20)
  }

  /// Parts are agreed on among machines and versions: these never change.
  @Test(arguments: FlowShardTests.known)
  func `the part of a flow is the same for ever`(id: String, parts: [Int]) {
    #expect([2, 3, 5, 16].map { FlowShard.number(of: id, count: $0) } == parts)
  }

  static let known: [(String, [Int])] = [
    ("shop.customers", [2, 2, 2, 2]), ("shop.orders", [1, 1, 1, 1]), ("a.b", [2, 3, 4, 4]), ("", [1, 1, 1, 1]),
  ]

  @Test func `a shard is of the selection and adding a flow moves none`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a", "b", "c", "d", "e")])
    func shards() async throws -> [String: Int] {
      var parts: [String: Int] = [:]
      for number in 1...3 {
        let outcome = try await bench.run(["list", bench.path("flows"), "-s", "[a-y]", "--shard", "\(number)/3"])
        for line in outcome.out.split(separator: "\n") { parts[String(line.prefix { $0 != " " })] = number }
      }
      return parts
    }
    let before = try await shards()
    #expect(before.keys.sorted() == ["shop.a", "shop.b", "shop.c", "shop.d", "shop.e"])
    try bench.write(Workbench.flows("a", "z", "b", "c", "bb", "d", "e", "y"), to: "flows/shop.yaml")
    let after = try await shards()
    #expect(after.keys.contains("shop.y") && !after.keys.contains("shop.z"))
    for (id, number) in before { #expect(after[id] == number) }
  }

  @Test func `an empty part fails with the reason unless it may be empty`() async throws {
    let bench = try Workbench(["flows/shop.yaml": Workbench.flows("a")])
    let other = FlowShard.number(of: "shop.a", count: 2) == 1 ? "2/2" : "1/2"
    let flags = ["run", bench.path("flows"), "--root", bench.path("root"), "--shard", other]
    let outcome = try await bench.run(flags)
    #expect(outcome.code == 4)
    #expect(outcome.err.contains("shard \(other) of this selection is empty"))
    #expect(try await bench.run(flags + ["--fail-on", "!no-flows"]).code == 0)
    #expect(try await bench.run(["list", bench.path("flows"), "--shard", "3/2"]).code == 2)
    let report = try await bench.run(flags + ["--fail-on", "!no-flows", "--format", "json"])
    #expect(try JSONValue(parsing: report.out)["shard"]?.string == other)
  }
}
