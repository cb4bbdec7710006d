internal import Expressions
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

/// A request whose templates need what is known only while the flow runs.
struct RequestRecipe: Sendable {
  let declaration: FlowDeclaration
  /// What is fixed; `values` are added for each request.
  private(set) var scope: ResolutionScope

  init(declaration: FlowDeclaration, scope: ResolutionScope) {
    self.declaration = declaration
    self.scope = scope
    self.scope.keepsDynamic = false
  }

  /// The request with these values.
  ///
  /// - Parameter item: what it is made for, where that is part of it
  /// - Throws: `.parser` saying which template has no value, or why the request cannot be sent.
  func resource(
    with values: [String: ExpressionValue], for item: RequestItem? = nil
  ) throws(ReactorError) -> Resource {
    var scope = scope
    scope.values = values
    var resolver = RequestResolver(scope: scope)
    resolver.item = item
    guard let request = resolver.resolved(declaration) else {
      throw .parser(resolver.diagnostics.diagnostics.first?.message ?? "the request cannot be built")
    }
    return request.resource
  }
}
