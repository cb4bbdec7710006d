internal import Authorization
internal import ReactorCore

extension DeclaredFlow {
  /// Builds the network with its reachability check and accepted statuses.
  func network(_ instruments: FlowInstruments) throws(ReactorError) -> Network {
    let accepted = plan.transfer.statuses
    // This is the innermost connection. All other connections wrap it.
    let connection = try environment.connection(
      of: plan.id, name: "base", baseURL: plan.request.baseText, plan.options(in: environment))
    return Network(
      connection: patient(authorization.map { AuthorizedConnection(connection, $0) } ?? connection, instruments),
      reachability: plan.transfer.checksReachability ? connection.reachability : AlwaysReachable(),
      responseModifier: (accepted.isEmpty
        ? ResponseModifier.success : .accepting { status in accepted.contains { $0.contains(status) } }).acceptingRuled,
      instruments: instruments)
  }

  /// Adds the flow's retries and the host's rate limit to a connection. The flow's timeout starts now.
  private func patient(_ connection: any Connection, _ instruments: FlowInstruments) -> RetryingConnection {
    RetryingConnection(
      connection, policy: plan.transfer.retry,
      rules: plan.transfer.rules.map { $0.rule(in: plan.scope, environment.wallClock) }, pace: plan.transfer.pace,
      budget: environment.budget(of: plan.id, for: plan.request.baseURL.origin),
      deadline: instruments.stopwatch.reading() + .seconds(plan.transfer.timeout), patience: environment.patience,
      instruments: instruments)
  }
}
