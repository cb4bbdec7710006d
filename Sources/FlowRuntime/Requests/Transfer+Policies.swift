package import FlowModel
package import ReactorCore

extension Transfer {
  /// The maximum rate of requests to the host.
  package var pace: RatePace {
    var pace = RatePace(
      limits: Self.limits(rate.max),
      budgets: rate.budgets.map { budget in
        RatePace.Budget(
          RequestPattern(
            methods: Set(budget.methods.compactMap(Resource.Method.init(rawValue:))),
            paths: budget.paths.map { PathPattern($0) }), limits: Self.limits(budget.max))
      }, concurrency: rate.concurrency)
    switch rate.follow {
    case .usual: break
    case .nothing: pace.followsHeaders = false
    case .fields(let fields): pace.limitFields = fields.value
    }
    return pace
  }

  private static func limits(_ rates: [Setting<Rate.Limit>]) -> [RatePace.Limit] {
    rates.compactMap(\.constant).map { RatePace.Limit($0.requests, per: .seconds($0.seconds)) }
  }
}

extension FlowPlan {
  /// Which failed requests are sent again. A status that the flow accepts is not a failure and is never retried.
  var retryPolicy: RetryPolicy {
    let retry = transfer.retry
    var policy = RetryPolicy(
      retries: retry.retries, statuses: retry.statuses.flatMap { Self.range($0, without: acceptedStatuses) },
      onTimeout: retry.causes.contains(.timeout), onReset: retry.causes.contains(.reset),
      onConnect: retry.causes.contains(.connect),
      backoff: Backoff(
        isExponential: retry.backoff == .exponential, first: .seconds(retry.firstWait),
        longest: .seconds(retry.longestWait)),
      honoursServer: retry.honoursServer, isIdempotent: isIdempotent)
    policy.waitField = retry.waitField
    return policy
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
