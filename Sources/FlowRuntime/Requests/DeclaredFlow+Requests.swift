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
  /// - Parameter listsAllFields: whether one request lists the fields of all groups, to identify the request
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
}

extension FlowPlan {
  /// Builds the request from the values of a scope. If the flow has groups of fields, the requests for the others are
  /// its siblings.
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
