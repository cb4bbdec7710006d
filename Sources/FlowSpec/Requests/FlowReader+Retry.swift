import Expressions
import SourceDiagnostics
internal import WebSyntax
import YAMLSyntax

extension FlowReader {
  /// Reads a `retry` mapping or its short form.
  mutating func retry(_ value: FieldValue) -> RetryDeclaration? {
    var retry = RetryDeclaration()
    if case .scalar(let scalar) = value.node.content {
      if scalar.text == "none" { return RetryDeclaration.none }
      return read(RetryKeys.max, short: value).map {
        retry.max = $0.value
        return retry
      }
    }
    guard let nodes = open(value, as: .retry) else { return nil }
    if let max = read(RetryKeys.max, of: nodes) { retry.max = max.value }
    if let on = read(RetryKeys.on, of: nodes) { (retry.statuses, retry.causes) = on }
    retry.backoff = read(RetryKeys.backoff, of: nodes) ?? retry.backoff
    let wait = read(RetryKeys.wait, of: nodes)
    retry.wait = wait?.value ?? retry.wait
    let maxWait = reading(RetryKeys.maxWait, of: nodes)
    retry.maxWait = maxWait.value?.value ?? retry.maxWait
    if let honour = read(RetryKeys.honour, of: nodes) { (retry.honoursServer, retry.waitField) = honour }
    retry.isIdempotent = read(RetryKeys.idempotent, of: nodes) ?? false
    if retry.wait > retry.maxWait, !maxWait.isBroken {
      if let wait {
        report(
          .outOfRange, "the first wait is longer than 'max_wait'", at: wait.range,
          help: "raise 'max_wait', which is 1m unless it is written")
      } else {
        retry.wait = retry.maxWait
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
  ) -> (statuses: [ClosedRange<Int>], causes: [RetryDeclaration.Cause])? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty {
      report(
        .missingValue, "'on' is empty, so nothing would be retried", at: value.node.range,
        help: "write 'retry: none'")
    }
    var statuses: [ClosedRange<Int>] = []
    var causes: [RetryDeclaration.Cause] = []
    var seen: [String: SourceRange] = [:]
    for value in values {
      guard let text = text(value), !isRepeated(text, printable(text), at: value.node.range, in: &seen) else {
        continue
      }
      if let cause = RetryDeclaration.Cause(rawValue: text) {
        causes.append(cause)
      } else if let range = StatusText.range(text) {
        statuses.append(range)
      } else {
        let words = RetryDeclaration.Cause.allCases.map(\.rawValue)
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
  mutating func errorRules(_ value: FieldValue) -> [ErrorRuleDeclaration]? {
    guard let elements = elements(of: value) else { return nil }
    if elements.isEmpty {
      report(.missingValue, "'errors' is empty", at: value.node.range, help: "leave it out, or write a rule")
    }
    let scope = value.scope.with(Self.errorNames)
    return elements.compactMap { errorRule($0.node, scope) }
  }

  private mutating func errorRule(_ node: YAMLNode, _ scope: Scope) -> ErrorRuleDeclaration? {
    guard let nodes = open(node, as: ErrorRuleKeys.construct, owner: node.range, scope: scope) else { return nil }
    let when = read(ErrorRuleKeys.when, of: nodes)
    let action = read(ErrorRuleKeys.action, of: nodes)
    let message = read(ErrorRuleKeys.message, of: nodes)
    if let key = nodes.key(ErrorRuleKeys.message), action == .skip || action == .stop || action == .cap {
      report(
        .misplacedKey, "'message' has no effect with 'do: \(action?.rawValue ?? "skip")'", at: key, help: "leave it out"
      )
    }
    let wait = read(ErrorRuleKeys.wait, of: nodes)
    if let key = nodes.key(ErrorRuleKeys.wait), let action, action != .retry, action != .wait {
      report(
        .misplacedKey, "'for' has no effect with 'do: \(action.rawValue)'", at: key,
        help: "leave it out, or write 'do: retry' or 'do: wait'")
    }
    guard let when, let action else { return nil }
    return ErrorRuleDeclaration(when: when, action: action, message: message, wait: wait)
  }
}
