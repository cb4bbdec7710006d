internal import Authorization
package import Expressions
internal import ReactorCore

/// A plan that computes headers and query parameters over each request.
package struct ComputedFieldsPlan: Sendable {
  /// A header or a parameter.
  package struct Field: Sendable {
    package let name: String
    /// The template of the value, which may use `request`.
    package let value: ExpressionTemplate

    package init(name: String, value: ExpressionTemplate) {
      self.name = name
      self.value = value
    }
  }

  /// Parameters, each computed over the request with those before it.
  package let query: [Field]
  /// Headers, computed over the request with all of its parameters.
  package let headers: [Field]

  package init(query: [Field], headers: [Field]) {
    self.query = query
    self.headers = headers
  }

  /// Returns the request with its computed fields. A request to another origin is not changed.
  func completed(
    _ resource: Resource, base: String, in scope: EvaluationScope
  ) throws(ReactorError) -> Resource {
    var resource = resource
    for field in query { resource.query.removeAll { $0.name == field.name } }
    guard let own = try OwnRequest(resource, base: base) else { return resource }
    resource = own.resource
    for field in query {
      resource.query.append(
        Resource.QueryItem(field.name, try text(of: field, try values(of: resource, own.base, scope))))
    }
    let values = try values(of: resource, own.base, scope)
    for field in headers { resource.headers[field.name] = try text(of: field, values) }
    return resource
  }

  private func text(of field: Field, _ scope: EvaluationScope) throws(ReactorError) -> String {
    do throws(ReactorError) {
      let text = try field.value.text(in: scope)
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw .server("the value holds a control character")
      }
      return text
    } catch {
      throw .server("the request cannot be signed: '\(field.name)': \(error.message)")
    }
  }

  private func values(
    of resource: Resource, _ base: BaseURL, _ scope: EvaluationScope
  ) throws(ReactorError) -> EvaluationScope {
    let url = try resource.url(relativeTo: base)
    let target = String(url.dropFirst(base.origin.count))
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let body = String(validating: resource.body ?? [], as: UTF8.self) else {
      throw .server("the request cannot be signed: its body is not text")
    }
    let members = [
      ("method", resource.method.rawValue), ("url", url), ("host", base.authority), ("path", parts[0]),
      ("query", parts.count > 1 ? parts[1] : ""), ("target", target), ("body", body),
    ]
    return scope.with(["request": .map(members.map { ExpressionMember($0.0, .string($0.1)) })])
  }
}
