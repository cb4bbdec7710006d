internal import ByteCodings
internal import FlowModel
internal import ReactorCore
internal import Storage
internal import Synchronization

/// Remembers the job of one request as a document of the state, until its result is read.
///
/// As long as the object exists, no other job of the run uses its document.
final class JobMemory: Sendable {
  private let flow: DeclaredFlow
  private let deadline: Duration
  /// The prefix that the names of all jobs of the flow have.
  private let prefix: String
  private let name: String

  /// Creates the memory of the job that a request creates. Nil if jobs are not remembered: by declaration, because a
  /// recording replaces the server, or because another job of this run was created by an equal request.
  init?(_ terms: JobTerms, of flow: DeclaredFlow, creating resource: Resource) {
    guard terms.resumes, flow.environment.transportOverride == nil else { return nil }
    self.flow = flow
    deadline = terms.deadline
    prefix = Hex.text(ContentHash.of(flow.id.utf8)) + "."
    var resource = resource
    // The idempotency key differs for each attempt to create the job, so the name does not depend on it.
    if let header = flow.plan.request.idempotencyHeader { resource.headers[header] = nil }
    let scope = [terms.identity, flow.plan.request.baseText, String(describing: flow.plan.auth.digest)]
    let name = prefix + resource.fingerprint(scope: scope.joined(separator: "\n")).prefix(32) + ".json"
    guard flow.environment.jobNames.withLock({ $0.insert(name).inserted }) else { return nil }
    // The name is set last: if the initializer returns nil before that, `deinit` does not run and does not remove the
    // name.
    self.name = name
  }

  deinit { _ = flow.environment.jobNames.withLock { $0.remove(name) } }

  /// The job that an earlier run left unfinished; nil without one, or if the document is damaged.
  ///
  /// - Throws: when it cannot be found out whether there is a job, or when it is of a later version
  func job() async throws(ReactorError) -> ServerJob? {
    let document = StateDocument(.jobs, name)
    guard let bytes = try await state.read(document) else { return nil }
    return try ServerJob(reading: bytes, at: state.location(of: document))
  }

  /// Remembers a job, unless its values contain a secret that anybody could read in the state. Removes the flow's jobs
  /// that no run continues.
  ///
  /// - Returns: whether the next run finds the job
  func save(_ job: ServerJob) async throws(ReactorError) -> Bool {
    let now = flow.environment.wallClock.sinceEpoch()
    for other in try await state.names(of: .jobs, withPrefix: prefix) where other != name {
      let document = StateDocument(.jobs, other)
      // A document that cannot be read is perhaps a job of a process with another key.
      guard let bytes = try? await state.read(document), let end = ServerJob.end(in: bytes), end < now else {
        continue
      }
      await state.remove(document)
    }
    let bytes = job.bytes(of: flow.id, end: job.created + deadline)
    guard state.seals(.jobs) || !flow.environment.secrets.isIn(text: String(decoding: bytes, as: UTF8.self))
    else { return false }
    try await state.write(bytes, as: StateDocument(.jobs, name))
    return true
  }

  /// Forgets the job.
  func forget() async { await state.remove(StateDocument(.jobs, name)) }

  private var state: any StateStore { flow.environment.state }
}
