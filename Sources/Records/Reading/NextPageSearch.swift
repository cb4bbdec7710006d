internal import JSONSyntax

/// Searches a response without its records for hints of further pages.
///
/// A hint with the request for the next page has priority over a hint that another page exists. Weak names, which many
/// responses have on their last page too, count only if the response does not indicate that this page is the last page.
struct NextPageSearch {
  /// The maximum depth of members that are examined. Known APIs have the next page at least one level higher.
  private static let deepest = 4
  /// The maximum length of a member's name. No known name for paging is longer, and the path appears in a message.
  private static let longestName = 40

  let records: [JSONPath.Step]?
  let count: Int?
  private var next: NextPageHint?
  private var flag: NextPageHint?
  private var weak: NextPageHint?
  private var saysLast = false
  /// The total number of records, from the member with the clearest name; set on every page, also on the last one.
  private(set) var total: (location: String, number: Int64)?

  init(records: [JSONPath.Step]?, count: Int?) {
    self.records = records
    self.count = count
  }

  /// The best hint so far.
  var hint: NextPageHint? { next ?? flag ?? (saysLast ? nil : weak) }

  /// Examines an object: its own members before the members of inner objects.
  mutating func visit(_ value: JSONValue, _ steps: [JSONPath.Step], depth: Int) {
    guard depth <= Self.deepest, steps != records else { return }
    if case .array(let elements) = value { return visit(links: elements, steps) }
    guard case .object(let object) = value else { return }
    let members = object.members.filter { $0.name.utf8.count <= Self.longestName }
    let named = members.map { (name: PageWords.plain($0.name), value: $0.value, step: JSONPath.Step.name($0.name)) }
    for (name, value, step) in named { visit(name, value, steps + [step], depth: depth) }
    let isOfRecords = records.map { steps == $0.dropLast() } ?? false || PageWords.isAboutPage(steps)
    if depth < Self.deepest, let counted = PageCounts(named.map { ($0.name, $0.value) }, isOfRecords: isOfRecords) {
      note(counted, in: named, steps)
    }
    for (_, value, step) in named { visit(value, steps + [step], depth: depth + 1) }
  }

  private mutating func visit(_ name: String, _ value: JSONValue, _ steps: [JSONPath.Step], depth: Int) {
    if let says = PageWords.flag(name, value) {
      if says { flag = flag ?? hint(at: steps, .more) } else { saysLast = true }
    }
    guard depth < Self.deepest else { return }
    if PageWords.next.contains(name) || PageWords.isMoreURL(name) {
      if let found = successor(value, steps) {
        next = next ?? found
      } else if value.meansNoPage {
        saysLast = true
      }
    } else if PageWords.weak.contains(name), let text = value.string, !text.isEmpty {
      weak = weak ?? hint(at: steps, .token)
    } else if name == "offset", let text = value.string, !text.isEmpty, Int64(text) == nil {
      // A number is the start of this page; a text is the start of the next page.
      next = next ?? hint(at: steps, .token)
    }
  }

  /// Examines a list of link objects, each with its relation.
  private mutating func visit(links elements: [JSONValue], _ steps: [JSONPath.Step]) {
    guard case .name(let name)? = steps.last, ["links", "link"].contains(PageWords.plain(name)) else { return }
    for element in elements {
      for relation in ["rel", "relation"] where element[relation]?.string == "next" {
        for target in ["href", "url", "uri"] where element[target]?.string?.isEmpty == false {
          let list = JSONPath(singular: steps).text
          next = next ?? NextPageHint(at: "\(list)[?@.\(relation) == 'next'].\(target)", .url)
        }
      }
    }
  }

  private mutating func note(
    _ counts: PageCounts, in members: [(name: String, value: JSONValue, step: JSONPath.Step)], _ steps: [JSONPath.Step]
  ) {
    func path(_ name: String) -> [JSONPath.Step] { steps + members.filter { $0.name == name }.prefix(1).map(\.step) }
    if total == nil, let found = counts.total { total = (JSONPath(singular: path(found.name)).text, found.total) }
    if let name = counts.furtherPages {
      weak = weak ?? hint(at: path(name), .pages)
    } else if let count, let (name, total) = counts.furtherRecords(than: count) {
      weak = weak ?? hint(at: path(name), .total(total, held: count))
    }
  }

  /// The hint in the value of a member whose name means the next page.
  private func successor(_ value: JSONValue, _ steps: [JSONPath.Step]) -> NextPageHint? {
    switch value {
    case .string(let text) where !text.isEmpty:
      return hint(at: steps, text.contains("/") || text.hasPrefix("?") ? .url : .token)
    case .number(let number) where number.double != 0: return hint(at: steps, .token)
    case .object(let link):
      if PageWords.isKey(steps), !link.members.isEmpty { return hint(at: steps, .token) }
      for name in ["href", "url", "uri", "link"] where link[name]?.string?.isEmpty == false {
        return hint(at: steps + [.name(name)], .url)
      }
      for name in ["after", "cursor", "token", "offset", "starting_after", "page"] {
        guard let value = link[name], !value.meansNoPage else { continue }
        if value.string != nil || value.int64 != nil { return hint(at: steps + [.name(name)], .token) }
      }
      return nil
    default: return nil
    }
  }

  private func hint(at steps: [JSONPath.Step], _ kind: NextPageHint.Kind) -> NextPageHint {
    NextPageHint(at: JSONPath(singular: steps).text, kind)
  }
}

extension JSONValue {
  /// Whether the value means that no next page exists.
  ///
  /// These values are null, false, 0 and an empty text.
  fileprivate var meansNoPage: Bool {
    switch self {
    case .null, .bool(false): true
    case .string(let text): text.isEmpty
    case .number(let number): number.double == 0
    default: false
    }
  }
}
