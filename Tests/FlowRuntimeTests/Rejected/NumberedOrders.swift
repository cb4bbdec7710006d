import FlowTesting
import Foundation
import Synchronization
import TestSupport

/// A server that gives orders by a number that grows, as its records stand at a moment.
final class NumberedOrders: Sendable {
  /// `id`, `seq`, and the name; a nil name does not fit.
  typealias Order = (id: String, seq: Int, name: String?)

  private let orders: Mutex<[Order]>

  init(_ orders: [Order]) { self.orders = Mutex(orders) }

  func set(_ changed: [Order]) { orders.withLock { $0 = changed } }

  /// Replaces an order, as somebody who fixes it does.
  func fix(_ id: String, seq: Int? = nil, name: String = "fixed") {
    orders.withLock { orders in
      guard let index = orders.firstIndex(where: { $0.id == id }) else { return }
      orders[index].name = name
      if let seq { orders[index].seq = seq }
    }
  }

  /// Gives what lies between `from` and `until`, by the bounds that the server is said to have.
  func script(_ bounds: String = "[)") -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
    { request in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> Int? { query.first { $0.name == name }?.value.flatMap { Int($0) } }
      let (from, until) = (value("from"), value("until"))
      let found = self.orders.withLock { $0 }.filter { order in
        let isAfter = from.map { bounds.hasPrefix("[") ? order.seq >= $0 : order.seq > $0 } ?? true
        let isBefore = until.map { bounds.hasSuffix("]") ? order.seq <= $0 : order.seq < $0 } ?? true
        return isAfter && isBefore
      }
      let texts = found.map { order in
        "{\"id\":\(order.id),\"seq\":\(order.seq),\"name\":\(order.name.map { "\"\($0)\"" } ?? "null")}"
      }
      return ok("[\(texts.joined(separator: ","))]")
    }
  }
}
