internal import Boxes
internal import Expressions
internal import ReactorCore

/// Builds and sends the requests of one job.
struct JobRequests: Sendable {
  @Boxed private(set) var pull: Pull
  /// The parents' records, by the name of the parent.
  let parents: [String: ExpressionValue]

  init(_ pull: Pull) {
    self.pull = pull
    // `cursor` is left out, because its values here are in the format of records, not in the format of requests.
    parents = pull.values.filter { $0.key != "cursor" }
  }

  /// The scope of expressions that use a response, and the job if it already exists.
  func scope(_ response: JobResponse? = nil, _ job: ServerJob? = nil) -> EvaluationScope {
    var values = parents.merging(response?.values ?? [:]) { _, own in own }
    if let job { values["job"] = job.value }
    return pull.plan.scope.with(values)
  }

  /// A request with the values of a scope.
  ///
  /// - Parameter url: replaces base URL, path and query
  func resource(_ request: RequestPlan, in scope: EvaluationScope, at url: String? = nil) throws(ReactorError)
    -> Resource
  {
    var resource = try request.program?.resource(of: request, in: scope, for: nil) ?? request.resource
    if let url {
      resource.target = url
      resource.query = []
    }
    return resource
  }

  /// Sends a request and reads its response.
  ///
  /// - Parameter step: the name of the request in errors
  func send(
    _ resource: Resource, of request: RequestPlan, by network: Network, _ step: String
  ) async throws(ReactorError) -> JobResponse {
    do throws(ReactorError) {
      let accepted = pull.plan.acceptedStatuses
      let network = try pull.network(to: resource, network, pull.quiet).with(
        ResponseModifier.accepting { status in
          (200...299).contains(status) || accepted.contains { $0.contains(status) }
        }.acceptingRuled)
      let response = try await JobResponse(try await network.response(for: resource))
      if response.head.meaning == .noRecordsAndShrink { throw PageFollower.unshrinkable }
      if request.isGraphQL { try response.body.json.refuseGraphQLErrors(status: response.head.status) }
      return response
    } catch {
      guard error.kind != .cancelled else { throw error }
      var error = masked(error, resource, of: request)
      error.message = "\(step): \(error.message)"
      throw error
    }
  }

  /// The URL of a request, with secrets masked. If a server gave the URL, it is shown without its query.
  func shown(_ resource: Resource, of request: RequestPlan) -> String {
    if let target = resource.target { return String(target.prefix { $0 != "?" }) }
    if request.hidesURL || request.program == nil { return request.shownURL }
    return (try? resource.url(relativeTo: request.baseURL)) ?? request.shownURL
  }

  /// The error with the secrets of the request URL masked.
  func masked(_ error: ReactorError, _ resource: Resource, of request: RequestPlan) -> ReactorError {
    guard request.hidesPath, let url = try? resource.url(relativeTo: request.baseURL) else { return error }
    return URLMask(hiding: url, behind: request.shownURL).masked(error)
  }

  /// The absolute URL of a link in a response.
  ///
  /// - Throws: `.server` for a text that is not a URL of http or https.
  static func url(_ link: String, from response: JobResponse, key: String) throws(ReactorError) -> String {
    try LinkedURL.absolute(link, from: response.head.url, key: key)
  }
}
