internal import SourceDiagnostics

/// Where each of some texts was written first. A few are compared one by one, which costs less than hashing them.
struct FirstPlaces {
  private static let few = 8

  private var list: [(text: String, range: SourceRange)] = []
  private var table: [String: SourceRange] = [:]

  /// Takes a text; gives the place of the same text that came before it.
  mutating func take(_ text: String, at range: SourceRange) -> SourceRange? {
    if table.isEmpty {
      if let first = list.first(where: { $0.text == text }) { return first.range }
      list.append((text, range))
      if list.count > Self.few { table = Dictionary(uniqueKeysWithValues: list.map { ($0.text, $0.range) }) }
      return nil
    }
    if let first = table[text] { return first }
    table[text] = range
    return nil
  }
}
