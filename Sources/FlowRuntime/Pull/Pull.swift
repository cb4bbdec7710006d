internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One flow's requests, from the first to the last record.
///
/// The pulls of a flow differ: each of its parents' records, ranges or pages may change some properties (`with`).
struct Pull: Sendable {
  let flow: DeclaredFlow
  let format: RecordFormat
  /// The fields by which the records are merged; nil when they are not.
  let key: [String]?
  /// Takes rejected records, when they are persisted.
  let rejected: RejectedRecords?
  var network: Network
  var instruments: FlowInstruments
  /// The URL of this pull's requests as it may be shown, where it is not the flow's.
  var shownURL: String?
  /// Whether the bytes of the response are held, at most 32 MiB.
  var holdsResponse = false
  /// What the requests ask for.
  var requested = RequestedPart()
  /// Fields that every record gets.
  var added: AddedFields?
  /// What is done with records besides mapping them.
  var transform: RecordTransform?
  /// Pages and records that were reported before.
  var reported = (pages: 0, records: 0)
  /// Whether the next page may be requested while one is read. Not where responses are recorded or replayed: the
  /// requests of a pull that fails would depend on time. Nor where a rate or a rule decides what is requested.
  var looksAhead = false
  /// Whether fields that records lack are looked for; not on later pages where the first had none that look misspelt.
  var seeksFields = true
  /// Makes a page's request from its number, offset or token, where the request's templates use them.
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?

  /// Whether child flows get the records as soon as they arrive.
  var handsOn: Bool { flow.streamsRecords }
  var plan: FlowPlan { flow.plan }

  /// The pull with some properties changed.
  func with(_ change: (inout Pull) -> Void) -> Pull {
    var pull = self
    change(&pull)
    return pull
  }

  /// The request of a page.
  func resource(_ step: PageStep, from resource: Resource) throws(ReactorError) -> Resource {
    step.resource(from: try remake?(step.value) ?? resource)
  }

  /// Asks for all pages of a request in their order.
  func run(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    plan.pages == nil ? try await runOnce(resource, into: sink) : try await runPages(resource, into: sink)
  }

  /// Asks for the only page of a request.
  private func runOnce(_ resource: Resource, into sink: any RecordSink) async throws(ReactorError) -> Outcome {
    let page = try await read(resource, by: network, instruments, into: sink)
    if judgesPages { try refuseFurtherPages(page) }
    return Outcome(page)
  }

  /// Reports the pages and records so far.
  func report(_ outcome: Outcome) {
    instruments.observer(.paged(pages: outcome.pages, records: outcome.report.kept))
  }

  /// Instruments of later pages: their steps are not reported, only errors.
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
