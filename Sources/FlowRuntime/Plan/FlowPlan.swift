package import Expressions
internal import FlowTerms
internal import ReactorCore
internal import Storage

/// A flow as it runs: every name is resolved, every template and expression is compiled, nothing is opened.
///
/// What depends on a response, a parent's record or a cursor's value stays a program (`RequestProgram`, `PagePlan`,
/// `EachPlan`, `CursorPlan`); everything else is a value.
public struct FlowPlan: Sendable {
  package let origin: FlowOrigin
  package private(set) var request: RequestPlan
  /// The values that programs may use.
  package let scope: EvaluationScope
  package var auth = AuthPlan.none
  package var transfer = TransferPlan()
  package var records = RecordsPlan()
  package var result = ResultPlan()
  /// How a response in several pages is asked for; nil for one page.
  package var pages: PagePlan?
  /// What there is one request for each of; nil for a single request.
  package var each: EachPlan?
  /// How only what is new is asked for; nil asks for everything.
  package var cursor: CursorPlan?

  /// Whether only what failed before is asked for again.
  package var isRetrying = false
  /// Whether what is remembered is forgotten, and the result begins anew.
  package var isFullRefresh = false
  /// Whether records that are not persisted are held in memory, for a caller from Swift.
  var holdsRecords = false
  /// Whether other flows of this run take its records.
  package var handsOnRecords = false
  /// Whether other flows take its records, in this run or in another one.
  package var isParent = false

  package init(_ origin: FlowOrigin, _ request: RequestPlan, scope: EvaluationScope) {
    self.origin = origin
    self.request = request
    self.scope = scope
  }
}

extension FlowPlan {
  /// Whether a persisted result is one of this flow, mapped by its schema as it is now.
  func mayUse(_ stamp: Stamp) -> Bool {
    stamp.provenance.resource == result.key && stamp.provenance.schema == records.schema.fingerprint
  }

  /// `file-stem.flow-name`.
  public var id: String { origin.id }

  /// Whether a run asks only for what is new or changed, so that no result is used for ever.
  package var isIncremental: Bool { cursor != nil || each?.asksOnlyChanged ?? false }

  /// What a run does with the records that are there.
  var mode: PersistenceMode {
    isRetrying && result.mode == .replace ? .append : result.mode
  }

  /// Whether the records of parents that fail stay in the result: where it is replaced, parent by parent.
  package var retainsFailed: Bool {
    guard let each, result.output != nil else { return false }
    return each.skipsFailed && result.mode == .replace
  }

  /// Whether the next run has to know parents again.
  var remembersParents: Bool { each != nil && (isIncremental || retainsFailed) }

  /// Whether requests change nothing at the server, as far as their method says.
  var isReading: Bool {
    [.GET, .HEAD, .OPTIONS].contains(request.resource.method) && request.program?.sentRecords == nil
  }

  /// Whether the flow's result may be asked for with the validators of its response.
  var canAskForChanges: Bool {
    result.isConditional && request.resource.method == .GET && pages == nil && each == nil && request.program == nil
      && cursor == nil && result.output != nil && result.mode != .append
  }
}

extension FlowPlan {
  /// What the result of a resource belongs to, hashed: the declaration, and what a caller from Swift changed of its
  /// resource.
  func key(of resource: Resource) -> UInt64 {
    guard resource != request.resource else { return result.key }
    return UInt64(resource.fingerprint(scope: String(result.key)).prefix(16), radix: 16) ?? result.key
  }

  /// The plan with another resource. Where a program makes the requests, its headers and parameters are added to those
  /// that the program gives.
  func asking(_ resource: Resource) -> FlowPlan {
    var plan = self
    plan.result.key = key(of: resource)
    plan.request = request.asking(resource)
    return plan
  }
}
