internal import Authorization
internal import Expressions
internal import Fixtures
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
      && (declaration.persistence?.mode ?? .append) != .append
  }

  /// Digest of the credentials that are declared, the same for as long as they are, whatever tokens are obtained with them;
  /// nil without credentials.
  var credentials: UInt64? {
    auth.identity == .none ? nil : ContentHash.of(auth.identity.text.utf8)
  }

  /// Validators as they may be stored: a server that puts a secret into one, however encoded, gets none back.
  func storable(_ validators: Validators) -> Validators {
    // Made when the first secret asks for them: most flows have none.
    lazy var texts = [validators.etag, validators.lastModified].compactMap { $0.map { Array($0.lowercased().utf8) } }
    func isIn(_ secret: String) -> Bool {
      SecretEncodings.all(of: secret).contains { form in
        let form = Array(String(decoding: form, as: UTF8.self).lowercased().utf8)
        return form.count >= SecretEncodings.shortest && texts.contains { $0.firstRange(of: form) != nil }
      }
    }
    let isTold =
      scope.secrets.values.contains { isIn($0.reveal()) } || environment.secrets.contains(where: isIn)
    return isTold ? Validators() : validators
  }

  /// The result that is kept, which only gets a new age.
  func notModified(_ kept: KeptResult, _ outcome: Pull.Outcome, _ format: RecordFormat) -> Parsed<RecordSet> {
    var kept = kept
    kept.validators = storable(outcome.validators)
    let count = kept.stamp.provenance.recordCount
    var parsed = Parsed(
      RecordSet(schema: schema.schema, count: count, format: format, content: .file(kept)),
      report: PruneReport(kept: count), bytes: outcome.bytes, status: outcome.status, timings: outcome.timings)
    parsed.isNotModified = true
    return parsed
  }
}
