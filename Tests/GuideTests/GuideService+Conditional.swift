import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A price list with an ETag (RFC 9110, section 8.8.3).
  static let conditional: Script = { call, memory in
    guard call.path == "/products" else { return .notFound }
    let tag = "\"v\(memory.events.count + 1)\""
    if call.request["if-none-match"] == tag { return Reply(status: 304, fields: [("ETag", tag)]) }
    let price = memory.events.isEmpty ? "7.45" : "7.95"
    return .json(#"[{"sku":"TEA-1","price":"\#(price)"},{"sku":"CUP-9","price":"5.00"}]"#, ("ETag", tag))
  }

  /// A price list that can be searched.
  static let firstFlow: Script = { call, _ in
    let products = [
      ("TEA-1", "Sencha", "7.45", 120), ("CUP-9", "Cup, small", "5.00", 31), ("POT-3", "Teapot", "24.90", 2),
    ]
    func json(_ product: (String, String, String, Int)) -> String {
      #"{"sku":"\#(product.0)","name":"\#(product.1)","price":"\#(product.2)","stock":\#(product.3)}"#
    }
    if call.steps.count == 2 {
      return products.first { $0.0 == call.steps[1] }.map { .json(json($0)) } ?? .notFound
    }
    guard call.path == "/products" else { return .notFound }
    let found = products.filter { $0.3 >= call.number("min_stock") ?? 0 }
    return .json(#"{"data":[\#(found.map(json).joined(separator: ","))],"total":\#(found.count)}"#)
  }
}
