import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// How a flow's fixtures are compared.
  mutating func fixture(_ value: FieldValue) -> FixtureDeclaration? {
    guard !value.node.isNull, let fields = open(value.node, as: .fixture, owner: value.key) else { return nil }
    var fixture = FixtureDeclaration()
    if let mask = fields.value("mask") { fixture.masks = masks(mask) }
    fixture.maxAge = duration(fields.value("max_age"))?.value
    guard let match = fields.value("match"), !match.node.isNull,
      let fields = open(match.node, as: .fixtureMatch, owner: match.key)
    else { return fixture }
    fixture.headers =
      fields.value("headers").flatMap { elements(of: $0) }.map { names($0, role: .header).map(\.value) } ?? []
    fixture.ignoredQuery =
      fields.value("ignore_query").flatMap { elements(of: $0) }.map { names($0, role: .parameter).map(\.value) } ?? []
    fixture.ignoresBody = boolean(fields.value("ignore_body")) ?? false
    fixture.repeats = boolean(fields.value("repeat")) ?? false
    return fixture
  }

  private mutating func masks(_ value: FieldValue) -> [(path: Located<JSONPath>, rule: String)] {
    var masks: [(path: Located<JSONPath>, rule: String)] = []
    for entry in members(of: value, role: .path) ?? [] {
      guard let path = jsonPath(value.part(entry.key)), let rule = text(value.part(entry.value, at: entry.key.range))
      else { continue }
      guard FixtureDeclaration.isRule(rule) else {
        let kinds = FixtureDeclaration.kinds
        let meant =
          rule.hasPrefix("any(")
          ? nearest(to: String(rule.dropFirst(4).prefix { $0 != ")" }), in: kinds).map { "any(\($0))" } : nil
        report(
          .unknownValue, "'\(printable(rule))' is no mask", at: entry.value.range, meant: meant,
          help: "write any(uuid), round(2) or sort; the kinds are \(listed(kinds, joining: "or", atMost: 20))")
        continue
      }
      masks.append((path, rule))
    }
    return masks
  }
}
