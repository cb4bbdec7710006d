internal import Authorization
internal import Expressions
internal import FlowModel
internal import ReactorCore

extension ComputedFields {
  /// Returns the request with its computed fields added. A request to another origin is returned unchanged.
  func completed(
    _ resource: Resource, base: String, in scope: EvaluationScope
  ) throws(ReactorError) -> Resource {
    var (resource, scope) = (resource, scope)
    let derived = DerivedSecrets()
    scope.derivedSecrets = derived
    for field in query { resource.query.removeAll { $0.name == field.name.value } }
    guard let own = try OwnRequest(resource, base: base) else { return resource }
    resource = own.resource
    for field in query {
      resource.query.append(
        Resource.QueryItem(field.name.value, try text(of: field, try values(of: resource, own.base, scope))))
    }
    let values = try values(of: resource, own.base, scope)
    for field in headers { resource.headers[field.name.value] = try text(of: field, values) }
    resource.derivedSecrets += derived.all
    return resource
  }

  private func text(of field: NamedTemplate, _ scope: EvaluationScope) throws(ReactorError) -> String {
    do throws(ReactorError) {
      let text = try ExpressionTemplate(field.value.value).text(in: scope)
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw .server("the value contains a control character")
      }
      return text
    } catch {
      throw .server("the request cannot be signed: '\(field.name.value)': \(error.message)")
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
