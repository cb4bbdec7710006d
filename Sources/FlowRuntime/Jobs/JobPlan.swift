package import Boxes
package import Expressions
internal import ReactorCore

/// A job at the server: how it is polled, read and deleted after the flow's request has created it.
package struct JobPlan: Sendable {
  /// Other jobs after one that failed.
  package struct Retry: Sendable {
    /// How many more jobs are created after the first one.
    package let max: Int
    /// The time from the failure of a job to the creation of the next one.
    package let wait: Duration

    package init(max: Int, wait: Duration) {
      self.max = max
      self.wait = wait
    }
  }

  /// Gives the id, from the response that creates the job.
  package let id: Expression
  /// Give further values of that response, by name.
  package var values: [(name: String, value: Expression)] = []
  /// Gives the URL that replaces the one of `poll`; nil to use the path of `poll`.
  package var statusURL: Expression?
  /// The request for the state.
  @Boxed package private(set) var poll: RequestPlan
  /// Whether the job has a result. The four conditions are tried in the order `failed`, `empty`, `done`, `running`.
  package let done: Expression
  package var failed: Expression?
  package var empty: Expression?
  package var running: Expression?
  /// The request whose response has the URLs of the result; nil if the last poll has them.
  @BoxedIfPresent package var locate: RequestPlan?
  /// Gives the URLs that replace the one of `download`; nil to use the path of `download`.
  package var urls: Expression?
  /// The request for the result.
  @Boxed package private(set) var download: RequestPlan
  /// The request that deletes the job; nil to leave it.
  @BoxedIfPresent package var delete: RequestPlan?
  /// The request that stops a job that is given up; nil to leave it.
  @BoxedIfPresent package var abort: RequestPlan?
  /// The wait before the first poll. It doubles up to `longestWait`.
  package var every = Duration.seconds(5)
  package var longestWait = Duration.seconds(60)
  /// The time from the creation of the job until which it must end.
  package var deadline = Duration.seconds(3600)
  /// How many jobs there may be at once at the host, of all flows; nil for any number.
  package var atOnce: Int?
  /// Whether a later run goes on with the job.
  package var resumes = true
  /// The jobs that are created after one that failed; nil for none.
  package var retry: Retry?
  /// What a job that is found again must have in common with this one, besides the request that creates it.
  package let identity: String

  package init(id: Expression, poll: RequestPlan, done: Expression, download: RequestPlan, identity: String) {
    self.id = id
    self.poll = poll
    self.done = done
    self.download = download
    self.identity = identity
  }

  private var requests: [RequestPlan] { [poll, download] + [locate, delete, abort].compactMap { $0 } }

  /// The names of headers whose values contain a secret.
  var secretHeaderNames: [String] { requests.flatMap(\.secretHeaderNames) }
  /// Whether a body contains a secret.
  var hasSecretBody: Bool { requests.contains { $0.hasSecretBody } }
}

extension FlowPlan {
  /// The job as parts of the flow's description.
  func explanation(of job: JobPlan) -> [FlowExplanation.Item] {
    func text(_ request: RequestPlan) -> String { "\(request.resource.method.rawValue) \(request.shownURL)" }
    var items: [FlowExplanation.Item] = []
    var known = ["id \(job.id.text)"] + job.values.map { "\($0.name) \($0.value.text)" }
    known.append(job.resumes ? "found again by the next run" : "not found again by another run")
    items.append(.init("  job", known.joined(separator: ", ")))
    items.append(
      .init(
        "  poll",
        (job.statusURL.map { "GET the URL \($0.text)" } ?? text(job.poll)) + ", first after \(Self.text(job.every)), "
          + "then after twice the wait, at most \(Self.text(job.longestWait)); \(Self.text(job.deadline)) in all"))
    let conditions = [("failed", job.failed), ("empty", job.empty), ("done", job.done), ("running", job.running)]
    let states = conditions.compactMap { name, condition in condition.map { "\(name) when \($0.text)" } }
    items.append(
      .init("  state", states.joined(separator: "; ") + (job.running == nil ? "; else running" : "; else an error")))
    if let retry = job.retry {
      items.append(
        .init("  more jobs", "at most \(retry.max) after one that failed, each after \(Self.text(retry.wait))"))
    }
    if let locate = job.locate { items.append(.init("  locate", text(locate))) }
    items.append(.init("  download", job.urls.map { "GET the URLs \($0.text)" } ?? text(job.download)))
    if let delete = job.delete { items.append(.init("  delete", text(delete))) }
    if let abort = job.abort { items.append(.init("  abort", text(abort) + " when it is given up")) }
    if let atOnce = job.atOnce {
      items.append(.init("  at once", "\(atOnce) \(atOnce == 1 ? "job" : "jobs") at the host"))
    }
    return items
  }
}
