internal import Boxes
internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension RequestResolver {
  /// The resolved `http` settings of one flow. The next flow with the same declaration and the same values reuses them.
  struct SharedTransfer: Sendable {
    let declared: Boxed<Transfer>
    /// A key that identifies the values of the names that templates use.
    let scopeKey: String
    let now: ExpressionTimestamp
    let resolved: Boxed<Transfer>
  }

  /// Returns how the flow's requests are sent, with the values that variables give.
  ///
  /// Flows that share a declaration share the result.
  ///
  /// - Parameter timeout: replaces the declared timeout of a request, in seconds
  mutating func transfer(_ declaration: FlowDeclaration, timeout: Double?) -> Boxed<Transfer> {
    let scopeKey = declaration.file.scopeKey
    if let known = sharedTransfer, known.declared.isSame(as: declaration.$transfer), known.scopeKey == scopeKey,
      known.now == scope.now
    {
      return known.resolved
    }
    var transfer = declaration.transfer
    if let timeout { transfer.timeout = timeout }
    if var certificate = transfer.clientCertificate, let password = certificate.password {
      certificate.password = filled(password) { $0 }
      transfer.clientCertificate = certificate
    }
    if case .url(let url)? = transfer.proxy { transfer.proxy = .url(filled(url) { $0 }) }
    transfer.retry = retry(transfer.retry)
    transfer.rate = rate(transfer.rate)
    for (index, rule) in transfer.errors.enumerated() {
      guard case .template(let template)? = rule.message else { continue }
      do throws(ResolutionError) {
        let message = try template.value.bound(in: scope)
        transfer.errors[index].message = .value(Located(message, at: template.range))
      } catch {
        report(error, at: template.range)
      }
    }
    let resolved = Boxed(wrappedValue: transfer)
    // An error is reported for each flow.
    if !diagnostics.hasErrors {
      sharedTransfer = SharedTransfer(
        declared: declaration.$transfer, scopeKey: scopeKey, now: scope.now, resolved: resolved)
    }
    return resolved
  }

  private mutating func retry(_ declared: Retry) -> Retry {
    var retry = declared
    if let max = retry.max {
      retry.max = filled(max) { (text) throws(SettingError) in
        try SettingText.integer(text, in: Retry.counts, for: "retry.max")
      }
    }
    if let longest = retry.maxWait {
      retry.maxWait = filled(longest) { (text) throws(SettingError) in
        try SettingText.wait(text, for: "retry.max_wait")
      }
    }
    guard let wait = retry.wait else { return retry }
    let longest = retry.longestWait
    retry.wait = filled(wait) { (text) throws(SettingError) in
      let first = try SettingText.wait(text, for: "retry.wait")
      try Retry.check(wait: first, maxWait: longest)
      return first
    }
    return retry
  }

  private mutating func rate(_ declared: Rate) -> Rate {
    var rate = declared
    rate.max = rate.max.map { filled($0, SettingText.rate) }
    for index in rate.budgets.indices {
      rate.budgets[index].max = rate.budgets[index].max.map { filled($0, SettingText.rate) }
    }
    return rate
  }
}

extension FlowDeclaration {
  /// The maximum duration of the flow, in seconds.
  ///
  /// It is the declared deadline. Without a deadline, it is the time for all tries of one request and the waits between
  /// them, and at least one hour for a flow with several requests. The deadlines of a job, and of the jobs that its
  /// retry creates, are added.
  func wholeTime(_ transfer: Transfer) -> Double {
    if let deadline { return deadline.value }
    let retries = Double(transfer.retry.retries)
    let request = transfer.timeout * (retries + 1) + transfer.retry.longestWait * retries
    return isOneRequest ? request : max(3600, request) + (pull.job?.terms.wholeTime ?? 0)
  }
}

extension JobTerms {
  /// The longest time for the job and for all jobs that its retry creates, with the waits between them, in seconds.
  fileprivate var wholeTime: Double {
    let more = Double(retry?.max ?? 0)
    return deadline.seconds * (more + 1) + (retry?.wait.seconds ?? 0) * more
  }
}
