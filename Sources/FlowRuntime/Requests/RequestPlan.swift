package import ReactorCore

/// What is asked of the server, as far as it is known before the flow runs, and how it may be shown.
package struct RequestPlan: Sendable {
  package let baseURL: BaseURL
  package let baseText: String
  /// The request; where a program makes each one, with short forms of what is not known yet.
  package private(set) var resource: Resource
  /// Makes the request of values that are known only while the flow runs; nil where it needs none.
  package var program: RequestProgram?
  /// Whether the request is a GraphQL query, whose response says in its body what went wrong.
  package var isGraphQL = false
  /// The header by which the server knows a request that it has had before.
  package var idempotencyHeader: String?

  /// Headers whose values hold a secret.
  package var secretHeaderNames: [String] = []
  /// Whether the body holds a secret.
  package var hasSecretBody = false

  /// The URL as it may be shown: templates with secrets stay as written.
  package let shownURL: String
  /// The headers as they may be shown.
  package var shownHeaders: [String] = []
  /// What the body is, as it may be shown.
  package var shownBody: String?
  /// For errors, when the URL's path holds a secret.
  package var mask: URLMask?
  /// Whether base URL or path hold a secret.
  package var hidesPath = false
  /// Whether the URL, the query included, holds a secret.
  package var hidesURL = false
  /// Whether a secret is part of the URL or of a header, or may become part of it.
  package var holdsSecret = false

  package init(baseURL: BaseURL, baseText: String, resource: Resource, shownURL: String) {
    self.baseURL = baseURL
    self.baseText = baseText
    self.resource = resource
    self.shownURL = shownURL
  }

  /// The same for another resource. A program keeps its path, method and body, and gets what the resource adds.
  func asking(_ other: Resource) -> RequestPlan {
    var plan = self
    plan.resource = other
    plan.program?.added = RequestProgram.Additions(
      query: other.query.filter { !resource.query.contains($0) },
      headers: other.headers.fields.filter { !resource.headers.fields.contains($0) })
    return plan
  }

  /// Method and URL as they may be shown, without the query.
  package var shownWithoutQuery: String { "\(resource.method.rawValue) \(shownURL.prefix { $0 != "?" })" }

  /// The URL of one of the flow's requests as it may be shown. Where a secret is at play, and the URL is not the flow's own,
  /// that is the flow's own with what was added: a server may put into a link what it was sent.
  func url(of other: Resource) -> String {
    if other.target == nil, other.path == resource.path, other.query == resource.query { return shownURL }
    if !holdsSecret { return (try? other.url(relativeTo: baseURL)) ?? shownURL }
    let added = other.query.filter { !resource.query.contains($0) }
    guard !added.isEmpty else { return shownURL }
    let text = added.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return shownURL + (shownURL.contains("?") ? "&" : "?") + text
  }
}
