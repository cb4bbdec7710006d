public import ReactorCore
internal import Records
public import Storage

/// What has to be known of a flow to answer it with its persisted result, and nothing else: what one run remembers for the
/// next, which then need not read, check and compile thousands of declarations to find that none of them is due.
///
/// A flow has one when its request and its paths are told by its file and its variables alone: without secrets,
/// credentials, environment, expressions, cursor, or records of others.
public struct RememberedFlow: Sendable, Hashable {
  /// `file-stem.flow-name`.
  public var id: String
  /// The flow file as the user named it.
  public var file: String
  /// The line of the flow's key, from 1.
  public var line: Int
  /// `scheme://host:port` of the resource.
  public var host: String
  /// The output path relative to the root.
  public var outputPath: String
  /// Where rejected records go, relative to the root; nil when they are only reported.
  public var rejectedPath: String?
  /// The longest the flow may take, in seconds.
  public var timeout: Double
  /// Whether the flow passes although its result could not be kept.
  public var toleratesSaveFailure: Bool
  /// What the result belongs to, hashed.
  public var resourceKey: UInt64
  /// The fingerprint of the schema that it was mapped with.
  public var schema: UInt64
  /// Seconds for which the result may be used; nil is for ever.
  public var expiresAfter: Double?

  /// Joins the facts.
  public init(
    id: String, file: String, line: Int, host: String, outputPath: String, rejectedPath: String?, timeout: Double,
    toleratesSaveFailure: Bool, resourceKey: UInt64, schema: UInt64, expiresAfter: Double?
  ) {
    self.id = id
    self.file = file
    self.line = line
    self.host = host
    self.outputPath = outputPath
    self.rejectedPath = rejectedPath
    self.timeout = timeout
    self.toleratesSaveFailure = toleratesSaveFailure
    self.resourceKey = resourceKey
    self.schema = schema
    self.expiresAfter = expiresAfter
  }

  /// The outcome of the flow if its persisted result may be used, checked as a run of the flow checks it; nil if not, or
  /// if that cannot be told.
  public func persisted(
    in root: OutputRoot, wallClock: WallClock = .system, stopwatch: Stopwatch = .continuous
  ) async -> FlowOutcome? {
    let start = stopwatch.reading()
    guard let path = try? OutputPath(parsing: outputPath), path.text == outputPath else { return nil }
    let claim = ResultClaim(
      root: root, path: path, resource: resourceKey, schema: schema,
      expiresAfter: expiresAfter.map { .seconds($0) },
      wallClock: wallClock)
    guard case .intact(_, let stamp)? = try? await claim.look() else { return nil }
    var timings = FlowTimings()
    timings.load = stopwatch.reading() - start
    return FlowOutcome(
      source: .persistence, miss: nil, report: PruneReport(kept: stamp.provenance.recordCount), pages: 0, bytes: 0,
      save: .notAsked, timings: timings)
  }
}
