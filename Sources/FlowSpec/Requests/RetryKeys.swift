internal import Expressions
package import FlowModel
internal import SourceDiagnostics
internal import WebSyntax
internal import YAMLSyntax

enum RetryKeys {
  static let construct = Construct(
    .retry, noun: "'retry'", "How often a failed request is sent again, and when.",
    details: """
      A request is sent again only before its response has started, and only if its method may be repeated (GET, HEAD, \
      OPTIONS, PUT, DELETE) or `idempotency: true` is set. A failed connection is retried for every method, because \
      nothing was sent. A wait beyond the flow's `deadline` fails the flow at once. Statuses in `expect.status` are \
      not failures. Every retry is in the event log and is counted in the reports.
      """,
    shortForm: .init(
      .setting(.integer(Retry.counts)), words: ["none"],
      "A number means `max`; `none` sends every request once.", examples: ["4", "none"]),
    fields: [max, on, backoff, wait, maxWait, honour, idempotent],
    frame: .flow("resource: /customers\nretry:\n  ◆"))

  static let stored: [Stored<Retry>] = [
    .init(max) { $0.max = $1 }, .init(on) { ($0.statuses, $0.causes) = $1 }, .init(backoff) { $0.backoff = $1 },
    .init(wait) { $0.wait = $1 }, .init(maxWait) { $0.maxWait = $1 },
    .init(honour) { ($0.honoursServer, $0.waitField) = $1 }, .init(idempotent) { $0.isIdempotent = $1 },
  ]

  static let max = Field(
    "max", .integerSetting(Retry.counts), default: "2",
    "The maximum number of retries of a request.", details: "Variables may be part of it.", secrets: .refused,
    edit: .keepsResult, examples: ["max: 4", "max: \"{{ vars.retries }}\""],
    mistakes: ["max: ↓101": .outOfRange, "max: \"{{ vars.↓retrys }}\"": .templateUnknownVariable])

  static let on = Field(
    "on", .retryReasons, default: "[429, 502-504, reset, connect]", "What is retried: statuses and causes of failure.",
    details: """
      `timeout`: no complete response came within `http.timeout`. `reset`: the connection broke before the response \
      started. `connect`: the connection failed; with `reachability: true` an unreachable host fails the flow before \
      that.
      """, edit: .keepsResult, examples: ["on: [429, 5xx, timeout, reset]"],
    mistakes: [
      "on: [429, ↓6xx]": .invalidStatus, "on: [↓time-out]": .invalidStatus, "on: [503, ↓503]": .duplicateItem,
      "on: ↓429": .wrongKind, "on: ↓[]": .missingValue,
    ])

  static let backoff = Field(
    "backoff", .choice(of: Retry.Backoff.self), default: "exponential", "How waits grow.",
    details: """
      `exponential`: each wait is twice the one before it, shortened at random by up to a half, so that many clients \
      do not retry at once. `constant`: every wait is exactly `wait`.
      """, edit: .keepsResult, examples: ["backoff: constant"], mistakes: ["backoff: ↓linear": .unknownValue])

  static let wait = Field(
    "wait", .waitSetting, default: "1s",
    "The wait before the first retry.", details: "Variables may be part of it: `{{ vars.wait }}s`.", secrets: .refused,
    edit: .keepsResult, examples: ["wait: 500ms", "wait: \"{{ vars.retries }}s\""],
    mistakes: ["wait: ↓1": .invalidDuration, "wait: ↓5m": .outOfRange])

  static let maxWait = Field(
    "max_wait", .waitSetting, default: "1m",
    "The maximum wait, also for waits that the server sets.", details: "Variables may be part of it.",
    secrets: .refused,
    edit: .keepsResult, examples: ["max_wait: 5m", "max_wait: \"{{ vars.retries }}m\""],
    mistakes: ["max_wait: ↓2d": .outOfRange])

  static let honour = Field(
    "follow", .construct(.honour) { $0.honour($1) }, default: "retry-after",
    "Whether a response header sets the wait before a retry.",
    edit: .keepsResult, examples: ["follow: none", "follow: { header: X-RateLimit-Reset, format: epoch_s }"],
    mistakes: ["follow: ↓headers": .unknownValue])

  static let idempotent = Field(
    "idempotency", .boolean, default: "false",
    "Whether a request with POST or PATCH may be sent twice.", edit: .keepsResult,
    examples: ["idempotency: true"], mistakes: ["idempotency: ↓yes": .invalidBoolean])
}

enum HonourKeys {
  static let construct = Construct(
    .honour, noun: "'retry.follow'", "The header field by which the server sets the wait before a retry.",
    details: """
      The wait is at most `max_wait`. If the field is absent, zero, in the past or unreadable, the wait is that of \
      `retry-after`.
      """,
    shortForm: .init(
      .choice(["retry-after", "none"]),
      "`retry-after`: the response's `Retry-After` (seconds or a date), else the reset of its rate limit, at most "
        + "`max_wait`; if it is zero, in the past or unreadable, `backoff` sets the wait. `none`: always `backoff`.",
      examples: ["retry-after", "none"]), fields: [header, format],
    frame: .flow("resource: /customers\nretry:\n  follow:\n    ◆", supplies: ["header: X-Wait"]))

  static let header = Field(
    "header", .name(.header), default: .required, "The name of the field.", edit: .keepsResult,
    examples: ["header: X-Retry-In"], mistakes: ["header: ↓\"X Wait\"": .invalidHeader])

  static let format = Field(
    "format", .choice(of: WaitField.Format.self), default: "auto", "The form of the field's value.",
    details: """
      `seconds` and `milliseconds` count from now; `epoch_s` and `epoch_ms` are points in time; `time` is a point in \
      time in ISO 8601 with an offset, or an HTTP date. `auto`: an HTTP date is a point in time, and so is a number \
      from 10^9 on (seconds since 1970) or 10^11 on (milliseconds); a smaller number counts seconds from now.
      """, edit: .keepsResult, examples: ["format: epoch_s", "format: milliseconds"],
    mistakes: ["format: ↓epoch": .unknownValue])
}

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

  /// Reads whether the server sets the wait, and with which header field.
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

  /// Throws an error if the first wait is longer than the maximum wait.
  package static func check(wait: Double, maxWait: Double) throws(SettingError) {
    guard wait > maxWait else { return }
    throw SettingError(
      .outOfRange, "the first wait is longer than 'max_wait'",
      help: "raise 'max_wait', which is 1m by default")
  }
}
