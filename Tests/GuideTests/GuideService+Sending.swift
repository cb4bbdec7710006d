import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A CRM that gives customers and a shop that takes them.
  static let sending: Script = { call, memory in
    let takesAll = memory.events.contains("the shop takes customers without an address")
    switch (call.method, call.steps.first, call.path) {
    case ("GET", _, "/crm/customers"):
      guard call.request["authorization"] == "Bearer demo-token-4711" else { return .unauthorized }
      return .json(
        #"[{"id":1,"name":"Ada","mail":"ada@example.com"},{"id":2,"name":"Ben"},{"id":3,"name":"Cleo","mail":"cleo@example.com"}]"#
      )
    case ("POST", _, "/shop/customers"):
      guard call.request["x-api-key"] == "demo-key-0815" else { return .unauthorized }
      guard let mail = call.json["mail"]?.string, !mail.isEmpty else {
        return .json(#"{"error":"a customer needs an address"}"#, status: 422)
      }
      let known = memory.received.firstIndex { $0["mail"]?.string == mail }
      if known == nil { memory.received.append(call.json) }
      let id = 9000 + (call.json["source"]?["crm_id"]?.int64 ?? 0)
      return .json(#"{"id":\#(id)}"#, status: 201)
    case ("GET", _, "/crm/people"):
      return .json(
        """
        [{"id":1,"name":"Ada","mail":"ada@example.com","since":"2023-05-01"},{"id":2,"name":"Ben","since":"2024-02-29"},\
        {"id":3,"name":"Cleo","mail":"cleo@example.com","since":"2021-11-30"}]
        """)
    case ("POST", _, "/shop/people"):
      guard takesAll || call.json["contact"]?["mail"]?.string != nil else {
        return .json(#"{"error":"a customer needs an address"}"#, status: 422)
      }
      return .json(
        #"{"id":\#(9000 + (call.json["external_id"]?.int64 ?? 0)),"got":\#(String(decoding: call.request.body, as: UTF8.self))}"#,
        status: 201)
    case ("POST", _, "/shop/import"):
      let results = (call.json["items"]?.array ?? []).map { item in
        guard takesAll || item["contact"]?["mail"]?.string != nil else {
          return #"{"status":422,"error":"a customer needs an address"}"#
        }
        return #"{"status":201,"id":\#(9000 + (item["external_id"]?.int64 ?? 0))}"#
      }
      return .json(#"{"results":[\#(results.joined(separator: ","))]}"#)
    case ("PUT", "shop", _) where call.steps.count == 3 && call.steps[1] == "prices":
      let sku = call.steps[2]
      let amount = call.json["amount"].map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) } ?? "null"
      let isNew = memory.notes[sku] != amount
      memory.notes[sku] = amount
      if isNew { memory.counts["version of \(sku)", default: 0] += 1 }
      return .json(#"{"sku":"\#(sku)","amount":\#(amount),"version":\#(memory.counts["version of \(sku)"] ?? 0)}"#)
    default: return .notFound
    }
  }
}
