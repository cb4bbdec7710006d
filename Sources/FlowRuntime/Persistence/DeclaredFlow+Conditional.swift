internal import ByteCodings
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// The validators without secrets. A validator that contains a secret in any encoding is not stored or sent back.
  func storable(_ validators: Validators) -> Validators {
    // Lazy: computed for the first secret, because most flows have no secrets.
    lazy var texts = [validators.etag, validators.lastModified].compactMap { $0.map { Array($0.lowercased().utf8) } }
    func isIn(_ secret: String) -> Bool {
      SecretEncodings.all(of: secret).contains { form in
        let form = Array(String(decoding: form, as: UTF8.self).lowercased().utf8)
        return form.count >= SecretEncodings.shortest && texts.contains { $0.firstRange(of: form) != nil }
      }
    }
    let isTold =
      plan.scope.secrets.contains(where: isIn) || environment.secrets.contains(where: isIn)
    return isTold ? Validators() : validators
  }

  /// The persisted result, of which only the age changes.
  func notModified(_ result: UnmodifiedResult, _ outcome: Pull.Outcome) -> Fetched<RecordSet> {
    var result = result
    result.validators = storable(outcome.validators)
    return Fetched(
      result.staged,
      FetchSummary(
        source: .notModified, report: PruneReport(kept: result.provenance.recordCount), bytes: outcome.bytes,
        status: outcome.status, timings: outcome.timings))
  }
}
