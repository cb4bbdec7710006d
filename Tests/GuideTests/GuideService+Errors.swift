import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A server on a bad day.
  static let errors: Script = { call, memory in
    let count = memory.counts[call.path] ?? 0
    let steps = call.steps
    switch call.path {
    case "/busy":
      if memory.events.contains("it stays down") { return .json(#"{"error":"down for maintenance"}"#, status: 503) }
      switch count {
      case 1, 2: return .json(#"{"error":"overloaded"}"#, status: 503)
      case 3: return .json(#"{"error":"too fast"}"#, status: 429, ("Retry-After", "1"))
      default: return .json(#"[{"id":1},{"id":2}]"#)
      }
    case "/report": return .json(#"{"error":{"code":17,"text":"no such period"},"rows":[]}"#)
    case "/export":
      return count < 4
        ? .json(#"{"state":"preparing","ready_in_ms":20}"#) : .json(#"{"state":"ready","rows":[{"id":1},{"id":2}]}"#)
    case "/search":
      return count % 2 == 1 ? .json(#"{"error":"overloaded"}"#, status: 503) : .json(#"[{"id":1,"state":"open"}]"#)
    default:
      guard steps.first == "orders", steps.count == 3, let order = Int(steps[1]), order % 2 == 1 else {
        return .notFound
      }
      return .json(#"[{"order":\#(order),"note":"Gift wrap"}]"#)
    }
  }
}
