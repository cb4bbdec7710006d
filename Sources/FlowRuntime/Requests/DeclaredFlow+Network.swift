internal import Authorization
internal import FlowModel
internal import ReactorCore

extension DeclaredFlow {
  /// Builds the network with its reachability check and accepted statuses.
  ///
  /// - Parameter isAuthorized: whether the requests have credentials; false for a server that the flow does not declare
  func network(_ instruments: FlowInstruments, isAuthorized: Bool = true) throws(ReactorError) -> Network {
    let accepted = plan.acceptedStatuses
    // This is the innermost connection. All other connections wrap it.
    let connection = try environment.connection(
      of: plan.id, name: "base", baseURL: plan.request.baseText, plan.options(in: environment))
    return Network(
      connection: sharing(
        patient(
          isAuthorized ? authorization.map { AuthorizedConnection(connection, $0) } ?? connection : connection,
          instruments)),
      reachability: plan.checksReachability ? connection.reachability : AlwaysReachable(),
      responseModifier: (accepted.isEmpty
        ? ResponseModifier.success : .accepting { status in accepted.contains { $0.contains(status) } }).acceptingRuled,
      instruments: instruments)
  }

  /// Lets equal requests share a response, if the flow declares it.
  ///
  /// Error rules decide what a response means, so flows with rules share only among their own requests. So does a flow
  /// that is recorded or replayed: its recording contains everything that it needs.
  private func sharing(_ connection: any Connection) -> any Connection {
    // A poll asks the same again and waits for another response.
    guard plan.transfer.sharesResponses, plan.job == nil, plan.firstRun?.job == nil else { return connection }
    let isAlone = !plan.transfer.errors.isEmpty || environment.transportOverride != nil
    let scope = [
      plan.request.baseText, plan.transfer.redirects.rawValue, plan.transfer.route,
      plan.auth.digest.map { String($0) } ?? "", isAlone ? plan.id : "",
    ]
    return SharingConnection(connection, environment.responses, scope: scope.joined(separator: "\n"))
  }

  /// Adds the flow's retries and the host's rate limit to a connection. The flow's timeout starts now.
  private func patient(_ connection: any Connection, _ instruments: FlowInstruments) -> RetryingConnection {
    RetryingConnection(
      connection, policy: plan.retryPolicy,
      rules: plan.transfer.errors.map { $0.rule(in: plan.scope, environment.wallClock) }, pace: plan.transfer.pace,
      budget: environment.budget(of: plan.id, for: plan.request.baseURL.origin),
      deadline: instruments.stopwatch.reading() + .seconds(plan.timeout), patience: environment.patience,
      instruments: instruments.observed(locatedIn: plan.origin.locations))
  }
}

extension FlowInstruments {
  /// A copy that adds source locations to warnings about requests.
  fileprivate func observed(locatedIn locations: PlanLocations) -> FlowInstruments {
    var copy = self
    copy.observer = { [observer] event in
      guard case .unreadableLimit(let error) = event else { return observer(event) }
      observer(.unreadableLimit(locations.located(error)))
    }
    return copy
  }
}
