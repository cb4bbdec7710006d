/// A limit on the rate of requests.
struct RatePolicy {
  private let policy: Component

  init(_ policy: Component) { self.policy = policy }

  /// Applies the limit to the flows, as a limit for all their requests or as a budget.
  func apply(to flows: [FlowDraft], lose: (ImportReport.Kind, String, String) -> Void) {
    let declared: [(count: Int, period: String)?]
    switch policy.type {
    case "UnlimitedCallRatePolicy": return
    case "FixedWindowCallRatePolicy": declared = [Self.rate(policy["call_limit"], policy["period"])]
    case "MovingWindowCallRatePolicy":
      declared = policy.children("rates", default: "Rate").map { Self.rate($0["limit"], $0["interval"]) }
    default: return lose(.rate, "policy: \(policy.type)", "a rate of requests")
    }
    let rates = declared.compactMap { $0.flatMap { Self.text($0.count, $0.period) } }
    guard rates.count == declared.count, !rates.isEmpty else {
      return lose(.rate, "policy: \(policy.type)", "rates that are known before the run, of at most a day")
    }
    let max = rates.count == 1 ? OutputNode.scalar(rates[0]) : .list(rates.map { .scalar($0) })
    let matchers = policy.children("matchers", default: "HttpRequestRegexMatcher")
    let isForAll =
      matchers.isEmpty || matchers.contains { $0.fieldNames.allSatisfy { ["type", "weight"].contains($0) } }
    if isForAll { return Self.set(max, for: flows) }
    // Matchers of one method share a budget with several paths.
    let known = matchers.filter { Self.pattern($0) != nil }
    if known.count < matchers.count {
      lose(.rate, "policy: \(policy.type) with matchers", "matchers of a method and a path")
    }
    let methods = Set(known.map { $0["method"]?.text?.uppercased() ?? "" }).sorted()
    if methods.count > 1 { lose(.rate, "one count for several methods", "a budget for each of several methods") }
    for flow in flows {
      for method in methods {
        let own = known.filter {
          ($0["method"]?.text?.uppercased() ?? "") == method
            && ($0["url_base"]?.text.map { $0.hasPrefix(flow.base.text) } ?? true)
        }
        guard !own.isEmpty else { continue }
        var budget = OutputMapping()
        let paths = own.compactMap { Self.pattern($0).map { Self.below(flow.base.text, $0) } }
        if paths.allSatisfy({ $0 != "**" }) {
          budget["path"] = paths.count == 1 ? .text(paths[0]) : .list(paths.map { .text($0) })
        }
        if !method.isEmpty { budget["methods"] = .list([.scalar(method)]) }
        budget["max"] = max
        Self.add(budget, to: flow)
      }
    }
  }

  /// Sets the limit for all requests.
  private static func set(_ max: OutputNode, for flows: [FlowDraft]) {
    for flow in flows {
      guard var rate = flow.rate?.mapping else {
        flow.rate = max
        continue
      }
      rate["max"] = max
      flow.rate = .mapping(rate)
    }
  }

  /// Makes flows follow these header fields. The reset is a number of seconds since 1970.
  static func follow(remaining: String, reset: String, for flows: [FlowDraft]) {
    for flow in flows {
      var rate = flow.rate?.mapping ?? OutputMapping()
      if flow.rate?.mapping == nil, let max = flow.rate { rate["max"] = max }
      rate["follow"] = .map([
        ("remaining", .text(remaining)), ("reset", .text(reset)), ("format", .scalar("epoch_s")),
      ])
      flow.rate = .mapping(rate)
    }
  }

  private static func add(_ budget: OutputMapping, to flow: FlowDraft) {
    var rate = flow.rate?.mapping ?? OutputMapping()
    if flow.rate?.mapping == nil, let max = flow.rate { rate["max"] = max }
    var budgets: [OutputNode] = []
    if case .list(let known)? = rate["budgets"] { budgets = known }
    rate["budgets"] = .list(budgets + [.mapping(budget)])
    flow.rate = .mapping(rate)
  }

  /// The pattern of paths for a matcher's regular expression, which need not match the end of the path; nil if a
  /// pattern of ours cannot say it.
  private static func pattern(_ matcher: Component) -> String? {
    guard matcher["params"] == nil, matcher["headers"] == nil else { return nil }
    guard var text = matcher["url_path_pattern"]?.text else { return "**" }
    if text.hasPrefix("^") { text.removeFirst() }
    let isWhole = text.hasSuffix("$")
    if isWhole { text.removeLast() }
    for (expression, star) in [
      (".*", "**"), (".+", "**"), ("[^/]+", "*"), ("[^/]*", "*"), ("\\d+", "*"), ("[0-9]+", "*"), ("\\w+", "*"),
      ("\\.", "."), ("\\/", "/"), ("\\-", "-"),
    ] {
      text = text.replacing(expression, with: star)
    }
    guard text.hasPrefix("/") || text.hasPrefix("*"), !text.contains(where: { "[](){}+?|\\^$#".contains($0) }) else {
      return nil
    }
    return isWhole || text.hasSuffix("**") ? text : text + "**"
  }

  /// A pattern without the path of the base URL.
  private static func below(_ base: String, _ pattern: String) -> String {
    let path = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
    let folder = "/" + (path.hasSuffix("/") ? path.dropLast() : path)
    return folder != "/" && pattern.hasPrefix(folder + "/") ? String(pattern.dropFirst(folder.count)) : pattern
  }

  private static func rate(_ count: SourceNode?, _ period: SourceNode?) -> (count: Int, period: String)? {
    guard let count = count?.integer, let period = period?.text else { return nil }
    return (count, period)
  }

  private static func text(_ count: Int, _ period: String) -> String? {
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
