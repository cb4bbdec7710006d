internal import Expressions
internal import FlowModel
internal import ReactorCore

extension FlowPlan {
  /// The lines about the job in the flow's explanation.
  func explanation(of job: Job<RequestPlan>) -> [FlowExplanation.Item] {
    func text(_ request: RequestPlan) -> String { "\(request.resource.method.rawValue) \(request.shownURL)" }
    let terms = job.terms
    var items: [FlowExplanation.Item] = []
    var known = ["id \(terms.id.value.text)"] + terms.values.map { "\($0.name) \($0.value.value.text)" }
    known.append(terms.resumes ? "found again by the next run" : "not found again by another run")
    items.append(.init("  job", known.joined(separator: ", ")))
    items.append(
      .init(
        "  poll",
        (terms.statusURL.map { "GET the URL \($0.value.text)" } ?? text(job.poll))
          + ", first after \(Self.text(terms.every)), then after twice the wait, "
          + "at most \(Self.text(terms.maxEvery)); \(Self.text(terms.deadline)) in all"))
    let conditions = [
      ("failed", terms.failed), ("empty", terms.empty), ("done", terms.done), ("running", terms.running),
    ]
    let states = conditions.compactMap { name, condition in condition.map { "\(name) when \($0.value.text)" } }
    items.append(
      .init("  state", states.joined(separator: "; ") + (terms.running == nil ? "; else running" : "; else an error")))
    if let retry = terms.retry {
      items.append(
        .init("  more jobs", "at most \(retry.max) after one that failed, each after \(Self.text(retry.wait))"))
    }
    if let locate = job.locate { items.append(.init("  locate", text(locate))) }
    items.append(.init("  download", terms.urls.map { "GET the URLs \($0.value.text)" } ?? text(job.download)))
    if let delete = job.delete { items.append(.init("  remove", text(delete))) }
    if let abort = job.abort { items.append(.init("  stop", text(abort) + " when the run gives up the job")) }
    if let atOnce = terms.atOnce {
      items.append(.init("  at once", "\(atOnce) \(atOnce == 1 ? "job" : "jobs") at the host"))
    }
    return items
  }
}
