public import Boxes
public import Expressions
public import SourceDiagnostics

/// A job that the flow's request starts at the server, and whose result the flow reads.
public struct JobDeclaration: Sendable {
  /// Other jobs after one that failed.
  public struct Retry: Sendable {
    /// How many more jobs are created after the first one.
    public var max: Int
    /// The time from the failure of a job to the creation of the next one, in seconds.
    public var wait = 10.0
  }

  /// The source location of the key.
  public var range: SourceRange
  /// Gives the id, from the response that creates the job.
  public var id: Located<Expression>
  /// Give further values of that response, by name.
  public var values: [(name: String, value: Located<Expression>)] = []
  /// Gives the URL that is polled, from that response; nil to use the path of `poll`.
  @BoxedIfPresent public var statusURL: Located<Expression>?
  /// The request for the state.
  @Boxed public var poll: RequestDeclaration
  /// Whether the job has a result.
  public var done: Located<Expression>
  /// Whether the job failed; nil if no response says so.
  @BoxedIfPresent public var failed: Located<Expression>?
  /// Whether the job is done without a result; nil if it always has one.
  @BoxedIfPresent public var empty: Located<Expression>?
  /// Whether the job runs; nil if it runs while no other condition is true.
  @BoxedIfPresent public var running: Located<Expression>?
  /// The wait before the first poll, in seconds.
  public var every = 5.0
  /// The longest wait between two polls, in seconds.
  public var maxEvery = 60.0
  /// The time from the creation of the job until which it must end, in seconds.
  public var deadline = 3600.0
  /// The request whose response has the URLs of the result; nil if the last poll has them.
  @BoxedIfPresent public var locate: RequestDeclaration?
  /// Gives the URLs of the result; nil to use the path of `download`.
  @BoxedIfPresent public var urls: Located<Expression>?
  /// The request for the result.
  @Boxed public var download: RequestDeclaration
  /// The request that deletes the job; nil if the job stays at the server.
  @BoxedIfPresent public var delete: RequestDeclaration?
  /// The request that stops a job that is given up; nil if it goes on at the server.
  @BoxedIfPresent public var abort: RequestDeclaration?
  /// How many jobs there may be at once at the host; nil for any number.
  public var atOnce: Int?
  /// The jobs that are created after one that failed; nil for none.
  public var retry: Retry?
  /// Whether a later run goes on with the job.
  public var resumes = true

  /// All templates of the requests of the job.
  var templates: [Template] { ([poll, download] + [locate, delete, abort].compactMap { $0 }).flatMap(\.templates) }
}
