internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// A body of records: a text that tells such bodies apart, because the records are known only while the flow runs.
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

  /// The header by which the server knows the request, and as it may be shown; nil without one, and after reporting.
  ///
  /// Before it is known what the request is made for there is nothing to tell it from others: then it has no value.
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
    var words = records.schema.map { "records encoded through '\($0.name)'" } ?? "records as they are persisted"
    if !records.location.isEmpty { words += ", at \(JSONPath(singular: records.location).text)" }
    if records.format == .jsonLines { words += ", a line for each" }
    if records.sendsNulls { words += ", with nulls" }
    return words
  }
}
