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
      if steps.first == "find", steps.count == 2 { return .json(#"[{"kind":"\#(steps[1])"}]"#) }
      if steps.first == "limited" { return limited(call, &memory) }
      guard steps.first == "orders", steps.count == 3, let order = Int(steps[1]), order % 2 == 1 else {
        return .notFound
      }
      return .json(#"[{"order":\#(order),"note":"Gift wrap"}]"#)
    }
  }

  /// Two requests a second; a third is refused.
  private static func limited(_ call: Call, _ memory: inout Memory) -> Reply {
    let now = Date().timeIntervalSince1970
    let window = memory.notes["limited.since"].flatMap { Double($0) }.flatMap { now - $0 < 1 ? $0 : nil }
    let used = window == nil ? 1 : (memory.notes["limited.used"].flatMap { Int($0) } ?? 0) + 1
    memory.notes["limited.since"] = String(window ?? now)
    memory.notes["limited.used"] = String(used)
    if used > 2 { return .json(#"{"error":"too fast"}"#, status: 403) }
    return .json(#"[{"part":\#(call.steps[1])}]"#, ("X-Calls-Left", String(2 - used)), ("X-Calls-Wait", "1"))
  }
}
