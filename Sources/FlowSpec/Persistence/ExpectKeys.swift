internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

enum ExpectKeys {
  static let construct = Construct(
    .expect, noun: "'expect'", "The conditions for a flow to pass.",
    details: "If one is not met, the flow fails and nothing is stored.",
    fields: [min, max, total, maxRejected, status, freshness],
    frame: .flow("resource: /customers\nexpect:\n  ◆"))

  static let stored: [Stored<Expectations>] = [
    .init(min) { $0.min = $1 }, .init(max) { $0.max = $1 }, .init(total) { $0.total = $1 },
    .init(maxRejected) { $0.maxRejected = $1 }, .init(status) { $0.status = $1 },
    .init(freshness) { $0.freshness = $1.value },
  ]

  static let min = Field(
    "min", .integer(0...Int.max), default: "0", "The minimum number of records.",
    details: """
      A flow with a `cursor` counts the records of one run, not those that are stored. `min: 1` therefore fails it in each \
      run for which the server has nothing new.
      """, edit: .asksAnewWithoutCursor,
    examples: ["min: 1"], mistakes: ["min: ↓-1": .outOfRange, "min: ↓one": .invalidInteger])

  static let max = Field(
    "max", .integer(0...Int.max), default: "no limit", "The maximum number of records.", edit: .asksAnewWithoutCursor,
    examples: ["max: 10000"], mistakes: ["max: ↓1_000": .invalidInteger, "min: 5\nmax: ↓4": .impossibleExpectation])

  static let total = Field(
    "total", .jsonPath, default: "not checked", "Where the number of records is in the response.",
    details: "The number found there must equal the number of records before pruning.", edit: .asksAnewWithoutCursor,
    examples: ["total: $.meta.total"], mistakes: ["total: $.meta..↓": .invalidPath])

  static let maxRejected = Field(
    "max_rejected", .countOrShare, default: "no limit",
    "How many records may be rejected: a number, or a share of all.",
    details: """
      In a flow with `cursor` and without `rejected`, and with `--fresh=everything`, a rejected record would be lost \
      for good. In these cases no record may be rejected unless this key allows it. `reactor run --fail-on \
      rejected:5%` replaces it for one run, in every flow.
      """, edit: .asksAnewWithoutCursor, examples: ["max_rejected: 10", "max_rejected: 2.5%"],
    mistakes: ["max_rejected: ↓many": .invalidInteger, "max_rejected: ↓101%": .invalidInteger])

  static let freshness = Field(
    "freshness", .duration(1...315_360_000), default: "the result is never called stale",
    "The maximum age of the result: older than this, it is stale.",
    details: """
      The age counts from the start of the last run that passed with the server's data. A run does not check it, \
      because a flow that does not run cannot: the history has it, for all that looks at results from outside.
      """, edit: .keepsResult, examples: ["freshness: 26h", "freshness: 7d"],
    mistakes: ["freshness: ↓0s": .outOfRange, "freshness: ↓daily": .invalidDuration])

  static let status = Field(
    "status", .statuses, default: "2xx", "Statuses that mean success, instead of 200–299.", edit: .asksAnew,
    examples: ["status: 200", "status: [2xx, 404]", "status: 200-204"],
    mistakes: ["status: ↓ok": .invalidStatus, "status: [200, ↓20]": .invalidStatus, "status: ↓299-200": .invalidStatus])
}

extension FlowReader {
  /// Reads the conditions that a result must meet.
  mutating func expect(_ value: FieldValue) -> Expectations? {
    guard let nodes = open(value, as: .expect) else { return nil }
    var expect = Expectations()
    fill(&expect, with: ExpectKeys.stored, from: nodes)
    if let min = expect.min, let max = expect.max, min.value > max.value {
      report(
        .impossibleExpectation, "'max' (\(max.value)) is less than 'min' (\(min.value))",
        at: max.range, notes: [Diagnostic.Note("'min' is declared here", at: min.range)])
    }
    return expect
  }

  /// Reads the statuses that mean success.
  mutating func statuses(_ value: FieldValue) -> [ClosedRange<Int>]? {
    guard let values = oneOrMore(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'status' is empty", at: value.node.range, help: "leave it out") }
    return values.compactMap { status($0) }
  }

  private mutating func status(_ value: FieldValue) -> ClosedRange<Int>? {
    guard let text = text(value) else { return nil }
    if let range = StatusText.range(text) { return range }
    return fail(
      .invalidStatus, "'\(printable(text))' is not a status", at: value.node.range,
      help: "write 200, 2xx or 200-299")
  }

  /// Reads how a flow's recordings and goldens are compared.
  mutating func fixture(_ value: FieldValue) -> FixtureDeclaration? {
    guard let nodes = open(value, as: .fixture) else { return nil }
    var fixture = FixtureDeclaration()
    fill(&fixture, with: FixtureKeys.stored, from: nodes)
    if let match = read(FixtureKeys.match, of: nodes) {
      fill(&fixture, with: FixtureMatchKeys.stored, from: match)
    }
    return fixture
  }

  /// Reads the rules that are applied to members of a record before it is compared with a golden.
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
