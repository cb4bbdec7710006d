internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One flow's way from its first request to its last record.
struct Pull: Sendable {
  let declaration: FlowDeclaration
  let schema: CompiledSchema
  var network: Network
  var instruments: FlowInstruments
  let format: RecordFormat
  /// The fields by which the records are merged; nil when they are not.
  var key: [String]?
  /// Takes the records that do not fit, when they are kept.
  var letters: DeadLetters?
  /// The flow's own request, as it may be shown.
  let shown: ResolvedRequest
  /// The URL of this pull's requests as it may be shown, where it is not the flow's own.
  var shownURL: String?
  /// Whether other flows take the records, as soon as they are there.
  var handsOn = false
  /// Whether the bytes of the answer are kept, at most 32 MiB.
  var holdsAnswer = false
  /// What every record gets besides its own fields.
  var added: AddedFields?
  /// What is done with records besides mapping them.
  var transform: RecordTransform?

  /// What expressions over answers may use besides these.
  var scope: ResolutionScope
  /// Pages and records that were told before.
  var told = (pages: 0, records: 0)
  /// Whether the next page may be asked for while one is read. Not where answers are recorded or replayed: which requests
  /// a pull makes that fails would depend on time. Nor where a rate or a rule has a say in what is asked.
  var looksAhead = false
  /// Whether fields that records lack are looked for; not on later pages where the first had none that look misspelt.
  var seeksFields = true
  /// Makes a page's request from its number, offset or token, where the request's templates use them.
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?

  /// The request of a page.
  func resource(_ step: PageStep, from resource: Resource) throws(ReactorError) -> Resource {
    step.resource(from: try remake?(step.value) ?? resource)
  }

  /// Asks for all pages of a request in their order.
  func run(_ resource: Resource, into sink: any PartSink) async throws(ReactorError) -> Outcome {
    guard let pages = declaration.pages else {
      var outcome = Outcome()
      let answer = try await read(resource, by: network, instruments, into: sink)
      if judgesPages { try refuseFurtherPages(answer) }
      outcome.add(answer)
      return outcome
    }
    return try await run(resource, pages, into: sink)
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
