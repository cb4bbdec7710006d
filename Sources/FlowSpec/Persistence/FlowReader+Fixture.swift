import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads how a flow's recordings and goldens are compared.
  mutating func fixture(_ value: FieldValue) -> FixtureDeclaration? {
    guard let nodes = open(value, as: .fixture) else { return nil }
    var fixture = FixtureDeclaration()
    fixture.masks = read(FixtureKeys.mask, of: nodes) ?? []
    fixture.maxAge = read(FixtureKeys.maxAge, of: nodes)?.value
    if let match = read(FixtureKeys.match, of: nodes) {
      fixture.headers = read(FixtureMatchKeys.headers, of: match)?.map(\.value) ?? []
      fixture.ignoredQuery = read(FixtureMatchKeys.ignoreQuery, of: match)?.map(\.value) ?? []
      fixture.ignoresBody = read(FixtureMatchKeys.ignoreBody, of: match) ?? false
      fixture.repeats = read(FixtureMatchKeys.repeats, of: match) ?? false
    }
    return fixture
  }

  /// Reads the rules that are applied to members of a record before a comparison.
  mutating func masks(_ value: FieldValue) -> [(path: Located<JSONPath>, rule: String)] {
    var masks: [(path: Located<JSONPath>, rule: String)] = []
    for entry in members(of: value, role: .path) ?? [] {
      guard let path = jsonPath(value.part(entry.key)), let rule = text(value.part(entry.value, at: entry.key.range))
      else { continue }
      guard FixtureDeclaration.isRule(rule) else {
        let kinds = FixtureDeclaration.kinds
        let suggestion =
          rule.hasPrefix("any(")
          ? nearest(to: String(rule.dropFirst(4).prefix { $0 != ")" }), in: kinds).map { "any(\($0))" } : nil
        report(
          .unknownValue, "'\(printable(rule))' is not a mask", at: entry.value.range, suggestion: suggestion,
          help: "write any(uuid), round(2) or sort; the kinds are \(listed(kinds, joining: "or", atMost: 20))")
        continue
      }
      masks.append((path, rule))
    }
    return masks
  }
}
