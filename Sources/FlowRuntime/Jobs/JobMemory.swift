internal import ByteCodings
internal import FlowModel
internal import ReactorCore
internal import Storage
internal import Synchronization

/// Remembers the job of one request in a file below `.reactor/jobs`, until its result is read.
///
/// As long as the object exists, no other job of the run uses its file.
final class JobMemory: Sendable {
  private let flow: DeclaredFlow
  private let deadline: Duration
  /// The prefix that the names of all job files of the flow have.
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
    // The idempotency key differs for each attempt to create the job, so the name of the file does not depend on it.
    if let header = flow.plan.request.idempotencyHeader { resource.headers[header] = nil }
    let scope = [terms.identity, flow.plan.request.baseText, String(describing: flow.plan.auth.digest)]
    let name = prefix + resource.fingerprint(scope: scope.joined(separator: "\n")).prefix(32) + ".json"
    guard flow.environment.jobFiles.withLock({ $0.insert(name).inserted }) else { return nil }
    // The name is set last: if the initializer returns nil before that, `deinit` does not run and does not remove the
    // name.
    self.name = name
  }

  deinit { _ = flow.environment.jobFiles.withLock { $0.remove(name) } }

  /// The job that an earlier run left unfinished; nil without one, or if its file cannot be read.
  func job() async -> ServerJob? {
    let bytes = try? await flow.environment.root.note(name, in: .jobs)
    return bytes.flatMap { ServerJob(reading: $0) }
  }

  /// Remembers a job, unless its values contain a secret. Removes files of the flow's jobs that no run continues.
  ///
  /// - Returns: whether the next run finds the job
  func save(_ job: ServerJob) async throws(ReactorError) -> Bool {
    let root = flow.environment.root
    let now = flow.environment.wallClock.sinceEpoch()
    for other in try await root.noteNames(withPrefix: prefix, in: .jobs) where other != name {
      guard let bytes = try await root.note(other, in: .jobs), let end = ServerJob.end(in: bytes), end < now else {
        continue
      }
      await root.removeNote(other, in: .jobs)
    }
    let bytes = job.bytes(of: flow.id, end: job.created + deadline)
    let text = String(decoding: bytes, as: UTF8.self)
    guard !flow.environment.secrets.contains(where: { $0.utf8.count >= KnownSecrets.shortest && text.contains($0) })
    else { return false }
    try await root.saveNote(bytes, as: name, in: .jobs)
    return true
  }

  /// Forgets the job.
  func forget() async { await flow.environment.root.removeNote(name, in: .jobs) }
}
