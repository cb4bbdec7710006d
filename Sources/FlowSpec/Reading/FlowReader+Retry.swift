import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// A `retry` mapping or its short form; nil after reporting an error in what it is, so that what is left out holds.
  mutating func retry(_ value: FieldValue?) -> RetryDeclaration? {
    guard let value, !value.node.isNull else { return nil }
    var retry = RetryDeclaration()
    if case .scalar(let scalar) = value.node.content {
      if scalar.text == "none" { return RetryDeclaration.none }
      guard let spec = Construct.retry["max"] else { return nil }
      let max = number(FieldValue(spec: spec, node: value.node, key: value.key))
      return max.map {
        retry.max = $0.value
        return retry
      }
    }
    guard let fields = open(value.node, as: .retry, owner: value.key) else { return nil }
    if let max = number(fields.value("max")) { retry.max = max.value }
    if let on = fields.value("on") { readReasons(on, into: &retry) }
    if let word = choice(fields.value("backoff"), RetryDeclaration.Backoff.allCases.map(\.rawValue)) {
      retry.backoff = RetryDeclaration.Backoff(rawValue: word) ?? retry.backoff
    }
    let wait = duration(fields.value("wait"))
    retry.wait = wait?.value ?? retry.wait
    let maxWait = reading("max_wait", of: fields) { $0.duration($1) }
    retry.maxWait = maxWait.value?.value ?? retry.maxWait
    if let honour = choice(fields.value("honour"), ["retry-after", "none"]) {
      retry.honoursServer = honour == "retry-after"
    }
    retry.isIdempotent = boolean(fields.value("idempotent")) ?? false
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

  /// A `rate` mapping or its short form.
  mutating func rate(_ value: FieldValue?) -> RateDeclaration? {
    guard let value, !value.node.isNull else { return nil }
    var rate = RateDeclaration()
    if value.node.isScalar {
      guard let spec = Construct.rate["max"] else { return nil }
      rate.max = rateLimit(FieldValue(spec: spec, node: value.node, key: value.key))
      return rate
    }
    guard let fields = open(value.node, as: .rate, owner: value.key) else { return nil }
    rate.max = fields.value("max").flatMap { rateLimit($0) }
    rate.concurrency = number(fields.value("concurrency"))?.value
    rate.followsHeaders = choice(fields.value("follow"), ["headers", "none"]) != "none"
    return rate
  }

  private mutating func readReasons(_ value: FieldValue, into retry: inout RetryDeclaration) {
    guard let values = elements(of: value) else { return }
    if values.isEmpty {
      report(
        .missingValue, "'on' is empty, so that nothing would be tried again", at: value.node.range,
        help: "write 'retry: none'")
    }
    retry.statuses = []
    retry.faults = []
    var seen: [String: SourceRange] = [:]
    for value in values {
      guard let text = text(value) else { continue }
      if let first = seen[text] {
        report(
          .duplicateItem, "'\(printable(text))' is listed twice", at: value.node.range,
          notes: [Diagnostic.Note("it is listed here already", at: first)])
        continue
      }
      seen[text] = value.node.range
      if let fault = RetryDeclaration.Fault(rawValue: text) {
        retry.faults.append(fault)
      } else if let range = StatusText.range(text) {
        retry.statuses.append(range)
      } else {
        let words = RetryDeclaration.Fault.allCases.map(\.rawValue)
        report(
          .invalidStatus, "'\(printable(text))' is neither a status nor a fault", at: value.node.range,
          meant: nearest(to: text, in: words),
          help: "write 503, 5xx or 502-504, or one of \(listed(words, joining: "or"))")
      }
    }
  }

  private mutating func rateLimit(_ value: FieldValue) -> RateDeclaration.Limit? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      return try RateText.limit(in: text)
    } catch {
      report(.invalidRate, "'\(printable(text))' is not a rate", error, at: value)
      return nil
    }
  }

  /// An integer within the bounds that the key's description names.
  private mutating func number(_ value: FieldValue?) -> Located<Int>? {
    guard let value, case .integer(let bounds) = value.spec.kind else { return nil }
    return integer(value, in: bounds)
  }
}
