public import Boxes

/// A job that the flow's request creates at the server, and whose result the flow reads.
///
/// The compiler replaces the declared requests with requests whose values are known.
public struct Job<Request: Sendable>: Sendable {
  /// The expressions that identify the job and recognize its states, and how long the flow waits for it.
  @Boxed public var terms: JobTerms
  /// The request for the state of the job.
  @Boxed public var poll: Request
  /// The request whose response has the URLs of the result; nil if the response to the last poll has them.
  @BoxedIfPresent public var locate: Request?
  /// The request for the result of the job.
  @Boxed public var download: Request
  /// The request that deletes the job; nil if the job stays at the server.
  @BoxedIfPresent public var delete: Request?
  /// The request that stops an abandoned job; nil if the job continues at the server.
  @BoxedIfPresent public var abort: Request?

  /// Creates a job that is neither stopped nor deleted.
  public init(_ terms: JobTerms, poll: Request, download: Request) {
    self.terms = terms
    self.poll = poll
    self.download = download
  }

  /// All requests of the job, except the one that creates it.
  public var requests: [Request] { [poll, download] + [locate, delete, abort].compactMap { $0 } }

  /// The job with each request converted by a closure; nil if the closure returns nil for one of them.
  public func mapRequests<Other: Sendable>(_ transform: (Request) -> Other?) -> Job<Other>? {
    let (poll, download) = (transform(self.poll), transform(self.download))
    let others = [locate, delete, abort].map { $0.flatMap(transform) }
    guard let poll, let download else { return nil }
    var job = Job<Other>(terms, poll: poll, download: download)
    (job.locate, job.delete, job.abort) = (others[0], others[1], others[2])
    return job.requests.count == requests.count ? job : nil
  }
}
