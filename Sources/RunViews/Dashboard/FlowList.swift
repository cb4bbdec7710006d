/// A list of the flows that are alike in one way, on as many pages as it needs.
enum FlowList: String, CaseIterable {
  case failing, stale, missing, slower, smaller, all

  /// The number of flows on a page.
  static let rows = 100

  /// The lists of flows that need the reader's attention, the most urgent first.
  static let urgent: [FlowList] = [.failing, .stale, .missing, .slower, .smaller]

  /// The heading.
  var title: String {
    switch self {
    case .failing: "Failing"
    case .stale: "Stale"
    case .missing: "Missing records"
    case .slower: "Slower"
    case .smaller: "Smaller"
    case .all: "All flows"
    }
  }

  /// What the flows have in common.
  var meaning: String {
    switch self {
    case .failing: "the last run did not pass"
    case .stale: "the result is older than declared by expect.freshness"
    case .missing: "the last run passed without all of its records, or without its result"
    case .slower: "the last pull took more than twice the usual time"
    case .smaller: "the last pull has less than half of the usual records"
    case .all: "every flow with a run in the history"
    }
  }

  /// Whether a flow is in the list.
  ///
  /// - Parameter now: seconds since 1970
  func has(_ flow: Dashboard.Flow, at now: Int64) -> Bool {
    switch self {
    case .failing: flow.health.state == .failing
    case .stale: flow.health.isStale(at: now)
    case .missing: flow.health.state == .missing
    case .slower: flow.isSlower
    case .smaller: flow.isSmaller
    case .all: true
    }
  }

  /// The number of pages for a number of flows; an empty list has none.
  func pages(of count: Int) -> Int { (count + Self.rows - 1) / Self.rows }

  /// The name of a page, counted from 0.
  func page(_ number: Int) -> String { "\(rawValue)-\(number + 1).html" }

  /// The number of the page with a name, counted from 0; nil for the page of something else.
  func number(ofPage name: String) -> Int? {
    guard name.hasPrefix(rawValue + "-"), name.hasSuffix(".html"),
      let number = Int(name.dropFirst(rawValue.count + 1).dropLast(5)), number >= 1, page(number - 1) == name
    else { return nil }
    return number - 1
  }
}
