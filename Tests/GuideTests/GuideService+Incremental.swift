import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// Orders with the time of their last change, which may be asked for from a time on, that time included.
  static let incremental: Script = { call, memory in
    if call.path == "/posts" {
      // Two posts a page, the newest first, one for each day.
      let newest = memory.events.contains("two new posts") ? 7 : 5
      let days = (1...newest).reversed().dropFirst(2 * ((call["page"].flatMap { Int($0) } ?? 1) - 1)).prefix(2)
      return .json(
        "[" + days.map { #"{"id":\#($0),"posted_at":"2024-01-0\#($0)T08:00:00Z"}"# }.joined(separator: ",") + "]")
    }
    if call.path == "/tickets" { return tickets(call) }
    guard call.path == "/orders" || call.path == "/events" else { return .notFound }
    if memory.events.last == "the database restarts" {
      return .json(#"{"error":"database is restarting"}"#, status: 500)
    }
    var orders = [
      (1, "paid", "2024-01-01T09:00:00Z"), (2, "open", "2024-01-02T10:00:00Z"), (3, "open", "2024-01-03T11:00:00Z"),
    ]
    for event in memory.events {
      switch event {
      case "a day passes":
        orders[1] = (2, "paid", "2024-01-04T08:00:00Z")
        orders.append((4, "open", "2024-01-04T09:30:00Z"))
      case "a late order": orders.append((5, "open", "2024-01-02T23:00:00Z"))
      case "order 1 is deleted": orders.removeFirst()
      default: break
      }
    }
    func moment(_ text: String?) -> String? { text.map { $0.count == 10 ? $0 + "T00:00:00Z" : $0 } }
    let since = moment(call["updated_since"] ?? call["since"]) ?? ""
    let before = moment(call["updated_before"]) ?? "9"
    let found = orders.filter { $0.2 >= since && $0.2 < before }
    let rows = found.map { #"{"id":\#($0.0),"state":"\#($0.1)","updated_at":"\#($0.2)"}"# }
    let elements = call.path == "/events" ? rows.map { #"{"type":"changed","order":\#($0)}"# } : rows
    return .json("[" + elements.joined(separator: ",") + "]")
  }

  /// Seven tickets, two a page, of which the server gives at most four of a range.
  private static func tickets(_ call: Call) -> Reply {
    func moment(_ text: String) -> String { text.count == 10 ? text + "T00:00:00Z" : text }
    let first = 2 * ((call["page"].flatMap { Int($0) } ?? 1) - 1)
    if first >= 4 { return .json(#"{"error":"too far"}"#, status: 400) }
    let ids = call["order"] == "none" ? [5, 2, 7, 1, 4, 6, 3] : Array(1...7)
    let found = ids.map { (id: $0, time: "2024-01-\(10 + 2 * $0)T08:00:00Z") }.filter { ticket in
      ticket.time >= moment(call["updated_since"] ?? "") && ticket.time < moment(call["updated_before"] ?? "9")
    }
    let page = found.prefix(4).dropFirst(first).prefix(2)
    return .json("[" + page.map { #"{"id":\#($0.id),"updated_at":"\#($0.time)"}"# }.joined(separator: ",") + "]")
  }
}
