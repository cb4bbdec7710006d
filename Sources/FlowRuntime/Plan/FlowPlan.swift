package import Boxes
package import Expressions
package import FlowModel
internal import ReactorCore
package import Records
internal import Storage

/// A compiled flow that is ready to run.
///
/// All names are resolved, and all templates and expressions are compiled. No file and no connection is open.
///
/// A part that depends on a response, a parent's record or a cursor value is a program (`RequestProgram`, `Pages`,
/// `Each`, `Cursor`). Every other part is a value.
public struct FlowPlan: Sendable {
  @Boxed package var origin: FlowOrigin
  @Boxed package private(set) var request: RequestPlan
  /// The values that templates and expressions may use.
  package let scope: EvaluationScope
  @Boxed package var auth = AuthPlan()
  /// How the requests are sent. Most flows of a file share one value in memory.
  @Boxed package var transfer = Transfer()
  @Boxed package var records = RecordsPlan()
  /// Where and how the result and the rejected records are stored.
  @Boxed package var result = ResultStorage<ResolvedTarget>()
  /// A hash of the result's identity: everything that changes the requests or the persisted records.
  package var key: UInt64 = 0
  /// A hash like `key`, but without the expectations that check a whole result. It identifies parts of a result.
  package var recordsKey: UInt64 = 0
  /// How the pages of the response are requested; nil if the response has only one page.
  @BoxedIfPresent package var pages: Pages?
  /// The groups of fields. The request of each page is sent once for each group; nil to send it once.
  @BoxedIfPresent package var fieldGroups: FieldGroups?
  /// The parents. One request is sent for each combination of their records; nil for a single request.
  @BoxedIfPresent package var each: Each<ParentSource>?
  /// The fields that `each` adds to every record. Parts that are known before the run are filled in.
  package var addedFields: [ExpressionDocument.Member] = []
  /// The cursor, by which only new records are requested; nil to request all records.
  @BoxedIfPresent package var cursor: Cursor?
  /// The plan compiled for the first run, from which `inFirstRun` is made; nil if that run is like every other run.
  @BoxedIfPresent package var firstRun: FlowPlan?
  /// The job that the request creates and whose result has the records; nil if the response has them.
  @BoxedIfPresent package var job: Job<RequestPlan>?
  /// The path of the file in which each response is stored; nil if responses have records.
  @BoxedIfPresent package var download: Located<PathTemplate>?

  /// The texts that expressions computed from secrets before the run. They are masked like secrets.
  package var derivedSecrets: [String] = []
  /// The position from which this run begins, instead of the remembered position of the cursor; nil to begin from the
  /// remembered one.
  package var since: Cursor.Value?
  /// The accepted statuses; empty means 200–299.
  package var acceptedStatuses: [ClosedRange<Int>] = []
  /// The maximum duration of the flow, in seconds.
  package var timeout = 3600.0
  /// Whether the host's reachability is checked before the request.
  package var checksReachability = false
  /// Whether a request of any method may be sent more than once.
  package var isIdempotent = false
  /// Whether the run is a retry. A retry requests only failed items and rejected records again.
  package var isRetrying = false
  /// Whether the run ignores the remembered state and starts an empty result.
  package var isFullRefresh = false
  /// Whether the records of a flow without persistence are kept in memory, for a Swift caller.
  var holdsRecords = false
  /// Whether the flow has child flows in this run.
  package var handsOnRecords = false
  /// Whether the flow has child flows, in this run or in another run.
  package var isParent = false

  package init(_ origin: FlowOrigin, _ request: RequestPlan, scope: EvaluationScope) {
    self.origin = origin
    self.request = request
    self.scope = scope
  }
}

extension FlowPlan {
  /// Whether a persisted result belongs to this flow and was mapped with its present schema.
  func mayUse(_ provenance: Provenance) -> Bool {
    provenance.resource == key && provenance.schema == records.schema.fingerprint
  }

  /// The flow's id: `file-stem.flow-name`.
  public var id: String { origin.id }

  /// Whether a run requests only new or changed records. Then a persisted result never replaces the requests.
  package var isIncremental: Bool { cursor != nil || each?.asksOnlyChanged ?? false }

  /// How a run joins new records with the records that are already persisted.
  var mode: PersistenceMode {
    guard isRetrying, result.mode == .replace else { return result.mode }
    return mergesNew ? .merge : .append
  }

  /// Like `mode`, but `merge` for an append with a key and a cursor field: it stores no record twice, so records before
  /// the position can be requested again.
  var positionMode: PersistenceMode {
    mode == .append && cursor?.rank != nil && !records.schema.schema.key.isEmpty ? .merge : mode
  }

  /// Whether the new records are merged by key with each other, and replace the older ones.
  var mergesNew: Bool { result.keepsLastOnly != nil && result.target?.path != nil }

  /// Whether the earlier records of failed parents are retained. Such a result is replaced parent by parent.
  package var retainsFailed: Bool {
    guard let each, result.target != nil else { return false }
    return each.skipsFailed && result.mode == .replace
  }

  /// Whether each row of the table contains the identity of its parent.
  var labelsParents: Bool { retainsFailed && result.target?.table != nil }

  /// Whether the next run must recognize the parents of this run.
  var remembersParents: Bool { each != nil && (isIncremental || retainsFailed) }

  /// Whether the requests only read from the server, judged by their method.
  var isReading: Bool {
    [.GET, .HEAD, .OPTIONS].contains(request.resource.method) && request.program?.sentRecords == nil
  }

  /// Whether a request may contain validators, to ask whether the persisted result has changed.
  var canAskForChanges: Bool {
    result.isConditional && request.resource.method == .GET && pages == nil && each == nil && request.program == nil
      && cursor == nil && job == nil && download == nil && result.target != nil && result.mode != .append
  }
}

extension FlowPlan {
  /// The plan of the first run, with its own request and its own reading of the response.
  ///
  /// Nil if the first run is like every other run.
  var inFirstRun: FlowPlan? {
    guard let firstRun else { return nil }
    var plan = self
    plan.firstRun = nil
    plan.origin = firstRun.origin
    plan.request = firstRun.request
    plan.fieldGroups = firstRun.fieldGroups
    plan.records = firstRun.records
    plan.pages = firstRun.pages
    plan.cursor = firstRun.cursor
    plan.job = firstRun.job
    return plan
  }

  /// Masks the secrets in the URLs of the flow's requests.
  var masks: [URLMask] { [request.mask, firstRun?.request.mask].compactMap { $0 } }

  /// The hash of a text that identifies a result, as in `key`.
  package static func hash(of identity: String) -> UInt64 { ContentHash.of(identity.utf8) }

  /// A hash of the identity of a resource's result.
  ///
  /// The identity includes the declaration, and the changes that a Swift caller makes to the resource.
  func key(of resource: Resource) -> UInt64 {
    guard resource != request.resource else { return key }
    return UInt64(resource.fingerprint(scope: String(key)).prefix(16), radix: 16) ?? key
  }

  /// A copy of the plan that requests another resource.
  ///
  /// If a program builds the requests, the headers and parameters of the resource are added to those of the program.
  func asking(_ resource: Resource) -> FlowPlan {
    var plan = self
    plan.key = key(of: resource)
    plan.request = request.asking(resource)
    return plan
  }
}
