internal import JSONSyntax
internal import ReactorCore

/// One line of the event log: the name of an event and its data.
struct RunEvent: Sendable {
  /// The names of the events.
  enum Name: String, Sendable, CaseIterable {
    case runPlanned = "run.planned"
    case runStarted = "run.started"
    case runCancelled = "run.cancelled"
    case runStopped = "run.stopped"
    case runLeftToOthers = "run.left_to_others"
    case runDraining = "run.draining"
    case runFinished = "run.finished"
    case flowStarted = "flow.started"
    case flowMissed = "flow.missed"
    case flowReceived = "flow.received"
    case flowPaged = "flow.paged"
    case flowPruned = "flow.pruned"
    case flowRetrying = "flow.retrying"
    case flowWaiting = "flow.waiting"
    case flowWaitingForRun = "flow.waiting_for_run"
    case flowCutShort = "flow.cut_short"
    case flowAdvanced = "flow.advanced"
    case flowMissingFields = "flow.missing_fields"
    case flowNewMembers = "flow.new_members"
    case flowMovedList = "flow.moved_list"
    case flowSharedKey = "flow.shared_key"
    case flowUnreadableLimit = "flow.unreadable_limit"
    case flowJobLeft = "flow.job_left"
    case flowFinished = "flow.finished"
    case flowFailed = "flow.failed"
    case flowCancelled = "flow.cancelled"
    case flowQueued = "flow.queued"
    case stepStarted = "step.started"
    case stepFinished = "step.finished"
    case stepFailed = "step.failed"
    case saveDeferred = "save.deferred"
    case saveWithheld = "save.withheld"
    case saveUnstamped = "save.unstamped"
    case saveEnded = "save.ended"
  }

  /// A flow of the plan.
  struct PlannedFlow: Sendable {
    var id = ""
    var file = ""
    var line = 1
    var after: [String] = []
    var isAdded = false
    var host = ""
    var path: String?
    var rejectedPath: String?
    var toleratesSaveFailure = false
  }

  /// The reason why a persisted result was not used.
  struct Miss: Sendable {
    /// The cases of `PersistenceMiss` without their associated values.
    enum Kind: String, Sendable, CaseIterable {
      case absent, expired
      case askedEachRun = "asked_each_run"
      case positionUnknown = "position_unknown"
      case inputChanged = "input_changed"
      case otherResource = "other_resource"
      case schemaChanged = "schema_changed"
      case unreadable, disabled, skipped
    }

    var kind: Kind
    var message: String?
  }

  var name: Name
  var flow = ""
  /// The time of the event, in microseconds since the start of the run. All durations are in microseconds too.
  var at: Int64 = 0
  var error: RunReport.Flow.Failure?

  // Members of the plan
  var tool = ""
  var startedAt: String?
  var isReplay = false
  var shard: RunReport.Shard?
  var jobs = 1
  var perHost = 1
  var maxFailures: Int?
  var flows: [PlannedFlow] = []

  // Members of a run that stops, or of a request that is repeated
  var reason = ""
  var attempt = 1
  var status: Int?
  var wait: Int64 = 0
  var path = ""

  // The position of an incremental flow
  var before: String?
  var after: String?

  // Members of a step
  var step = FlowStep.load
  var duration: Int64 = 0

  // Members of a result
  var source = FetchSource.network
  var miss: Miss?
  var records = 0
  var rejected = 0
  var filtered = 0
  var rejections: [RunReport.Flow.Rejection] = []
  var pages = 0
  var bytes = 0
  var save = ""
  var steps: [RunReport.Flow.Step] = []

  /// Creates an event without members.
  init(_ name: Name) { self.name = name }

  /// Creates an event about a flow.
  init(_ name: Name, flow: String, at: Int64 = 0, error: RunReport.Flow.Failure? = nil) {
    self.name = name
    self.flow = flow
    self.at = at
    self.error = error
  }
}
