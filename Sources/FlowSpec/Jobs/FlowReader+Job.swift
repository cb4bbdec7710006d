internal import Boxes
import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The content of a `job`, without the settings of `http`.
  struct JobReading {
    /// The location of the key.
    fileprivate var range: SourceRange
    fileprivate var id: Located<Expression>
    fileprivate var values: [(name: String, value: Located<Expression>)]
    @Boxed fileprivate var poll: Requested
    @Boxed fileprivate var download: Requested
    /// The requests that not every job has.
    fileprivate var others: Others
    @Boxed fileprivate var conditions: Conditions
    fileprivate var limits: Limits

    /// The requests for the URLs of the result, and those after the end.
    fileprivate struct Others {
      @BoxedIfPresent var locate: ResourceReading?
      @BoxedIfPresent var delete: ResourceReading?
      @BoxedIfPresent var abort: ResourceReading?
    }

    /// A request, or the URL that is requested.
    fileprivate indirect enum Requested {
      case resource(ResourceReading)
      case url(Located<Expression>)
    }

    /// How responses to polls are judged.
    fileprivate struct Conditions {
      var done: Located<Expression>
      var failed: Located<Expression>?
      var empty: Located<Expression>?
      var running: Located<Expression>?
    }

    /// Times and numbers.
    fileprivate struct Limits {
      var every = 5.0
      var maxEvery = 60.0
      var deadline = 3600.0
      var atOnce: Int?
      var resumes = true
      var retry: JobDeclaration.Retry?
    }

    /// The request whose response has the records, as far as pages are concerned.
    var downloaded: ResourceReading { download.reading(at: range) }
    /// Whether the result may have several parts.
    var hasURLs: Bool { if case .url = download { true } else { false } }

    /// The declaration, with requests to a server.
    func declaration(at base: Located<Template>, headers: [NamedTemplate]) -> JobDeclaration {
      func request(_ reading: ResourceReading) -> RequestDeclaration {
        var request = RequestDeclaration(
          method: reading.method, baseURL: base, path: reading.path, query: reading.query,
          headers: HTTPSettings.joined(headers, reading.headers), body: reading.body, params: reading.params)
        request.idempotency = reading.idempotency
        request.url = reading.url
        return request
      }
      var job = JobDeclaration(
        range: range, id: id, poll: request(poll.reading(at: range)), done: conditions.done,
        download: request(downloaded))
      job.values = values
      job.statusURL = poll.url
      job.urls = download.url
      (job.failed, job.empty, job.running) = (conditions.failed, conditions.empty, conditions.running)
      (job.every, job.maxEvery, job.deadline) = (limits.every, limits.maxEvery, limits.deadline)
      (job.locate, job.delete, job.abort) = (
        others.locate.map(request), others.delete.map(request), others.abort.map(request)
      )
      (job.atOnce, job.resumes, job.retry) = (limits.atOnce, limits.resumes, limits.retry)
      return job
    }
  }

  /// Reads a `job` mapping.
  ///
  /// - Parameter page: the name `page`, if the flow has pages
  mutating func job(_ value: FieldValue, page: ExpressionType.Member?) -> JobReading? {
    // The requests of a job send no records, so they need no schemas.
    var scope = Scope(file: value.scope.file.with(schemas: nil), names: value.scope.names)
    scope.mayHaveMore = value.scope.mayHaveMore
    guard let nodes = open(value, as: .job, in: scope) else { return nil }
    let errors = errorCount
    let creation = scope.with(Self.jobResponseNames + scope.names)
    let id = read(JobKeys.id, of: nodes, in: creation)
    let values = jobValues(nodes.value(JobKeys.values, in: creation))
    let job = ExpressionType.Member(
      "job", .object(ExpressionType.Object((["id"] + values.map(\.name)).map { ExpressionType.Member($0, .dynamic) })))
    let request = scope.adding(job)
    let polled = creation.adding(job)
    let poll = requested(
      JobKeys.poll, request, JobKeys.statusURL, creation, in: nodes, "request for the state of the job",
      help: "add 'poll: \"/jobs/{{ job.id }}\"', or 'status_url'")
    let download = requested(
      JobKeys.download, page.map { polled.adding($0) } ?? polled, JobKeys.urls, polled, in: nodes,
      "request for the result of the job", help: "add 'download: \"/jobs/{{ job.id }}/result\"', or 'urls'")
    let others = JobReading.Others(
      locate: reading(JobKeys.locate, of: nodes, in: polled).value,
      delete: reading(JobKeys.delete, of: nodes, in: request).value,
      abort: reading(JobKeys.abort, of: nodes, in: request).value)
    if let key = nodes.key(JobKeys.locate), nodes.key(JobKeys.urls) == nil {
      report(
        .misplacedKey, "'locate' is a request for URLs, and there is no 'urls' that reads them", at: key,
        help: "add 'urls: response.url'")
    }
    let done = read(JobKeys.done, of: nodes, in: polled)
    let failed = read(JobKeys.failed, of: nodes, in: polled)
    let empty = read(JobKeys.empty, of: nodes, in: polled)
    let running = read(JobKeys.running, of: nodes, in: polled)
    let limits = jobLimits(nodes)
    checkRetry(nodes)
    guard let id, let poll, let download, let done, errors == errorCount, !nodes.hasError else { return nil }
    return JobReading(
      range: value.key, id: id, values: values, poll: poll, download: download, others: others,
      conditions: .init(done: done, failed: failed, empty: empty, running: running), limits: limits)
  }

  /// Reports parts of a flow that cannot be used together with its job.
  mutating func checkJob(
    _ job: JobReading, _ resource: ResourceReading?, _ expect: ExpectDeclaration?, at flow: FieldNodes
  ) {
    if resource?.body?.records != nil {
      report(
        .misplacedKey, "a request that sends the records of 'each' cannot create a job", at: job.range,
        help: "send the records in a flow of its own, without 'job'")
    }
    if job.hasURLs, expect?.total != nil {
      report(
        .misplacedKey, "'expect.total' is the number of records of one response, and 'urls' can give several",
        at: flow.key(FlowKeys.expect), help: "use 'expect.min', or 'download' instead of 'urls'")
    }
  }

  /// The names of a response of a job, with their types.
  private static let jobResponseNames = [
    ExpressionType.Member("status", .int), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("response", .dynamic),
  ]

  /// The names of a job and its responses, with any members.
  static let jobNames = [ExpressionType.Member("job", .dynamic)] + jobResponseNames

  private mutating func jobValues(_ value: FieldValue?) -> [(name: String, value: Located<Expression>)] {
    var values: [(name: String, value: Located<Expression>)] = []
    for member in value.flatMap({ members(of: $0, role: .variable) }) ?? [] {
      guard member.name != "id" else {
        report(.duplicateItem, "'id' is the job's id", at: member.key.range, help: "choose another name")
        continue
      }
      guard let value, let expression = expression(value.part(member.value), of: .optional(.dynamic)) else { continue }
      values.append((member.name, expression))
    }
    return values
  }

  /// Reads a request or the URL that is requested. Exactly one of the keys must be there.
  private mutating func requested(
    _ resource: Field<ResourceReading>, _ scope: Scope, _ url: Field<Located<Expression>>, _ urlScope: Scope,
    in nodes: FieldNodes, _ what: String, help: String
  ) -> JobReading.Requested? {
    switch (nodes.key(resource), nodes.key(url)) {
    case (nil, nil):
      guard nodes.isLeftOut(resource), nodes.isLeftOut(url) else { return nil }
      return fail(.missingKey, "the \(what) is missing", at: nodes.range, help: help)
    case (_?, let key?):
      return fail(
        .misplacedKey, "only one \(what) is allowed, not 2", at: key,
        help: "keep one of '\(resource.name)' and '\(url.name)'")
    case (_?, nil): return read(resource, of: nodes, in: scope).map { .resource($0) }
    case (nil, _?): return read(url, of: nodes, in: urlScope).map { .url($0) }
    }
  }

  private mutating func jobLimits(_ nodes: FieldNodes) -> JobReading.Limits {
    var limits = JobReading.Limits()
    let every = read(JobKeys.every, of: nodes)
    let most = read(JobKeys.maxEvery, of: nodes)
    if let deadline = read(JobKeys.deadline, of: nodes) { limits.deadline = deadline.value }
    if let every { limits.every = every.value }
    limits.maxEvery = most?.value ?? max(limits.maxEvery, limits.every)
    if let most, most.value < limits.every {
      report(.outOfRange, "'max_every' is shorter than 'every'", at: most.range, help: "make it at least as long")
    }
    if let every, every.value > limits.deadline {
      report(
        .outOfRange, "the first poll would be after the job's deadline", at: every.range,
        help: "write a shorter 'every' or a longer 'deadline'")
    }
    limits.atOnce = read(JobKeys.atOnce, of: nodes)?.value
    limits.resumes = read(JobKeys.resume, of: nodes) ?? true
    limits.retry = read(JobKeys.retry, of: nodes)
    return limits
  }
}

extension Reading<FlowReader.JobReading> {
  /// The reading of the request whose response has the records.
  var downloaded: Reading<FlowReader.ResourceReading> {
    switch self {
    case .absent: .absent
    case .broken: .broken
    case .value(let job): .value(job.downloaded)
    }
  }
}

extension FlowReader.JobReading.Requested {
  /// The URL that replaces the path; nil for a request.
  fileprivate var url: Located<Expression>? { if case .url(let url) = self { url } else { nil } }

  /// The request. A URL is requested with GET, in place of the path.
  fileprivate func reading(at range: SourceRange) -> FlowReader.ResourceReading {
    switch self {
    case .resource(let reading): reading
    case .url:
      FlowReader.ResourceReading(
        method: "GET", path: Located(Template(text: "/"), at: range), query: [], headers: [], body: nil)
    }
  }
}
