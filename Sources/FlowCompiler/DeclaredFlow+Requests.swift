internal import Expressions
internal import FlowSpec
internal import ReactorCore

extension DeclaredFlow {
  /// Whether a page may be asked for before the one before it was read.
  var mayAskAhead: Bool {
    environment.seam == nil && request.resource.method == .GET && declaration.errors.isEmpty
      && declaration.rate.max == nil && declaration.rate.concurrency == nil
  }

  /// The request with values that are known now.
  func resource(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) throws(ReactorError) -> Resource {
    guard let recipe = request.recipe else { return request.resource }
    var values = values
    if let pages = declaration.pages { values["page"] = PageFollower.firstPage(of: pages) }
    return try recipe.resource(with: values, for: item)
  }

  /// How a page's request is made where templates use the page; nil where they do not.
  func remake(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) -> (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)? {
    guard declaration.pages != nil, let recipe = request.recipe, declaration.request.uses("page") else { return nil }
    return { (page) throws(ReactorError) -> Resource in
      var values = values
      values["page"] = page
      return try recipe.resource(with: values, for: item)
    }
  }
}
