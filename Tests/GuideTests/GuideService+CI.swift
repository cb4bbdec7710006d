import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A shop whose orders may be down.
  static let selection: Script = { call, memory in
    switch call.path {
    case "/customers": return .json(#"[{"id":1,"name":"Ada"},{"id":"?","name":"Ben"}]"#)
    case "/orders":
      if memory.events.last == "orders are down" { return .json(#"{"error":"down"}"#, status: 503) }
      return .json(#"[{"id":7}]"#)
    case "/products": return .json(#"[{"sku":"TEA-1"}]"#)
    default: return .notFound
    }
  }

  /// The same, with receivers of telemetry.
  static let monitoring: Script = { call, memory in call.method == "POST" ? .json("{}") : selection(call, &memory) }

  /// A shop that changes between versions.
  static let fixtures: Script = { call, memory in
    guard call.path == "/customers" else { return .notFound }
    return memory.events.contains("version 2")
      ? .json(#"[{"id":"1","name":"Ada","mail":"ada@example.com"},{"id":"2","name":"Ben","mail":null}]"#)
      : .json(#"[{"id":1,"name":"Ada","city":"London"},{"id":2,"name":"Ben"}]"#)
  }

  /// What library.md pulls from.
  static let library: Script = { call, _ in
    call.path == "/products" ? .json(#"[{"sku":"TEA-1"},{"sku":"CUP-9"}]"#) : .notFound
  }
}
