internal import FlowModel
import SourceDiagnostics
internal import WebSyntax
import YAMLSyntax

extension FlowReader {
  /// Reads a `rate` mapping or its short form.
  mutating func rate(_ value: FieldValue) -> Rate? {
    var rate = Rate()
    if value.node.isScalar || value.node.isSequence {
      rate.max = read(RateKeys.max, short: value) ?? []
      return rate
    }
    guard let nodes = open(value, as: .rate) else { return nil }
    fill(&rate, with: RateKeys.stored, from: nodes)
    return rate
  }

  /// Reads one rate or several, of which no two have the same time.
  mutating func rates(_ value: FieldValue) -> [Setting<Rate.Limit>]? {
    guard let values = partsOfFilled(value) else { return nil }
    var seen: [Double: SourceRange] = [:]
    return values.compactMap { value in
      guard let rate = setting(value, SettingText.rate) else { return nil }
      guard let limit = rate.constant else { return rate }
      return isRepeated(
        limit.seconds, "\(printable(text(value) ?? ""))", at: value.node.range, in: &seen, "given a time") ? nil : rate
    }
  }

  /// Reads the budgets for some of the requests.
  mutating func rateBudgets(_ value: FieldValue) -> [Rate.Budget]? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'budgets' is empty", at: value.node.range, help: "leave it out") }
    return values.compactMap { rateBudget($0) }
  }

  private mutating func rateBudget(_ value: FieldValue) -> Rate.Budget? {
    guard let nodes = open(value, as: .rateBudget) else { return nil }
    let paths = read(RateBudgetKeys.path, of: nodes)
    let methods = read(RateBudgetKeys.methods, of: nodes)
    guard let max = read(RateBudgetKeys.max, of: nodes) else { return nil }
    return Rate.Budget(paths: paths ?? [], methods: methods ?? [], max: max)
  }

  /// Reads one pattern of request paths or several.
  mutating func pathPatterns(_ value: FieldValue) -> [String]? {
    guard let values = partsOfFilled(value) else { return nil }
    var seen: [String: SourceRange] = [:]
    return values.compactMap { value in
      guard let text = text(value) else { return nil }
      guard text.hasPrefix("/") || text.hasPrefix("*"), !text.contains("?"), !text.contains("#"),
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else {
        return fail(
          .invalidRequestPath, "'\(printable(text))' is not a pattern of paths", at: value.node.range,
          help: "write a path as in 'resource', such as /search/*, without a query")
      }
      return isRepeated(text, printable(text), at: value.node.range, in: &seen) ? nil : text
    }
  }

  /// Reads a list of methods.
  mutating func rateMethods(_ value: FieldValue) -> [String]? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty {
      report(.missingValue, "'methods' is empty, so the budget is for no request", at: value.node.range)
    }
    var seen: [String: SourceRange] = [:]
    return values.compactMap { value in
      guard let method = choice(value, ResourceKeys.methods),
        !isRepeated(method, method, at: value.node.range, in: &seen)
      else { return nil }
      return method
    }
  }

  /// Reads which header fields are followed.
  mutating func rateFollow(_ value: FieldValue) -> Rate.Follow? {
    if value.node.isScalar { return choice(value, ["headers", "none"]).map { $0 == "none" ? .nothing : .usual } }
    guard let nodes = open(value, as: .rateFollow) else { return nil }
    let remaining = read(RateFollowKeys.remaining, of: nodes)
    let reset = read(RateFollowKeys.reset, of: nodes)
    let format = read(RateFollowKeys.format, of: nodes)
    guard let remaining, let reset else { return nil }
    let fields = LimitFields(remaining: remaining.value, reset: WaitField(reset.value, format: format ?? .auto))
    return .fields(Located(fields, at: value.key))
  }

  /// The elements of a list that is not empty, or a single value.
  private mutating func partsOfFilled(_ value: FieldValue) -> [FieldValue]? {
    guard let values = oneOrMore(of: value) else { return nil }
    guard values.isEmpty else { return values }
    return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range, help: "leave it out")
  }
}
