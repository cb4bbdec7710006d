internal import Boxes
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// The requests of one flow, from the first to the last record.
///
/// A flow can have several pulls. `with` makes a copy with other properties for a parent, a range or a page.
struct Pull: Sendable {
  /// The flow, or its variant for the first run.
  var flow: DeclaredFlow
  /// Receives the records, and determines their encoding. They are written to it directly, or through another sink.
  let receiver: any ResultReceiver
  /// Receives rejected records; nil when they are not persisted.
  var rejected: RejectedRecords?
  var network: Network
  var instruments: FlowInstruments
  /// The URL of this pull's requests with secrets masked; nil for the URL of the flow.
  var shownURL: String?
  /// Whether the bytes of the response are held, at most 32 MiB.
  var holdsResponse = false
  /// The range and the parents that the requests are for.
  @Boxed var requested = RequestedPart()
  /// The parents' records as text, for messages; nil without parents.
  var item: String?
  /// The fields that are added to each record; nil without such fields.
  @BoxedIfPresent var added: AddedFields?
  /// The values of the parents and of the cursor, for conditions on records and pages.
  var values: [String: ExpressionValue] = [:]
  /// Leaves out the records outside of the requested range; nil to take all.
  @BoxedIfPresent var filter: RangeFilter?
  /// Checks the order of a range's records if the server can stop before its end, so that the rest is requested from
  /// the greatest value on; nil for other ranges.
  var order: AscendingOrder?
  /// The reading of the stopwatch after which no further slice or page is requested; nil for no limit.
  ///
  /// Set only for a pull that keeps its complete slices: a flow that is cancelled at its deadline would keep nothing.
  var deadline: Duration?
  /// The reading of the stopwatch after which the complete slices are published before further ones are requested; nil
  /// for never.
  var checkpoint: Duration?
  /// The number of slices that were read and published before this pull.
  var slicesBefore = 0
  /// The numbers of pages and records that were reported before this pull.
  var reported = (pages: 0, records: 0)
  /// Whether to search for fields that no record has. False on later pages if no field looks misspelt on the first
  /// page.
  var seeksFields = true
  /// Whether the pull writes only the record that is made for a parent whose response has no records.
  var isParentAlone = false
  /// Builds a page's request when the request's templates use `page`; else nil.
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?

  /// Whether child flows get the records as soon as they arrive.
  var handsOn: Bool { flow.streamsRecords }
  var plan: FlowPlan { flow.plan }

  /// Further changes to the records besides the mapping; nil for none.
  var transform: RecordTransform? {
    var transform = plan.records.transform
    if isParentAlone {
      transform?.responseProgram = nil
      transform?.recordProgram = nil
      transform?.condition = nil
      transform?.deletion = nil
      return transform?.with(values)
    }
    if let check = fieldCheck {
      transform = transform ?? RecordTransform()
      transform?.fieldCheck = check
    }
    return values.isEmpty ? transform : transform?.with(values)
  }

  /// The check of the cursor's field in each record; nil without one.
  private var fieldCheck: FieldCheck? {
    guard let order, let cursor = plan.cursor else { return filter?.check }
    let filter = filter?.check
    var check = FieldCheck(field: cursor.field.value) { value in
      order.take(value)
      return filter?.admits(value) ?? true
    }
    check.sees = { order.see($0) }
    return check
  }

  /// Returns the pull with some properties changed.
  func with(_ change: (inout Pull) -> Void) -> Pull {
    var pull = self
    change(&pull)
    return pull
  }

  /// Throws `.timeout` when the deadline for further requests has passed, or when the run will end before the next
  /// slice is read.
  ///
  /// - Parameter time: how long the next slice probably takes; nil if there is no earlier slice to publish
  func checkDeadline(forSliceOf time: Duration? = nil) throws(ReactorError) {
    guard let deadline else { return }
    let now = instruments.stopwatch.reading()
    guard now <= deadline else { throw ReactorError(.timeout, "the flow's deadline passed before this request") }
    guard let time, flow.environment.runEnd.precedes(now + time) else { return }
    throw ReactorError(.timeout, "the run would end before this slice is completely read")
  }

  /// Returns the request of a page.
  func resource(_ step: PageStep, from resource: Resource) throws(ReactorError) -> Resource {
    try step.resource(withSiblings: try remake?(step.value) ?? resource)
  }

  /// Requests all records of a request: those of its pages, or those of the job that it creates.
  func run(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    guard let job = plan.job else { return try await reaching(resource).readAll(resource, into: sink) }
    return try await JobPull(job, self, creating: resource).run(into: sink)
  }

  /// Requests all pages of a request in their order.
  func readAll(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    let outcome = plan.pages == nil ? try await runOnce(resource, into: sink) : try await runPages(resource, into: sink)
    // In a flow without a cap, only a rule of `defaults` can report a cap. The flow's own rules are checked when it is
    // loaded.
    if outcome.isCapped, plan.cursor?.cap == nil { throw Self.uncut }
    return outcome
  }

  /// Requests the only page of a request.
  private func runOnce(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    if let path = plan.download?.value { return try await download(resource, at: path, into: sink) }
    let page = try await read(resource, by: network, instruments, into: sink)
    if page.isTooLarge { throw PageFollower.unshrinkable }
    var outcome = Outcome(page)
    outcome.noteCap(plan.cursor?.cap, after: page)
    // The rest of a capped range is requested, so nothing is lost there.
    if judgesPages, !outcome.isCapped { try refuseFurtherPages(page) }
    return outcome
  }

  /// Reports the pages and records that were read so far, with those that were reported before this pull.
  func report(_ outcome: Outcome) {
    instruments.observer(
      .paged(pages: reported.pages + outcome.pages, records: reported.records + outcome.report.kept))
  }

  /// Instruments for later pages. They report errors but not the start and end of each step.
  var quiet: FlowInstruments {
    var quiet = instruments
    let observer = instruments.observer
    quiet.observer = { event in
      switch event {
      case .started, .finished, .received: break
      default: observer(event)
      }
    }
    return quiet
  }
}
