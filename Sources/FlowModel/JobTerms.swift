public import Boxes
public import Expressions
public import SourceDiagnostics

/// The expressions that identify a job and recognize its states, and how long the flow waits for it.
public struct JobTerms: Sendable {
  /// Rules for creating another job after one that failed.
  public struct Retry: Sendable {
    /// How many more jobs are created after the first one.
    public var max: Int
    /// The time from the failure of a job to the creation of the next one.
    public var wait = Duration.seconds(10)

    /// Creates rules with a wait of 10 seconds.
    public init(max: Int) { self.max = max }
  }

  /// The source location of the key `job`.
  public var range: SourceRange
  /// The expression for the job's id, over the response that creates the job.
  public var id: Located<Expression>
  /// The expressions for further values of that response, by name.
  public var values: [(name: String, value: Located<Expression>)] = []
  /// The expression for the URL of the job's state, over the response that creates the job; nil to use `poll`.
  @BoxedIfPresent public var statusURL: Located<Expression>?
  /// The condition that is true when the job has a result. The four conditions are tried in the order `failed`,
  /// `empty`, `done`, `running`.
  public var done: Located<Expression>
  /// The condition that is true when the job has failed; nil if none is declared.
  @BoxedIfPresent public var failed: Located<Expression>?
  /// The condition that is true when the job is done without a result; nil if none is declared.
  @BoxedIfPresent public var empty: Located<Expression>?
  /// The condition that is true while the job runs; nil means that the job runs while no other condition is true.
  @BoxedIfPresent public var running: Located<Expression>?
  /// The expression for the URLs that replace the URL of `download`; nil to use the path of `download`.
  @BoxedIfPresent public var urls: Located<Expression>?
  /// The wait before the first poll. It doubles up to `maxEvery`.
  public var every: Duration
  /// The longest wait between two polls.
  public var maxEvery: Duration
  /// The time from the creation of the job until which it must end.
  public var deadline: Duration
  /// The maximum number of jobs at the host at once, of all flows together; nil for any number.
  public var atOnce: Int?
  /// The rules for creating another job after one that failed; nil if no other job is created.
  public var retry: Retry?
  /// Whether the next run continues a job that was not finished when its run ended.
  public var resumes = true
  /// The identity of the job, besides the request that creates it. A job is continued only if the identities are equal.
  ///
  /// It is empty until the compiler knows the values of variables.
  public var identity = ""

  /// Creates terms. The conditions that say that a job has failed, or that it has no result, are not set.
  public init(
    range: SourceRange, id: Located<Expression>, done: Located<Expression>, every: Duration, maxEvery: Duration,
    deadline: Duration
  ) {
    self.range = range
    self.id = id
    self.done = done
    self.every = every
    self.maxEvery = maxEvery
    self.deadline = deadline
  }
}
