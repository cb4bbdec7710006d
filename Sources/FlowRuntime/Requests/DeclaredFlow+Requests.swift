internal import Expressions
internal import ReactorCore

extension DeclaredFlow {
  /// Whether a page may be requested before the previous page was read.
  var mayAskAhead: Bool {
    environment.transportOverride == nil && plan.job == nil && plan.request.resource.method == .GET
      && plan.transfer.rules.isEmpty && plan.transfer.pace.isUnlimited
  }

  /// Builds the request from the values that are known now.
  func resource(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) throws(ReactorError) -> Resource {
    guard let program = plan.request.program else { return plan.request.resource }
    var values = values
    if let pages = plan.pages { values["page"] = pages.firstStep.value }
    return try program.resource(of: plan.request, in: plan.scope.with(values), for: item)
  }

  /// Returns the builder of page requests when templates use `page`; else nil.
  func remake(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) -> (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)? {
    let (request, scope) = (plan.request, plan.scope)
    guard plan.pages != nil, let program = request.program, program.names.contains("page") else { return nil }
    return { (page) throws(ReactorError) -> Resource in
      var values = values
      values["page"] = page
      return try program.resource(of: request, in: scope.with(values), for: item)
    }
  }
}
