internal import Authorization
internal import Expressions
internal import FlowModel
internal import ReactorCore

extension DeclaredFlow {
  /// Whether a page may be requested before the previous page was read.
  ///
  /// False when responses are recorded or replayed, because the requests of a failing pull would depend on timing. Also
  /// false when a rate limit or an error rule decides about further requests.
  var mayAskAhead: Bool {
    environment.transportOverride == nil && plan.job == nil && plan.fieldGroups == nil
      && plan.request.resource.method == .GET
      && plan.transfer.errors.isEmpty && plan.transfer.pace.isUnlimited
  }

  /// Builds the request from the values that are known now.
  ///
  /// - Parameter listsAllFields: whether the request lists the fields of all groups; such a request only identifies the
  ///   requests of the groups and is not sent
  func resource(
    with values: [String: ExpressionValue], for item: RequestItem? = nil, listsAllFields: Bool = false
  ) throws(ReactorError) -> Resource {
    guard let program = plan.request.program else { return plan.request.resource }
    var values = values
    if let pages = plan.pages { values["page"] = pages.firstStep.value }
    let groups = listsAllFields ? plan.fieldGroups?.unlimited : plan.fieldGroups
    return try plan.resource(by: program, with: values, for: item, groups)
  }

  /// Returns the builder of page requests when templates use `page`; else nil.
  func remake(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) -> (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)? {
    let plan = plan
    guard plan.pages != nil, let program = plan.request.program, program.names.contains("page") else { return nil }
    return { (page) throws(ReactorError) -> Resource in
      var values = values
      values["page"] = page
      return try plan.resource(by: program, with: values, for: item, plan.fieldGroups)
    }
  }

  /// The requests of a run with a cursor, one for each range; with a parent's key, the requests of that parent.
  ///
  /// - Parameters:
  ///   - values: the values for templates besides `cursor`
  ///   - own: ranges that override the ranges from the remembered state
  func requests(
    _ run: CursorRun, parent key: String?, with values: [String: ExpressionValue], for item: RequestItem? = nil,
    ranges own: [CursorRange]? = nil
  ) throws(ReactorError) -> [RangeRequest] {
    var requests: [RangeRequest] = []
    let ranges = if let own { own } else { try run.ranges(key) }
    // A retry requests records before the position. A condition on the position would leave them out again.
    let position = own == nil ? run.position(key) : nil
    for range in ranges {
      requests.append(try request(of: range, after: position, run.cursor, with: values, for: item))
    }
    return requests
  }

  private func request(
    of range: CursorRange, after position: Cursor.Value?, _ cursor: Cursor,
    with values: [String: ExpressionValue], for item: RequestItem?
  ) throws(ReactorError) -> RangeRequest {
    var bound = values
    bound["cursor"] = cursor.value(range, position: position)
    var request = RangeRequest(
      resource: cursor.bounded(try resource(with: bound, for: item), by: range), range: range, position: position)
    if let base = remake(with: bound, for: item) {
      request.remake = { (page) throws(ReactorError) -> Resource in cursor.bounded(try base(page), by: range) }
    }
    request.other = { (range) throws(ReactorError) -> RangeRequest in
      try self.request(of: range, after: position, cursor, with: values, for: item)
    }
    return request
  }

  /// Builds the network with its reachability check and accepted statuses.
  ///
  /// - Parameter isAuthorized: whether the requests have credentials; false for a server that the flow does not declare
  func network(_ instruments: FlowInstruments, isAuthorized: Bool = true) throws(ReactorError) -> Network {
    let accepted = plan.acceptedStatuses
    // This is the innermost connection. All other connections wrap it.
    let connection = try environment.connection(
      of: plan, name: "base", baseURL: plan.request.baseText, plan.options(in: environment))
    return Network(
      connection: sharing(
        patient(
          isAuthorized ? authorization.map { AuthorizedConnection(connection, $0) } ?? connection : connection,
          instruments)),
      reachability: plan.checksReachability
        ? RetryingReachability(
          connection.reachability, policy: plan.retryPolicy, patience: environment.patience, instruments: instruments)
        : AlwaysReachable(),
      responseModifier: (accepted.isEmpty
        ? ResponseModifier.success : .accepting { status in accepted.contains { $0.contains(status) } }).acceptingRuled,
      instruments: instruments
    ).namingUnreachedHosts()
  }

  /// Lets equal requests share a response, if the flow declares it.
  ///
  /// Error rules decide what a response means, so flows with rules share only among their own requests. So does a flow
  /// that is recorded or replayed, because its recording must contain everything that it needs.
  private func sharing(_ connection: any Connection) -> any Connection {
    // Polls are equal requests that wait for a different response, so a flow with a job shares no responses.
    guard plan.transfer.sharesResponses, plan.job == nil, plan.firstRun?.job == nil else { return connection }
    let isAlone = !plan.transfer.errors.isEmpty || environment.transportOverride != nil
    let scope = plan.responseScope + "\n" + (isAlone ? plan.id : "")
    return SharingConnection(connection, environment.responses, scope: scope)
  }

  /// Adds the flow's retries and the host's rate limit to a connection. The flow's timeout starts with this call.
  private func patient(_ connection: any Connection, _ instruments: FlowInstruments) -> RetryingConnection {
    RetryingConnection(
      connection, policy: plan.retryPolicy,
      rules: plan.transfer.errors.map { $0.rule(in: plan.scope, environment.wallClock) }, pace: plan.transfer.pace,
      budget: environment.budget(of: plan.id, for: plan.request.baseURL.origin),
      deadline: instruments.stopwatch.reading() + .seconds(plan.timeout), patience: environment.patience,
      instruments: instruments.observed(locatedIn: plan.origin.locations))
  }
}

extension FlowPlan {
  /// What a response depends on besides its request: the server, the network settings, the credentials.
  var responseScope: String {
    [request.baseText, transfer.redirects.rawValue, transfer.route, auth.digest.map { String($0) } ?? ""]
      .joined(separator: "\n")
  }

  /// Builds the request from the values of a scope. If the flow has groups of fields, the request is for the first
  /// group, and its siblings are for the others.
  fileprivate func resource(
    by program: RequestProgram, with values: [String: ExpressionValue], for item: RequestItem?,
    _ fieldGroups: FieldGroups?
  ) throws(ReactorError) -> Resource {
    guard let fieldGroups else { return try program.resource(of: request, in: scope.with(values), for: item) }
    var requests: [Resource] = []
    for names in try fieldGroups.groups(in: scope.with(values)) {
      var values = values
      values["field_group"] = .list(names.map { .string($0) })
      requests.append(try program.resource(of: request, in: scope.with(values), for: item))
    }
    var first = requests.removeFirst()
    first.siblings = requests
    return first
  }
}

extension FlowInstruments {
  /// A copy that adds source locations to warnings about requests.
  fileprivate func observed(locatedIn locations: PlanLocations) -> FlowInstruments {
    var copy = self
    copy.observer = { [observer] event in
      guard case .warned(let warning) = event else { return observer(event) }
      observer(.warned(FlowWarning(warning.kind, locations.located(warning.error))))
    }
    return copy
  }
}
