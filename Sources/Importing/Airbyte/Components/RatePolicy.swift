/// A limit on the rate of requests.
struct RatePolicy {
  private let policy: Component
  private let names: JinjaNames

  init(_ policy: Component, names: JinjaNames) { (self.policy, self.names) = (policy, names) }

  /// Applies the limit to the flows, as a limit for all their requests or as a budget.
  func apply(to flows: [FlowDraft], lose: (ImportReport.Kind, String, String) -> Void) {
    let declared: [String?]
    switch policy.type {
    case "UnlimitedCallRatePolicy": return
    case "FixedWindowCallRatePolicy": declared = [rate(policy["call_limit"], policy["period"], of: policy)]
    case "MovingWindowCallRatePolicy":
      declared = policy.children("rates", default: "Rate").map { rate($0["limit"], $0["interval"], of: $0) }
    default: return lose(.rate, "policy: \(policy.type)", "a rate of requests")
    }
    let rates = declared.compactMap { $0 }
    guard rates.count == declared.count, !rates.isEmpty else {
      return lose(
        .rate, "policy: \(policy.type)", "rates that are known before the run, without secrets, of at most a day")
    }
    let max = rates.count == 1 ? OutputNode.scalar(rates[0]) : .list(rates.map { .scalar($0) })
    let matchers = policy.children("matchers", default: "HttpRequestRegexMatcher")
    if matchers.contains(where: { $0["weight"].map { $0.scalar != "1" } ?? false }) {
      lose(.rate, "policy: \(policy.type) with weights", "a limit in which a request counts more than once")
    }
    let isForAll =
      matchers.isEmpty || matchers.contains { $0.fieldNames.allSatisfy { ["type", "weight"].contains($0) } }
    if isForAll { return Self.set(max, for: flows) }
    // Matchers of one method share a budget with several paths.
    let known = matchers.filter { Self.patterns($0) != nil }
    if known.count < matchers.count {
      lose(.rate, "policy: \(policy.type) with matchers", "matchers with only a method and a path")
    }
    let methods = Set(known.map { $0["method"]?.text?.uppercased() ?? "" }).sorted()
    if methods.count > 1 {
      lose(.rate, "one limit for several methods", "a budget that methods share; here each method has its own")
    }
    for flow in flows {
      for method in methods {
        let own = known.filter {
          ($0["method"]?.text?.uppercased() ?? "") == method
            && ($0["url_base"]?.text.map { $0.hasPrefix(flow.base.text) } ?? true)
        }
        guard !own.isEmpty else { continue }
        var budget = OutputMapping()
        let paths = own.flatMap { (Self.patterns($0) ?? []).map { Self.below(flow.base.text, $0) } }
        if paths.allSatisfy({ $0 != "**" }) {
          budget["path"] = paths.count == 1 ? .text(paths[0]) : .list(paths.map { .text($0) })
        }
        if !method.isEmpty { budget["method"] = .list([.scalar(method)]) }
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

  /// Makes flows slow down according to these response headers: the number of remaining requests, and the time of the
  /// reset in seconds since 1970.
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

  /// The path patterns, one of which must match, for a matcher's regular expression; nil if path patterns of the flow
  /// language cannot express it.
  private static func patterns(_ matcher: Component) -> [String]? {
    guard matcher["params"] == nil, matcher["headers"] == nil else { return nil }
    guard let text = matcher["url_path_pattern"]?.text else { return ["**"] }
    let patterns = choices(of: text).map { pattern($0) }
    return patterns.contains(nil) ? nil : patterns.compactMap { $0 }
  }

  /// Splits a regular expression into the alternatives of its only group; without such a group, returns it unchanged.
  private static func choices(of text: String) -> [String] {
    guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return [text] }
    var group = text[text.index(after: open)..<close]
    let rest = text[text.index(after: close)...]
    if group.hasPrefix("?:") { group = group.dropFirst(2) }
    guard !group.contains("("), !rest.contains("("), rest.first.map({ !"*+?{".contains($0) }) ?? true else {
      return [text]
    }
    return group.split(separator: "|", omittingEmptySubsequences: false).map { String(text[..<open] + $0 + rest) }
  }

  /// The path pattern for a regular expression, which may match only the beginning of the path; nil if a path pattern
  /// of the flow language cannot express it.
  private static func pattern(_ expression: String) -> String? {
    var text = expression
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

  /// The pattern relative to the base URL: without the path of the base URL at its beginning.
  private static func below(_ base: String, _ pattern: String) -> String {
    let path = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
    let folder = "/" + (path.hasSuffix("/") ? path.dropLast() : path)
    return folder != "/" && pattern.hasPrefix(folder + "/") ? String(pattern.dropFirst(folder.count)) : pattern
  }

  /// A rate as flow files write it; nil if it is not known before the run.
  private func rate(_ count: SourceNode?, _ period: SourceNode?, of component: Component) -> String? {
    let names = names.of(component)
    guard let number = names.number(count), number.kind == .integer, let period = names.constant(period),
      let duration = ISODuration(period), duration.months == 0,
      duration.seconds > 0, duration.seconds <= 86_400
    else { return nil }
    let known = Int(number.text)
    guard known.map({ $0 > 0 }) ?? true else { return nil }
    let requests = known == nil ? "{{ \(number.text) }}" : number.text
    let time =
      switch duration.seconds {
      case 1: "s"
      case 60: "m"
      case 3600: "h"
      default: duration.text
      }
    return known == nil ? OutputText.quoted("\(requests)/\(time)") : "\(requests)/\(time)"
  }
}
