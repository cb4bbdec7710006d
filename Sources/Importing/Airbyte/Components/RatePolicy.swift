/// A limit on the rate of requests.
struct RatePolicy {
  private let policy: Component

  init(_ policy: Component) { self.policy = policy }

  /// Applies the limit to the flows that it is for.
  func apply(to flows: [FlowDraft], lose: (ImportReport.Kind, String, String) -> Void) {
    var rates: [(count: Int, period: String)] = []
    switch policy.type {
    case "UnlimitedCallRatePolicy": return
    case "FixedWindowCallRatePolicy":
      if let count = policy["call_limit"]?.integer, let period = policy["period"]?.text { rates = [(count, period)] }
    case "MovingWindowCallRatePolicy":
      rates = policy.children("rates", default: "Rate").compactMap { rate in
        guard let count = rate["limit"]?.integer, let period = rate["interval"]?.text else { return nil }
        return (count, period)
      }
    default: return lose(.rate, "policy: \(policy.type)", "a rate of requests")
    }
    guard let rate = rates.first, let text = Self.rate(rate.count, rate.period) else {
      return lose(.rate, "policy: \(policy.type)", "a rate that is known before the run, of at most a day")
    }
    if rates.count > 1 {
      lose(.rate, "\(rates.count - 1) more rates of a policy", "several rates of one host; the first is used")
    }
    let matchers = policy.children("matchers", default: "HttpRequestRegexMatcher")
    let isForAll =
      matchers.isEmpty || matchers.contains { $0.fieldNames.allSatisfy { ["type", "weight"].contains($0) } }
    for flow in flows where isForAll || matchers.contains(where: { Self.matches($0, flow) }) {
      var rate = OutputMapping([("max", .scalar(text))])
      if let concurrency = flow.rate?.mapping?["concurrency"] { rate["concurrency"] = concurrency }
      flow.rate = rate.items.count == 1 ? .scalar(text) : .mapping(rate)
    }
    if !isForAll, !flows.contains(where: { flow in matchers.contains { Self.matches($0, flow) } }) {
      lose(.rate, "policy: \(policy.type) with matchers", "matchers that are plain paths")
    }
  }

  /// Whether a matcher of plain texts is for a flow.
  private static func matches(_ matcher: Component, _ flow: FlowDraft) -> Bool {
    if let method = matcher["method"]?.text, method.uppercased() != flow.method { return false }
    if matcher["params"] != nil || matcher["headers"] != nil { return false }
    if let base = matcher["url_base"]?.text, !base.hasPrefix(flow.base.text) { return false }
    guard var pattern = matcher["url_path_pattern"]?.text else { return true }
    for anchor in ["^", "$"] { pattern = pattern.replacing(anchor, with: "") }
    guard !pattern.contains(where: { "[](){}*+?|\\".contains($0) }) else { return false }
    return flow.path.text.hasSuffix(pattern)
  }

  private static func rate(_ count: Int, _ period: String) -> String? {
    guard count > 0, let duration = ISODuration(period), duration.months == 0, duration.seconds > 0,
      duration.seconds <= 86_400
    else {
      return nil
    }
    switch duration.seconds {
    case 1: return "\(count)/s"
    case 60: return "\(count)/m"
    case 3600: return "\(count)/h"
    default: return "\(count)/\(duration.text)"
    }
  }
}
