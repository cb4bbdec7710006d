internal import Fixtures
internal import ReactorCore

/// A flow that is being drafted: the request, what its responses have shown, and what a person has decided.
struct FlowProposal: Sendable {
  let request: CurlCommand
  let url: RequestURL
  /// The flow's name; nil for the one that the path gives.
  var name: String?
  /// The authorization that a person chose; nil for that of the request.
  var auth: DraftAuth?
  /// The outline of the responses so far; nil before the first.
  var sample: InferredFlow?
  /// The query parameter that leads to the next page, where a person named it.
  var parameter: PageParameter?
  /// The query parameters that were tried and lead to no other page.
  private(set) var ignored: Set<String> = []
  /// How the flow asks only for new records, where a person agreed.
  var cursor: DraftCursor?
  /// What the request for the second page has shown; nil before it.
  var confirmation: String?

  /// Creates a proposal that repeats a request.
  ///
  /// - Throws: an error when the command has no http or https URL, or a method that is unknown
  init(_ request: CurlCommand, name: String?) throws(FixtureError) {
    guard let url = RequestURL(request.url) else { throw FixtureError("'\(request.url)' is not an http or https URL") }
    guard Resource.Method(rawValue: request.method.uppercased()) != nil else {
      throw FixtureError("'\(request.method)' is not a method that a flow can use")
    }
    self.request = request
    self.url = url
    self.name = name
  }

  /// Whether sending the request cannot change anything on the server, as far as its method says.
  var isHarmless: Bool { ["GET", "HEAD", "OPTIONS", "POST"].contains(request.method.uppercased()) }

  /// The query parameters for which a cursor may be guessed.
  var proposedCursor: DraftCursor? { sample.flatMap { DraftCursor(url.query, $0) } }

  /// Notes that a query parameter leads to no other page.
  mutating func ignore(_ name: String) {
    ignored.insert(name)
    if parameter?.name == name { parameter = nil }
  }

  /// The flow as it would be written now.
  var flow: DraftFlow {
    var flow = DraftFlow(name: name, method: request.method, url, headers: request.headers, body: request.body)
    if let auth { flow.auth = auth }
    flow.take(sample, query: url.query, further: [parameter].compactMap { $0 }, ignored: ignored)
    if let cursor { flow.take(cursor) }
    if let confirmation { flow.confirmPages(confirmation) }
    return flow
  }

  /// The flow file as it would be written now.
  ///
  /// - Parameter base: the base URL; nil for the server of the request
  func file(base: String? = nil) -> DraftFile { DraftFile([flow], base: base ?? url.origin) }

  /// The parameter that the strategy of the pages sends; nil without one.
  var pageParameter: String? { flow.pages?.replaced.first }

  /// Whether the flow requests more than one page.
  var hasPages: Bool { flow.pages?.text.map { $0 != "none" } ?? false }
}
