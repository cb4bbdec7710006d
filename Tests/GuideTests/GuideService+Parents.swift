import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// The customers and orders, and a description of an order.
  static let imports: Script = { call, memory in
    guard call.path == "/order-fields" else { return parents(call, &memory) }
    return .json(#"{"fields":[{"id":"amount","kind":"money"},{"id":"paid","kind":"formula","result":"check"}]}"#)
  }

  /// Customers, their orders, and the items of these.
  static let parents: Script = { call, memory in
    let names = [1: "Ada", 2: memory.events.contains("customer 2 is renamed") ? "Benno" : "Ben", 3: "Cleo"]
    let steps = call.steps
    let id = steps.count > 1 ? Int(steps[1]) : nil
    switch (steps.first, steps.count > 2 ? steps[2] : nil) {
    case ("customers", nil):
      guard let id else {
        return .json("[" + (1...3).map { #"{"id":\#($0),"name":"\#(names[$0] ?? "")"}"# }.joined(separator: ",") + "]")
      }
      return names[id].map { .json(#"{"id":\#(id),"name":"\#($0)"}"#) } ?? .notFound
    case ("customers", "orders"):
      guard let id else { return .notFound }
      if id == 2, memory.events.contains("customer 2 is locked") {
        return .json(#"{"error":"this customer is locked"}"#, status: 403)
      }
      return .json(#"[{"id":\#(id * 10),"amount":"\#(id * 4).50"},{"id":\#(id * 10 + 1),"amount":"\#(id).00"}]"#)
    case ("customers", "turnover"):
      guard let id, let year = call.number("year") else { return .notFound }
      return .json(#"{"amount":"\#(id * (year - 2000)).00"}"#)
    case ("former-customers", nil): return .json(#"[{"id":3,"name":"Cleo"},{"id":9,"name":"Dora"}]"#)
    case ("sales", nil):
      let customers = [1, 2, 1, 9]
      let sales = customers.indices.map {
        #"{"id":\#($0 + 1),"amount":"\#($0 * 3 + 2).50","customer":\#(customers[$0])}"#
      }
      return .json("[" + sales.joined(separator: ",") + "]")
    case ("orders", "items"): return .json(#"[{"sku":"TEA-\#(id ?? 0)"}]"#)
    case ("regions", "prices"):
      return .json(
        steps[1] == "eu" ? #"[{"sku":"TEA-1","price":"7.45"}]"# : #"[{"sku":"TEA-1","price":"8.10"}]"#)
    default: return .notFound
    }
  }
}
