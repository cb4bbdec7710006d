internal import ReactorCore

extension HTMLReport {
  /// The timeline of the flows with the durations of their steps; empty without timing.
  static func timeline(_ report: RunReport) -> String {
    let timed = report.flows.filter { $0.started != nil && $0.duration != nil }
    let end = timed.reduce(report.duration ?? 0) { max($0, ($1.started ?? 0) &+ ($1.duration ?? 0)) }
    guard !timed.isEmpty, end > 0 else { return "" }
    // A replay knows when its flows ran, but sends no request whose steps could be timed.
    let isReplay = timed.contains { $0.cassette != nil }
    let steps = FlowStep.allCases.filter { step in
      timed.contains { $0.steps.contains { $0.step == step && $0.duration > 0 } }
    }
    var text = "<section aria-labelledby=\"timeline\">\n"
    text += "<h2 id=\"timeline\">\(isReplay ? "Timeline of the replay" : "Timeline")</h2>\n"
    if !steps.isEmpty {
      text += "<p class=\"legend\">"
      for step in steps { text += "<span><i class=\"\(step.rawValue)\"></i>\(step.rawValue)</span>" }
      text += "<span><i class=\"rest\"></i>other</span></p>\n"
    }
    text += "<div class=\"timeline\">\n"
    text += "<div class=\"row axis\"><span></span><div class=\"track\">"
    for tick in ticks(to: end) {
      text += "<em style=\"left:\(percent(tick, of: end))\">\(label(tick))</em>"
    }
    text += "</div></div>\n"
    for flow in timed.prefix(maximumRows) { text += row(flow, end: end) }
    let rest = timed.dropFirst(maximumRows)
    if !rest.isEmpty {
      text += "<details><summary>\(Quantity.count(rest.count, "more flow"))</summary>\n"
      for flow in rest { text += row(flow, end: end) }
      text += "</details>\n"
    }
    return text + "</div>\n</section>\n"
  }

  /// The number of flows that are shown before the reader asks for more.
  private static let maximumRows = 100

  private static func row(_ flow: RunReport.Flow, end: Int64) -> String {
    let (start, duration) = (flow.started ?? 0, flow.duration ?? 0)
    var title = "\(flow.id): \(flow.status.rawValue), from \(label(start)), \(label(duration)) in all"
    for step in flow.steps { title += ", \(step.step.rawValue) \(label(step.duration))" }
    var text = "<div class=\"row \(flow.status.rawValue)\" title=\"\(Markup.text(title))\">"
    text += "<span>\(Markup.text(flow.id))</span><div class=\"track\">"
    text +=
      "<div class=\"bar\" role=\"img\" aria-label=\"\(Markup.text(title))\" style=\"left:\(percent(start, of: end));width:\(percent(duration, of: end))\">"
    // Some steps overlap, because a response is parsed while it arrives. The page shows them one after another, in
    // proportion to their durations.
    let steps = flow.steps.filter { $0.duration > 0 }
    for step in steps { text += "<i class=\"\(step.step.rawValue)\" style=\"flex:\(step.duration)\"></i>" }
    let rest = duration - steps.reduce(0) { $0 &+ $1.duration }
    if rest > 0 || steps.isEmpty { text += "<i class=\"rest\" style=\"flex:\(max(rest, 1))\"></i>" }
    return text + "</div></div></div>\n"
  }

  /// Three to seven round times for the axis.
  private static func ticks(to end: Int64) -> [Int64] {
    var step: Int64 = 1
    let factors: [Int64] = [2, 5, 10]
    var decade: Int64 = 1
    search: while end / step > 6 {
      for factor in factors {
        step = decade * factor
        if end / step <= 6 { break search }
      }
      decade *= 10
    }
    return Array(stride(from: 0, through: end, by: Int64.Stride(step)))
  }

  private static func label(_ milliseconds: Int64) -> String {
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    var text = Quantity.seconds(milliseconds: milliseconds)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text + " s"
  }

  /// A percentage with two decimal digits: `12.34%`.
  private static func percent(_ part: Int64, of whole: Int64) -> String {
    let (product, isTooLarge) = max(part, 0).multipliedReportingOverflow(by: 10_000)
    let hundredths = isTooLarge ? 10_000 : min(product / max(whole, 1), 10_000)
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)%"
  }
}
