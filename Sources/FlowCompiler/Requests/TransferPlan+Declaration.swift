internal import FlowRuntime
internal import FlowSpec
internal import HTTPTransport
internal import ReactorCore

extension RetryPolicy {
  /// Creates the policy. A status that the flow accepts is not a failure and is never retried.
  fileprivate init(_ declaration: FlowDeclaration, _ numbers: RetryDeclaration.Numbers) {
    let retry = declaration.transfer.retry
    let accepted = declaration.expect.status
    self.init(
      retries: numbers.max,
      statuses: accepted.isEmpty ? retry.statuses : retry.statuses.flatMap { Self.range($0, without: accepted) },
      onTimeout: retry.causes.contains(.timeout), onReset: retry.causes.contains(.reset),
      onConnect: retry.causes.contains(.connect),
      backoff: Backoff(
        isExponential: retry.backoff == .exponential, first: .seconds(numbers.wait), longest: .seconds(numbers.maxWait)),
      honoursServer: retry.honoursServer,
      isIdempotent: retry.isIdempotent || declaration.pull.request.idempotency != nil)
    waitField = retry.waitField
  }

  private static func range(_ range: ClosedRange<Int>, without others: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    others.reduce([range]) { ranges, other in
      ranges.flatMap { range -> [ClosedRange<Int>] in
        guard range.overlaps(other) else { return [range] }
        var rest: [ClosedRange<Int>] = []
        if range.lowerBound < other.lowerBound { rest.append(range.lowerBound...other.lowerBound - 1) }
        if range.upperBound > other.upperBound { rest.append(other.upperBound + 1...range.upperBound) }
        return rest
      }
    }
  }
}

extension RatePace.Limit {
  fileprivate init(_ limit: RateDeclaration.Limit) { self.init(limit.requests, per: .seconds(limit.seconds)) }
}

extension ErrorRule {
  init(_ declared: ErrorRuleDeclaration, in scope: ResolutionScope) throws(ResolutionError) {
    let action: ResponseRule.Action =
      switch declared.action {
      case .fail: .fail
      case .retry: .retry
      case .wait: .wait
      case .skip: .skip
      case .stop: .stop
      case .cap: .cap
      case .shrink: .shrink
      }
    self.init(
      action, when: declared.when.value, message: try declared.message?.value.bound(in: scope),
      needsBody: declared.needsBody)
    wait = declared.wait?.value
  }
}

extension RequestResolver {
  /// Returns the plan of how the flow's requests are sent.
  ///
  /// - Parameter timeout: replaces the declared timeout of a request, in seconds
  mutating func transfer(_ declaration: FlowDeclaration, timeout: Double?) -> TransferPlan {
    var transfer = TransferPlan()
    transfer.requestTimeout = timeout ?? declaration.transfer.timeout.value
    transfer.maxBodyBytes = declaration.transfer.maxBytes
    transfer.redirects = TransferPlan.Redirects(rawValue: declaration.transfer.redirects.rawValue) ?? .none
    transfer.allowed = declaration.transfer.allow.map { $0.map(TransferPlan.Destination.init) }
    transfer.certificateFile = declaration.transfer.caFile?.value
    transfer.clientCertificate = declaration.transfer.clientCertificate.map { declared in
      HTTPClientCertificate(
        certificate: declared.certificate.value, key: declared.key?.value,
        password: declared.password.flatMap { resolve($0)?.text })
    }
    transfer.proxy = proxy(declaration)
    transfer.sharesResponses = declaration.transfer.sharesResponses
    let numbers = retryNumbers(declaration.transfer.retry)
    transfer.retry = RetryPolicy(declaration, numbers)
    transfer.pace = pace(declaration.transfer.rate)
    transfer.statuses = declaration.expect.status
    transfer.timeout = Self.wholeTime(declaration, transfer.requestTimeout, numbers)
    transfer.checksReachability = declaration.reachability
    for rule in declaration.transfer.errors {
      do throws(ResolutionError) {
        transfer.rules.append(try ErrorRule(rule, in: scope))
      } catch {
        report(error, at: rule.message?.range ?? rule.when.range)
      }
    }
    return transfer
  }

  /// The numbers of a `retry`, with those that variables give.
  private mutating func retryNumbers(_ retry: RetryDeclaration) -> RetryDeclaration.Numbers {
    var numbers = RetryDeclaration.Numbers()
    if let max = retry.max {
      numbers.max =
        value(of: max) { (text) throws(SettingError) in
          try SettingText.integer(text, in: RetryDeclaration.counts, for: "retry.max")
        } ?? numbers.max
    }
    if let longest = retry.maxWait {
      numbers.maxWait =
        value(of: longest) { (text) throws(SettingError) in
          try SettingText.wait(text, for: "retry.max_wait")
        } ?? numbers.maxWait
    }
    guard let wait = retry.wait else {
      numbers.wait = min(numbers.wait, numbers.maxWait)
      return numbers
    }
    let longest = numbers.maxWait
    numbers.wait =
      value(of: wait) { (text) throws(SettingError) in
        let first = try SettingText.wait(text, for: "retry.wait")
        try RetryDeclaration.check(wait: first, maxWait: longest)
        return first
      } ?? numbers.wait
    return numbers
  }

  private mutating func pace(_ rate: RateDeclaration) -> RatePace {
    var pace = RatePace(
      limits: limits(rate.max),
      budgets: rate.budgets.map { budget in
        RatePace.Budget(
          RequestPattern(
            methods: Set(budget.methods.compactMap(Resource.Method.init(rawValue:))),
            paths: budget.paths.map { PathPattern($0) }), limits: limits(budget.max))
      }, concurrency: rate.concurrency)
    switch rate.follow {
    case .usual: break
    case .nothing: pace.followsHeaders = false
    case .fields(let fields): pace.limitFields = fields.value
    }
    return pace
  }

  private mutating func limits(_ rates: [Setting<RateDeclaration.Limit>]) -> [RatePace.Limit] {
    rates.compactMap { value(of: $0, SettingText.rate).map(RatePace.Limit.init) }
  }

  /// The maximum duration of a flow, in seconds.
  ///
  /// It is the declared deadline. Without a deadline, it is the time for all tries of one request and the waits between
  /// them, and at least one hour for a flow with several requests, behind the deadlines of a
  /// job and of those that are created after one that failed.
  private static func wholeTime(
    _ declaration: FlowDeclaration, _ timeout: Double, _ retry: RetryDeclaration.Numbers
  ) -> Double {
    if let deadline = declaration.deadline { return deadline.value }
    let retries = Double(retry.max)
    let request = timeout * (retries + 1) + retry.maxWait * retries
    return declaration.isOneRequest ? request : max(3600, request) + (declaration.pull.job?.wholeTime ?? 0)
  }
}

extension JobDeclaration {
  /// The time until the deadline of the last job, in seconds.
  fileprivate var wholeTime: Double {
    let more = Double(retry?.max ?? 0)
    return deadline * (more + 1) + (retry?.wait ?? 0) * more
  }
}

extension TransferPlan.Destination {
  fileprivate init(_ declared: AllowDeclaration) {
    self =
      switch declared {
      case .host(let pattern): .host(pattern)
      case .network(let bytes, let bits, let text): .network(bytes: bytes, bits: bits, text: text)
      }
  }
}
