package import Boxes
package import ReactorCore

/// The parts of a request that are known before the flow runs.
///
/// It also contains texts that describe the request without secrets.
package struct RequestPlan: Sendable {
  package let baseURL: BaseURL
  package let baseText: String
  /// The request. With a program, it has placeholders for values that are not known yet.
  @Boxed package private(set) var resource: Resource
  /// Builds the request from values that are known only while the flow runs; nil when there are none.
  @BoxedIfPresent package var program: RequestProgram?
  /// Whether a template gives the whole URL (`url`). Such a URL may lead to another origin.
  package var hasOwnURL = false
  /// Whether the request is a GraphQL query. A GraphQL response reports errors in its body.
  package var isGraphQL = false
  /// The header with the idempotency key, by which the server recognizes a repeated request; nil without one.
  package var idempotencyHeader: String?

  /// The names of headers whose values contain a secret.
  package var secretHeaderNames: [String] = []
  /// Whether the body contains a secret.
  package var hasSecretBody = false

  /// The URL without secrets.
  ///
  /// A template that uses a secret is shown as it is written in the flow file.
  package let shownURL: String
  /// The headers, with secrets masked.
  package var shownHeaders: [String] = []
  /// A description of the body, with secrets masked.
  package var shownBody: String?
  /// Masks the URL in errors; nil when the URL's path contains no secret.
  @BoxedIfPresent package var mask: URLMask?
  /// Whether the base URL or the path contains a secret.
  package var hidesPath = false
  /// Whether the URL, including the query, contains a secret.
  package var hidesURL = false
  /// Whether the URL or a header contains a secret, or can contain one when its templates are filled in.
  package var holdsSecret = false

  package init(baseURL: BaseURL, baseText: String, resource: Resource, shownURL: String) {
    self.baseURL = baseURL
    self.baseText = baseText
    self.resource = resource
    self.shownURL = shownURL
  }

  /// A copy of the plan that requests another resource.
  ///
  /// A request program keeps its path, method and body, and also sends the query parameters and headers that the
  /// resource adds.
  func asking(_ other: Resource) -> RequestPlan {
    var plan = self
    plan.resource = other
    plan.program?.added = RequestProgram.Additions(
      query: other.query.filter { !resource.query.contains($0) },
      headers: other.headers.fields.filter { !resource.headers.fields.contains($0) })
    return plan
  }

  /// Method and URL without the query, with secrets masked.
  package var shownWithoutQuery: String { "\(resource.method.rawValue) \(shownURL.prefix { $0 != "?" })" }

  /// The URL of one of the flow's requests, with secrets masked.
  ///
  /// If the flow has secrets and the URL is not the flow's own, this is the flow's own URL with the added parameters. A
  /// server may repeat a secret in a link, so the link itself is not shown.
  func url(of other: Resource) -> String {
    if other.target == nil, other.path == resource.path, other.query == resource.query { return shownURL }
    if !holdsSecret { return (try? other.url(relativeTo: baseURL)) ?? shownURL }
    let added = other.query.filter { !resource.query.contains($0) }
    guard !added.isEmpty else { return shownURL }
    let text = added.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return shownURL + (shownURL.contains("?") ? "&" : "?") + text
  }
}
