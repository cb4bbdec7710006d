import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// A `retry` mapping or its short form; nil after reporting an error in what it is, so that what is left out holds.
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
    if let on = read(RetryKeys.on, of: nodes) { (retry.statuses, retry.faults) = on }
    retry.backoff = read(RetryKeys.backoff, of: nodes) ?? retry.backoff
    let wait = read(RetryKeys.wait, of: nodes)
    retry.wait = wait?.value ?? retry.wait
    let maxWait = reading(RetryKeys.maxWait, of: nodes)
    retry.maxWait = maxWait.value?.value ?? retry.maxWait
    retry.honoursServer = read(RetryKeys.honour, of: nodes) != "none"
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

  /// A `rate` mapping or its short form.
  mutating func rate(_ value: FieldValue) -> RateDeclaration? {
    var rate = RateDeclaration()
    if value.node.isScalar {
      rate.max = read(RateKeys.max, short: value)
      return rate
    }
    guard let nodes = open(value, as: .rate) else { return nil }
    rate.max = read(RateKeys.max, of: nodes)
    rate.concurrency = read(RateKeys.concurrency, of: nodes)?.value
    rate.followsHeaders = read(RateKeys.follow, of: nodes) != "none"
    return rate
  }

  /// What is tried again.
  mutating func retryReasons(
    _ value: FieldValue
  ) -> (statuses: [ClosedRange<Int>], faults: [RetryDeclaration.Cause])? {
    guard let values = elements(of: value) else { return nil }
    if values.isEmpty {
      report(
        .missingValue, "'on' is empty, so that nothing would be tried again", at: value.node.range,
        help: "write 'retry: none'")
    }
    var statuses: [ClosedRange<Int>] = []
    var faults: [RetryDeclaration.Cause] = []
    var seen: [String: SourceRange] = [:]
    for value in values {
      guard let text = text(value), !isRepeated(text, printable(text), at: value.node.range, in: &seen) else {
        continue
      }
      if let fault = RetryDeclaration.Cause(rawValue: text) {
        faults.append(fault)
      } else if let range = StatusText.range(text) {
        statuses.append(range)
      } else {
        let words = RetryDeclaration.Cause.allCases.map(\.rawValue)
        report(
          .invalidStatus, "'\(printable(text))' is neither a status nor a fault", at: value.node.range,
          meant: nearest(to: text, in: words),
          help: "write 503, 5xx or 502-504, or one of \(listed(words, joining: "or"))")
      }
    }
    return (statuses, faults)
  }
}
