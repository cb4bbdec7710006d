internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension JobPull {
  /// Reads the result of a job: one download or several, one after the other.
  func read(
    _ job: ServerJob, _ response: JobResponse, into sink: any RecordSink
  ) async throws(ReactorError) -> Pull.Outcome {
    let scope = requests.scope(response, job)
    guard let urls = terms.urls?.value else { return try await download(nil, after: Pull.Outcome(), scope, into: sink) }
    let located = try await located(job, scope) ?? response
    if located.isRuled { return Pull.Outcome(PageReading(withoutRecords: located.head)) }
    let names = requests.scope(located, job)
    let links = try Self.links(try value(of: urls, in: names, key: "job.urls").json, job)
    var targets: [String] = []
    for link in links { targets.append(try JobRequests.url(link, from: located, key: "job.urls")) }
    var outcome = Pull.Outcome()
    for (index, target) in targets.enumerated() where !outcome.isEnd && outcome.cut == nil {
      let part: Pull.Outcome
      do throws(ReactorError) {
        if index > 0 { try pull.checkDeadline() }
        part = try await download(target, after: outcome, scope, into: sink)
      } catch {
        guard targets.count > 1, error.kind != .cancelled else { throw error }
        var error = error
        error.message = "download \(index + 1) of \(targets.count): \(error.message)"
        throw error
      }
      if targets.count == 1 { return part }
      outcome.add(part)
      pull.report(outcome)
    }
    return outcome
  }

  /// The response that contains the URLs of the result; nil if the response to the last poll contains them.
  ///
  /// - Parameter scope: the scope with the response to the last poll and with the job
  private func located(_ job: ServerJob, _ scope: EvaluationScope) async throws(ReactorError) -> JobResponse? {
    guard let request = plan.locate else { return nil }
    return try await requests.send(
      try requests.resource(request, in: scope), of: request, by: quietNetwork,
      "the request for the URLs of job \(job.name)")
  }

  /// Reads one download with its pages.
  ///
  /// - Parameters:
  ///   - url: replaces the URL of `download`
  ///   - earlier: the outcome of the earlier downloads; only the first download is reported step by step
  private func download(
    _ url: String?, after earlier: Pull.Outcome, _ scope: EvaluationScope, into sink: any RecordSink
  ) async throws(ReactorError) -> Pull.Outcome {
    let (request, flow) = (plan.download, pull.plan)
    var first = scope
    if let pages = flow.pages { first.values["page"] = pages.firstStep.value }
    let resource = try requests.resource(request, in: first, at: url)
    let isFirst = earlier.pages == 0
    let next = isFirst ? pull : pull.following(earlier)
    let network = try pull.network(
      to: resource, next.network.withoutReachabilityCheck(), isFirst ? pull.instruments : pull.quiet)
    let shown = requests.shown(resource, of: request)
    let pull = next.with { pull in
      pull.network = network
      pull.shownURL = shown
      guard flow.pages != nil, let program = request.program, program.names.contains("page") else { return }
      pull.remake = { (page) throws(ReactorError) -> Resource in
        var scope = scope
        scope.values["page"] = page
        return try program.resource(of: request, in: scope, for: nil)
      }
    }
    do throws(ReactorError) {
      return try await pull.readAll(resource, into: sink)
    } catch {
      throw requests.masked(error, resource, of: request)
    }
  }

  /// The links in a value that is a text or a list of texts.
  private static func links(_ value: JSONValue, _ job: ServerJob) throws(ReactorError) -> [String] {
    let links = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
    guard !links.isEmpty, links.count == value.array?.count ?? 1, !links.contains("") else {
      var error = JobTerms.error(
        "expected the URLs of the result of job \(job.name), found \(value.array?.isEmpty ?? false ? "none" : value.kindName)",
        key: "job.urls")
      error.help = "use 'empty' to declare when a job has no result"
      throw error
    }
    return links
  }
}
