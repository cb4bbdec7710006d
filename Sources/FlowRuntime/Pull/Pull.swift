internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One flow's way from its first request to its last record.
///
/// A class that never changes, because it is large and functions that wait hold it; what differs from one pull of a
/// flow to another is told by `with`.
final class Pull: Sendable {
  /// What differs between the pulls of a flow: each of its parents' records, ranges or pages may have one of its own.
  struct Own: Sendable {
    var network: Network
    var instruments: FlowInstruments
    /// The URL of this pull's requests as it may be shown, where it is not the flow's own.
    var shownURL: String?
    /// Whether the bytes of the response are kept, at most 32 MiB.
    var holdsResponse = false
    /// What the requests ask for.
    var asked = AskedPart()
    /// What every record gets besides its own fields.
    var added: AddedFields?
    /// What is done with records besides mapping them.
    var transform: RecordTransform?
    /// Pages and records that were told before.
    var told = (pages: 0, records: 0)
    /// Whether the next page may be asked for while one is read. Not where responses are recorded or replayed: which
    /// requests a pull makes that fails would depend on time. Nor where a rate or a rule has a say in what is asked.
    var looksAhead = false
    /// Whether fields that records lack are looked for; not on later pages where the first had none that look misspelt.
    var seeksFields = true
    /// Makes a page's request from its number, offset or token, where the request's templates use them.
    var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?
  }

  private let flow: DeclaredFlow
  let format: RecordFormat
  /// The fields by which the records are merged; nil when they are not.
  let key: [String]?
  /// Takes the records that do not fit, when they are kept.
  let letters: RejectedRecords?
  /// Whether other flows take the records, as soon as they are there.
  var handsOn: Bool { flow.streamsRecords }
  private let own: Own

  var plan: FlowPlan { flow.plan }

  var network: Network { own.network }
  var instruments: FlowInstruments { own.instruments }
  var shownURL: String? { own.shownURL }
  var holdsResponse: Bool { own.holdsResponse }
  var asked: AskedPart { own.asked }
  var added: AddedFields? { own.added }
  var transform: RecordTransform? { own.transform }
  var told: (pages: Int, records: Int) { own.told }
  var looksAhead: Bool { own.looksAhead }
  var seeksFields: Bool { own.seeksFields }

  init(
    _ flow: DeclaredFlow, format: RecordFormat, key: [String]?, letters: RejectedRecords?, own: Own
  ) {
    self.flow = flow
    self.format = format
    self.key = key
    self.letters = letters
    self.own = own
  }

  private init(_ other: Pull, own: Own) {
    flow = other.flow
    format = other.format
    key = other.key
    letters = other.letters
    self.own = own
  }

  /// The pull with something different.
  func with(_ change: (inout Own) -> Void) -> Pull {
    var own = own
    change(&own)
    return Pull(self, own: own)
  }

  /// The request of a page.
  func resource(_ step: PageStep, from resource: Resource) throws(ReactorError) -> Resource {
    step.resource(from: try own.remake?(step.value) ?? resource)
  }

  /// Asks for all pages of a request in their order.
  func run(_ resource: Resource, into sink: any PartSink) async throws(ReactorError) -> Outcome {
    plan.pages == nil ? try await runOnce(resource, into: sink) : try await runPages(resource, into: sink)
  }

  /// Asks for the only page of a request.
  private func runOnce(_ resource: Resource, into sink: any PartSink) async throws(ReactorError) -> Outcome {
    let answer = try await read(resource, by: network, instruments, into: sink)
    if judgesPages { try refuseFurtherPages(answer) }
    return Outcome(answer)
  }

  /// Tells what all of a pull's requests gave.
  func tell(_ outcome: Outcome) {
    instruments.observer(.paged(pages: outcome.pages, records: outcome.report.kept))
  }

  /// What later pages tell of themselves: only what went wrong. Their progress is told page by page.
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
