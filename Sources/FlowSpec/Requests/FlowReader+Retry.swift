import Expressions
package import FlowModel
import SourceDiagnostics
internal import WebSyntax
import YAMLSyntax

extension FlowReader {
  /// Reads a `retry` mapping or its short form.
  mutating func retry(_ value: FieldValue) -> Retry? {
    var retry = Retry()
    if case .scalar(let scalar) = value.node.content {
      retry.max =
        scalar.text == "none"
        ? .value(Located(0, at: value.node.range)) : read(RetryKeys.max, short: value)
      return retry.max == nil ? nil : retry
    }
    guard let nodes = open(value, as: .retry) else { return nil }
    fill(&retry, with: RetryKeys.stored, from: nodes)
    let isBroken = retry.maxWait == nil && !nodes.isLeftOut(RetryKeys.maxWait)
    if let wait = retry.wait, let first = wait.constant, !isBroken,
      let longest = retry.maxWait.map({ $0.constant }) ?? retry.longestWait
    {
      do throws(SettingError) {
        try Retry.check(wait: first, maxWait: longest)
      } catch {
        report(error.code, error.message, at: wait.range, help: error.help)
      }
    }
    return retry
  }

  /// Reads by which header field the server sets the wait, if it does.
  mutating func honour(_ value: FieldValue) -> (honoursServer: Bool, field: WaitField?)? {
    if value.node.isScalar { return choice(value, ["retry-after", "none"]).map { ($0 != "none", nil) } }
    guard let nodes = open(value, as: .honour) else { return nil }
    let format = read(HonourKeys.format, of: nodes)
    return read(HonourKeys.header, of: nodes).map { (true, WaitField($0.value, format: format ?? .auto)) }
  }

  /// Reads the statuses and the causes of failure for which a request is sent again.
  mutating func retryReasons(
    _ value: FieldValue
  ) -> (statuses: [ClosedRange<Int>], causes: [Retry.Cause])? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty {
      report(
        .missingValue, "'on' is empty, so nothing would be retried", at: value.node.range,
        help: "write 'retry: none'")
    }
    var statuses: [ClosedRange<Int>] = []
    var causes: [Retry.Cause] = []
    var seen: [String: SourceRange] = [:]
    for value in values {
      guard let text = text(value), !isRepeated(text, printable(text), at: value.node.range, in: &seen) else {
        continue
      }
      if let cause = Retry.Cause(rawValue: text) {
        causes.append(cause)
      } else if let range = StatusText.range(text) {
        statuses.append(range)
      } else {
        let words = Retry.Cause.allCases.map(\.rawValue)
        report(
          .invalidStatus, "'\(printable(text))' is neither a status nor a cause of failure", at: value.node.range,
          suggestion: nearest(to: text, in: words),
          help: "write 503, 5xx or 502-504, or one of \(listed(words, joining: "or"))")
      }
    }
    return (statuses, causes)
  }
}

extension FlowReader {
  /// The names that expressions in error rules may use, with their types.
  private static let errorNames = [
    ExpressionType.Member("status", .int), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("response", .dynamic),
  ]

  /// Reads the rules of `errors`, in order.
  mutating func errorRules(_ value: FieldValue) -> [ErrorRule]? {
    guard let elements = elements(of: value) else { return nil }
    if elements.isEmpty {
      report(.missingValue, "'errors' is empty", at: value.node.range, help: "leave it out, or write a rule")
    }
    let scope = value.scope.with(Self.errorNames)
    return elements.compactMap { errorRule($0.node, scope) }
  }

  private mutating func errorRule(_ node: YAMLNode, _ scope: Scope) -> ErrorRule? {
    guard let nodes = open(node, as: ErrorRuleKeys.construct, owner: node.range, scope: scope) else { return nil }
    let when = read(ErrorRuleKeys.when, of: nodes)
    let action = read(ErrorRuleKeys.action, of: nodes)
    let message = read(ErrorRuleKeys.message, of: nodes)
    let wait = read(ErrorRuleKeys.wait, of: nodes)
    guard let when, let action else { return nil }
    return ErrorRule(when: when, action: action, message: message.map { .template($0) }, wait: wait)
  }
}

extension Retry {
  /// The allowed maximum numbers of retries.
  package static let counts = 0...100
  /// The allowed waits, in seconds.
  static let waits = 0.001...86_400.0

  /// Throws an error if the first wait is longer than the longest one.
  package static func check(wait: Double, maxWait: Double) throws(SettingError) {
    guard wait > maxWait else { return }
    throw SettingError(
      .outOfRange, "the first wait is longer than 'max_wait'",
      help: "raise 'max_wait', which is 1m unless it is written")
  }
}
