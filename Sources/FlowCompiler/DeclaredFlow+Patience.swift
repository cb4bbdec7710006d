internal import FlowSpec
internal import ReactorCore

extension DeclaredFlow {
  /// The connection with the flow's retries and its host's rate limit; the flow's time begins now.
  func patient(_ connection: any Connection, _ instruments: FlowInstruments) -> RetryingConnection {
    RetryingConnection(
      connection, policy: retryPolicy, rules: declaration.errors.map(rule), pace: pace,
      budget: environment.budget(of: declaration.id, for: request.baseURL.origin),
      deadline: instruments.stopwatch.reading() + .seconds(timeout), patience: environment.patience,
      instruments: instruments)
  }

  /// What the flow accepts is no failure, and never tried again.
  private var retryPolicy: RetryPolicy {
    let retry = declaration.retry
    let accepted = declaration.expect.status
    let statuses = accepted.isEmpty ? retry.statuses : retry.statuses.flatMap { Self.range($0, without: accepted) }
    return RetryPolicy(
      retries: retry.max, statuses: statuses, onTimeout: retry.faults.contains(.timeout),
      onReset: retry.faults.contains(.reset), onConnect: retry.faults.contains(.connect),
      backoff: Backoff(
        isExponential: retry.backoff == .exponential, first: .seconds(retry.wait), longest: .seconds(retry.maxWait)),
      honoursServer: retry.honoursServer, isIdempotent: isIdempotent)
  }

  /// Whether requests may be sent twice whatever their method.
  private var isIdempotent: Bool {
    declaration.retry.isIdempotent || declaration.request.idempotency != nil
  }

  private var pace: RatePace {
    let rate = declaration.rate
    return RatePace(
      limit: rate.max.map { RatePace.Limit($0.requests, per: .seconds($0.seconds)) }, concurrency: rate.concurrency,
      followsHeaders: rate.followsHeaders)
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

  /// The retries as `explain` tells them.
  var retryText: String {
    let retry = declaration.retry
    guard retry.max > 0 else { return "never: each request is sent once" }
    let statuses = retry.statuses.map { range in
      range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
    let reasons = (statuses + retry.faults.map(\.rawValue)).joined(separator: ", ")
    let growth = retry.backoff == .exponential ? "doubling from" : "of"
    let times = retry.max == 1 ? "once" : "at most \(retry.max) times"
    return
      "\(times), after \(reasons); waits \(growth) \(Self.seconds(retry.wait)), at most \(Self.seconds(retry.maxWait))"
      + (retry.honoursServer ? ", or as long as the server asks" : "")
      + (isIdempotent ? "; whatever the method" : "")
  }

  /// The host's rate limit as `explain` tells it; nil when only the server sets it.
  var rateText: String? {
    let rate = declaration.rate
    var parts: [String] = []
    if let max = rate.max { parts.append("at most \(max.requests) requests in \(Self.seconds(max.seconds))") }
    if let concurrency = rate.concurrency { parts.append("at most \(concurrency) waiting at once") }
    if !rate.followsHeaders { parts.append("what answers tell of the server's limit is not followed") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
