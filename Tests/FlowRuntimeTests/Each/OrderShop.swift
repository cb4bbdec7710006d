import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import SourceDiagnostics
import Storage
import Synchronization
import TestSupport
import Testing

/// A shop with orders and their items, which remembers what it was asked.
final class OrderShop: Sendable {
  struct Order: Sendable {
    var id: Int
    var time: String
    var note = "a"
    var items: [Int]
  }

  let orders = Mutex<[Order]>([])
  /// Orders whose items are answered with 500.
  let broken = Mutex<Set<Int>>([])
  private let asked = Mutex<[String]>([])

  init(_ orders: [Order]) { self.orders.withLock { $0 = orders } }

  /// So many orders, each with two items.
  convenience init(_ count: Int) {
    self.init((1...count).map { Order(id: $0, time: CursorTests.time($0), items: [$0 * 10, $0 * 10 + 1]) })
  }

  func change(_ id: Int, _ change: (inout Order) -> Void) {
    orders.withLock { orders in
      for index in orders.indices where orders[index].id == id { change(&orders[index]) }
    }
  }

  /// What was asked since the last call, without the host, sorted.
  func takeAsked() -> [String] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked.sorted()
    }
  }

  /// The orders whose items were asked for since the last call, sorted.
  func takeAskedOrders() -> [Int] {
    takeAsked().compactMap { target in
      let parts = target.split(separator: "?")[0].split(separator: "/")
      return parts.count == 3 ? Int(parts[1]) : nil
    }.sorted()
  }

  /// `/orders?since=T`, and `/orders/7/items?after=10`.
  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    guard let target = URLComponents(string: request.target), target.path.hasPrefix("/orders") else { return ok("[]") }
    asked.withLock { $0.append(request.target.removingPercentEncoding ?? "") }
    var query: [String: String] = [:]
    for item in target.queryItems ?? [] { query[item.name] = item.value }
    let parts = target.path.split(separator: "/")
    guard parts.count > 1 else {
      let found = orders.withLock { $0 }.filter { $0.time >= query["since"] ?? "" }
      return ok(
        "["
          + found.map { "{\"id\":\($0.id),\"t\":\"\($0.time)\",\"note\":\"\($0.note)\",\"gone\":\($0.note == "gone")}" }
          .joined(separator: ",") + "]")
    }
    let id = Int(parts[1]) ?? 0
    if broken.withLock({ $0.contains(id) }) { return FlowTesting.answer("500 Oh No", "{}") }
    let items = orders.withLock { orders in orders.first { $0.id == id }?.items ?? [] }
    return ok(
      "["
        + items.filter { $0 >= query["after"].flatMap { Int($0) } ?? 0 }.map { "{\"id\":\($0)}" }.joined(separator: ",")
        + "]")
  }

  /// Gives the body a rig whose server is the shop.
  func run(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.with { rig in
      rig.answer { self.answer($0) }
      try await body(rig)
    }
  }
}

extension Rig {
  /// The flows of a file with these flows, in their order.
  func flows(_ flows: String, http: String = "", inputs: FlowCompiler.Inputs = .init()) throws -> [DeclaredFlow] {
    let text = """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 20s\(http.isEmpty ? "" : ", " + http) }
      flows:
      \(flows.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n"))

      """
    return try compile(text, inputs: inputs).accepted()
  }

  /// Runs parents and children beside each other, as a run does; outcomes in the order of the flows.
  func run(_ flows: [DeclaredFlow], _ mode: FetchMode = .persistenceFirst) async -> [FlowRun] {
    for flow in flows { flow.begin() }
    return await withTaskGroup(of: (Int, FlowRun).self) { group in
      for (index, flow) in flows.enumerated() { group.addTask { (index, await self.run(flow, mode)) } }
      var runs = [FlowRun](repeating: FlowRun(), count: flows.count)
      for await (index, run) in group { runs[index] = run }
      return runs
    }
  }

  /// The integers in a field of the records of a file in any format.
  func numbers(_ name: String, _ field: String = "id") throws -> [Int] {
    let text = try #require(scratch.text(name))
    if name.contains(".csv") {
      var lines = text.components(separatedBy: "\r\n").filter { !$0.isEmpty }.map { $0.components(separatedBy: ",") }
      let column = try #require(lines.removeFirst().firstIndex(of: field))
      return lines.compactMap { Int($0[column]) }
    }
    let json =
      name.contains(".json") && !name.contains(".jsonl")
      ? text : "[" + text.split(separator: "\n").joined(separator: ",") + "]"
    let records = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    return records.compactMap { $0[field] as? Int }
  }
}
