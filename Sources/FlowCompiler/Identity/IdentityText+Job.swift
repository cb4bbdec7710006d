internal import FlowModel
internal import FlowSpec
internal import JSONSyntax

extension IdentityText {
  /// Adds the parts of the job that determine which records its result contains.
  mutating func add(_ job: Job<RequestDeclaration>) {
    let terms = job.terms
    addCreation(terms)
    if let url = terms.statusURL { add("job status_url", url.value) } else { add("job poll", job.poll) }
    add("job done", terms.done.value)
    if let empty = terms.empty { add("job empty", empty.value) }
    if let locate = job.locate { add("job locate", locate) }
    if let urls = terms.urls { add("job urls", urls.value) } else { add("job download", job.download) }
  }

  /// The identity of a job, without the request that creates it. A run continues a job with an equal identity.
  ///
  /// The download is not part of it, so a flow whose download was wrong can be corrected without another job.
  static func jobIdentity(_ terms: JobTerms, of flow: String, in scope: ResolutionScope) -> String {
    var text = IdentityText(flow, in: scope)
    text.addCreation(terms)
    if let url = terms.statusURL { text.add("job status_url", url.value) }
    return text.text
  }

  private mutating func addCreation(_ terms: JobTerms) {
    add("job id", terms.id.value)
    for (name, value) in terms.values { add("job value \(name)", value.value) }
  }

  private mutating func add(_ key: String, _ request: RequestDeclaration) {
    add("\(key) \(request.method)", (request.url ?? request.path).value)
    add(key, request.params + request.query + request.headers)
    if !request.unescaped.isEmpty { add("\(key) unescaped \(request.unescaped.sorted().joined(separator: "&"))") }
    if let body = request.body { add("\(key) body", body) }
  }
}
