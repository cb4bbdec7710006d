internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Whether the flow's result may be asked for with the validators of its answer.
  var canAskForChanges: Bool {
    declaration.conditional && request.resource.method == .GET && declaration.pages == nil && declaration.each == nil
      && request.recipe == nil && cursor == nil
      && declaration.persistence.map { $0.mode != .append } ?? false
  }

  /// The result that is kept, which only gets a new age.
  func notModified(_ kept: KeptResult, _ outcome: Pull.Outcome, _ format: RecordFormat) -> Parsed<RecordSet> {
    var kept = kept
    kept.validators = outcome.validators
    let count = kept.stamp.provenance.recordCount
    var parsed = Parsed(
      RecordSet(schema: schema.schema, count: count, format: format, content: .file(kept)),
      report: PruneReport(kept: count), bytes: outcome.bytes, status: outcome.status, timings: outcome.timings)
    parsed.isNotModified = true
    return parsed
  }
}
