internal import ByteCodings
internal import ReactorCore
internal import Records
internal import Storage

/// Masks secrets, which must not be shown or stored.
extension DeclaredFlow {
  /// Returns a text with secrets masked.
  func masked(_ text: String) -> String { messageMask.mask(text, of: plan, in: environment) }

  /// The error with secrets masked in all its texts. Every error that leaves a declared flow passes through here.
  func masked(_ error: ReactorError) -> ReactorError { error.mapTexts { masked($0) } }

  /// An observer whose events have secrets masked.
  func masked(_ observer: @escaping FlowObserver) -> FlowObserver {
    { [self] event in observer(event.mapTexts { masked($0) }) }
  }

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
}

/// Masks secrets in the errors of a flow's persistence.
struct MaskedPersistence: ResultPersistence {
  let persistence: any ResultPersistence
  let flow: DeclaredFlow

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<RecordSet> {
    let read = try await masking { () throws(ReactorError) in try await persistence.load(for: resource) }
    guard case .miss(let miss) = read else { return read }
    return .miss(miss.mapTexts { flow.masked($0) })
  }

  func save(_ model: RecordSet, for resource: Resource) async throws(ReactorError) -> RecordSet {
    try await flow.environment.membership?.check(flow.id)
    return try await masking { () throws(ReactorError) in try await persistence.save(model, for: resource) }
  }

  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    try await masking { () throws(ReactorError) in try await persistence.provenance(for: resource) }
  }

  func expiry(of provenance: Provenance) -> Int64? { persistence.expiry(of: provenance) }

  private func masking<Value: Sendable>(
    _ work: () async throws(ReactorError) -> Value
  ) async throws(ReactorError) -> Value {
    do throws(ReactorError) {
      return try await work()
    } catch {
      throw flow.masked(error)
    }
  }
}
