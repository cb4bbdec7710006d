internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns a placeholder body for records, which are known only while the flow runs.
  ///
  /// Its text differs for each way to send records.
  mutating func sentBody(_ records: SentRecordsDeclaration) -> Body? {
    var isSecret = false
    do throws(ResolutionError) {
      if let declared = records.envelope { isSecret = try declared.value.resolve(with: scope).isSecret }
    } catch {
      diagnostics.report(error.diagnostic)
      return nil
    }
    let type = records.format == .json ? "application/json" : "application/x-ndjson"
    let schema = records.schema.map { RecordSchema($0).canonicalText } ?? ""
    return Body(
      bytes: Array("\(records.identity)\n\(schema)".utf8), contentType: type, shown: Self.words(records),
      isSecret: isSecret)
  }

  /// Returns the value of the idempotency header, and a text that may be shown.
  ///
  /// Nil without such a header, or after an error was reported.
  ///
  /// The value is nil while the content of the request is not known, because it cannot be computed then.
  mutating func idempotencyKey(
    _ declared: RequestDeclaration, of flow: String, _ resource: Resource, url: String
  ) -> (value: String?, shown: String)? {
    guard let idempotency = declared.idempotency else { return nil }
    let name = idempotency.header.value
    let isLater = declared.isDynamic
    guard let key = idempotency.key else {
      let value = IdempotencyKey.computed(flow: flow, resource, url: url)
      return (isLater ? nil : value, "\(name): computed from flow, item and request")
    }
    guard let text = resolve(key) else { return nil }
    return (isLater ? nil : text.text, "\(name): \(key.value.sourceText)")
  }

  private static func words(_ records: SentRecordsDeclaration) -> String {
    var words = records.schema.map { "records encoded with '\($0.name)'" } ?? "records as they are persisted"
    if !records.location.isEmpty { words += ", at \(JSONPath(singular: records.location).text)" }
    if records.format == .jsonLines { words += ", a line for each" }
    if records.sendsNulls { words += ", with nulls" }
    return words
  }
}
