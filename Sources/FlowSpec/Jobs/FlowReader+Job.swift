import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads a `job` mapping.
  ///
  /// - Parameter page: the name `page`, if the flow has pages
  mutating func job(_ value: FieldValue, page: ExpressionType.Member?) -> Job<RequestDeclaration>? {
    // The requests of a job send no records, so they need no schemas.
    var scope = Scope(file: value.scope.file.with(schemas: nil), names: value.scope.names)
    scope.mayHaveMore = value.scope.mayHaveMore
    let errors = errorCount
    guard let nodes = open(value, as: .job, in: scope) else { return nil }
    let creation = scope.with(Self.jobResponseNames + scope.names)
    let id = read(JobKeys.id, of: nodes, in: creation)
    let values = jobValues(nodes.value(JobKeys.values, in: creation))
    let job = ExpressionType.Member(
      "job", .object(ExpressionType.Object((["id"] + values.map(\.name)).map { ExpressionType.Member($0, .dynamic) })))
    let request = scope.adding(job)
    let polled = creation.adding(job)
    let poll = requested(JobKeys.poll, request, JobKeys.statusURL, creation, in: nodes, at: value.key)
    let download = requested(
      JobKeys.download, page.map { polled.adding($0) } ?? polled, JobKeys.urls, polled, in: nodes, at: value.key)
    let locate = read(JobKeys.locate, of: nodes, in: polled)
    let delete = read(JobKeys.delete, of: nodes, in: request)
    let abort = read(JobKeys.abort, of: nodes, in: request)
    let done = read(JobKeys.done, of: nodes, in: polled)
    let failed = read(JobKeys.failed, of: nodes, in: polled)
    let empty = read(JobKeys.empty, of: nodes, in: polled)
    let running = read(JobKeys.running, of: nodes, in: polled)
    let times = jobTimes(nodes)
    let atOnce = read(JobKeys.atOnce, of: nodes)?.value
    let resumes = read(JobKeys.resume, of: nodes) ?? true
    let retry = read(JobKeys.retry, of: nodes)
    guard let id, let poll, let download, let done, errors == errorCount, !nodes.hasError else { return nil }
    var terms = JobTerms(
      range: value.key, id: id, done: done, every: times.every, maxEvery: times.maxEvery, deadline: times.deadline)
    terms.values = values
    (terms.statusURL, terms.urls) = (poll.url, download.url)
    (terms.failed, terms.empty, terms.running) = (failed, empty, running)
    (terms.atOnce, terms.resumes, terms.retry) = (atOnce, resumes, retry)
    var reading = Job(terms, poll: poll.request, download: download.request)
    (reading.locate, reading.delete, reading.abort) = (locate, delete, abort)
    return reading
  }

  /// Reports parts of a flow that cannot be used together with its job.
  mutating func checkJob(
    _ job: Job<RequestDeclaration>, _ resource: RequestDeclaration?, _ expect: Expectations?, at flow: FieldNodes
  ) {
    if resource?.body?.records != nil {
      report(
        .misplacedKey, "a request that sends the records of 'each' cannot create a job", at: job.terms.range,
        help: "send the records in a flow of its own, without 'job'")
    }
    if job.terms.urls != nil, expect?.total != nil {
      report(
        .misplacedKey, "'expect.total' is the number of records of one response, but 'urls' can give several responses",
        at: flow.key(FlowKeys.expect), help: "use 'expect.min', or 'download' instead of 'urls'")
    }
  }

  /// The names that expressions use for a response of a job, with their types.
  private static let jobResponseNames = [
    ExpressionType.Member("status", .int), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("response", .dynamic),
  ]

  /// The name `job`, whose members are not checked, and the names of a response of the job.
  static let jobNames = [ExpressionType.Member("job", .dynamic)] + jobResponseNames

  private mutating func jobValues(_ value: FieldValue?) -> [(name: String, value: Located<Expression>)] {
    var values: [(name: String, value: Located<Expression>)] = []
    for member in value.flatMap({ members(of: $0, role: .variable) }) ?? [] {
      guard member.name != "id" else {
        report(.duplicateItem, "'id' already means the job's id", at: member.key.range, help: "choose another name")
        continue
      }
      guard let value, let expression = expression(value.part(member.value), of: .optional(.dynamic)) else { continue }
      values.append((member.name, expression))
    }
    return values
  }

  /// Reads a request or the URL that is requested; nil unless exactly one of the keys is present.
  ///
  /// A URL is requested with GET, instead of a path.
  private mutating func requested(
    _ resource: Field<RequestDeclaration>, _ scope: Scope, _ url: Field<Located<Expression>>, _ urlScope: Scope,
    in nodes: FieldNodes, at range: SourceRange
  ) -> (request: RequestDeclaration, url: Located<Expression>?)? {
    switch (nodes.key(resource), nodes.key(url)) {
    case (nil, nil), (_?, _?): return nil
    case (_?, nil): return read(resource, of: nodes, in: scope).map { (request: $0, url: nil) }
    case (nil, _?):
      let get = RequestDeclaration(Located(Template(text: "/"), at: range))
      return read(url, of: nodes, in: urlScope).map { (request: get, url: $0) }
    }
  }

  private mutating func jobTimes(_ nodes: FieldNodes) -> (every: Duration, maxEvery: Duration, deadline: Duration) {
    let every = read(JobKeys.every, of: nodes)
    let most = read(JobKeys.maxEvery, of: nodes)
    let deadline = read(JobKeys.deadline, of: nodes)?.value ?? 3600
    let first = every?.value ?? 5
    if let most, most.value < first {
      report(
        .outOfRange, "'max_wait' is shorter than 'wait'", at: most.range, help: "make it at least as long as 'wait'")
    }
    if let every, every.value > deadline {
      report(
        .outOfRange, "the first poll would be after the job's deadline", at: every.range,
        help: "write a shorter 'wait' or a longer 'deadline'")
    }
    return (.seconds(first), .seconds(most?.value ?? max(60, first)), .seconds(deadline))
  }
}

extension Reading<Job<RequestDeclaration>> {
  /// The `download` request of the job, whose response has the records; absent or broken if the job is.
  var downloaded: Reading<RequestDeclaration> {
    switch self {
    case .absent: .absent
    case .broken: .broken
    case .value(let job): .value(job.download)
    }
  }
}

extension FlowReader {
  /// Reads a `retry` of a job or its short form.
  mutating func jobRetry(_ value: FieldValue) -> JobTerms.Retry? {
    if value.node.isScalar {
      return read(JobRetryKeys.max, short: value).map { JobTerms.Retry(max: $0.value) }
    }
    guard let nodes = open(value, as: .jobRetry) else { return nil }
    let wait = reading(JobRetryKeys.wait, of: nodes)
    guard let max = read(JobRetryKeys.max, of: nodes), !wait.isBroken else { return nil }
    var retry = JobTerms.Retry(max: max.value)
    if let wait = wait.value { retry.wait = .seconds(wait.value) }
    return retry
  }
}
