import FieldTypes
import FlowSpec
import Foundation

/// What is wrong with the data of the page, each with the row that has it.
struct CoverageFindings {
  let tests: TestIndex
  private(set) var texts: [String] = []

  init(tests: TestIndex) { self.tests = tests }

  /// Checks the rows of a system against each other and against what they name.
  mutating func check(_ system: CoveredSystem) {
    var names: Set<String> = []
    for row in system.rows {
      let place = "\(system.id).txt, \(row.name)"
      if !names.insert(row.name).inserted { texts.append("\(place): second row") }
      if !system.isOwn, !system.names.contains(row.name) { texts.append("\(place): not in 'names'") }
      texts += findings(in: row).map { "\(place): \($0)" }
    }
    for name in system.names where !names.contains(name) { texts.append("\(system.id).txt, \(name): no row") }
    if system.title.isEmpty || system.subject.isEmpty || system.version.isEmpty {
      texts.append("\(system.id).txt: no 'system', 'of' or 'version'")
    }
  }

  /// Checks that each key of the language is in a row, and that those of our own are in no other.
  mutating func checkKeys(of systems: [CoveredSystem]) {
    let keys = ConstructName.allCases.flatMap { name in name.construct.fields.map { "\(name.rawValue).\($0.name)" } }
    let paths = { (rows: [CoverageRow]) in Set(rows.flatMap { $0.keys.map(\.path) }) }
    let others = paths(systems.filter { !$0.isOwn }.flatMap(\.rows))
    let own = paths(systems.filter(\.isOwn).flatMap(\.rows))
    for key in keys where !others.contains(key) && !own.contains(key) { texts.append("\(key): in no row") }
    for key in own.intersection(others).sorted() { texts.append("own.txt: \(key) has a counterpart") }
  }

  private func findings(in row: CoverageRow) -> [String] {
    var found: [String] = []
    switch row.extent {
    case .no:
      if row.note.isEmpty { found.append("no reason") }
      if !row.keys.isEmpty || row.recipe != nil || !row.tests.isEmpty {
        found.append("'no' with keys, a recipe or a test")
      }
      return found
    case .partly where row.note.isEmpty: found.append("does not say what is missing")
    default: break
    }
    if row.keys.isEmpty { found.append("no key") }
    if row.tests.isEmpty { found.append("no test") }
    for key in row.keys { found += findings(of: key) }
    for test in row.tests where tests[test] == nil { found.append("no test '\(test.name)' in \(test.suite)") }
    switch row.recipe {
    case nil: found.append("no recipe")
    case .unreadable(let text): found.append("no recipe '\(text)'")
    case .entry(let key): if GuideSections.referenceAnchors[key.path] == nil { found.append("no key '\(key.path)'") }
    case .section(let page, let heading):
      guard let section = Self.pages[page]?[heading] else {
        found.append("no recipe '\(page)#\(heading)'")
        break
      }
      if !row.keys.isEmpty, !row.keys.contains(where: { Self.shows(section.text, $0) }) {
        found.append("the recipe '\(section.title)' shows none of the keys")
      }
    }
    return found
  }

  private func findings(of key: CoverageRow.Key) -> [String] {
    guard let field = Self.fields[key.path] else { return ["no key '\(key.path)'"] }
    guard let word = key.word else { return [] }
    let words: [String]
    switch field.kind {
    case .choice(let listed), .oneOrMore(.choice(let listed)): words = listed
    case .type: words = FieldTypeName.allCases.map(\.rawValue)
    default: return ["'\(key.path)' has no list of words"]
    }
    return words.contains(word) ? [] : ["'\(key.path)' cannot be '\(word)'"]
  }

  /// Whether a text has the key's name where YAML or a table has it.
  private static func shows(_ text: String, _ key: CoverageRow.Key) -> Bool {
    guard let name = key.path.split(separator: ".").last else { return false }
    for end in [":", "`"] {
      var rest = Substring(text)
      while let range = rest.range(of: name + end) {
        if text[..<range.lowerBound].last.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true { return true }
        rest = rest[range.upperBound...]
      }
    }
    return false
  }

  private static let fields: [String: any FieldSpec] = Dictionary(
    uniqueKeysWithValues: ConstructName.allCases.flatMap { name in
      name.construct.fields.map { ("\(name.rawValue).\($0.name)", $0) }
    })

  /// The pages with recipes by their path below `docs`, without extension.
  static let pages: [String: GuideSections] = {
    var pages: [String: GuideSections] = [:]
    for name in GuideSections.guideNames { pages["guides/\(name)"] = GuideSections(page: "guides/\(name)") }
    return pages
  }()
}
