internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// A body of records; before these are known, a text that tells such bodies apart.
  mutating func sentBody(_ records: SentRecordsDeclaration) -> Body? {
    var envelope: (value: JSONValue, isSecret: Bool) = (.object(JSONObject()), false)
    do throws(ResolutionError) {
      if let declared = records.envelope { envelope = try declared.value.resolve(with: scope) }
    } catch {
      diagnostics.report(error.diagnostic)
      return nil
    }
    let type = records.format == .json ? "application/json" : "application/x-ndjson"
    guard let item, let payloads = item.payloads else {
      let schema = records.schema.map { RecordSchema($0).canonicalText } ?? ""
      return Body(
        bytes: Array("\(records.identity)\n\(schema)".utf8), contentType: type, shown: Self.words(records),
        isSecret: envelope.isSecret)
    }
    var bytes: [UInt8] = []
    switch records.format {
    case .jsonLines:
      for payload in payloads {
        JSONWriter.write(payload, into: &bytes)
        bytes.append(0x0A)
      }
    case .json:
      let value = item.isBatch ? JSONValue.array(payloads) : payloads.first ?? .null
      bytes = JSONWriter.bytes(
        records.place.isEmpty ? value : envelope.value.setting(records.place[...], to: value))
    }
    return Body(
      bytes: bytes, contentType: type, shown: "\(bytes.count) bytes of records", isSecret: envelope.isSecret)
  }

  /// The header by which the server knows the request, and as it may be shown; nil without one, and after reporting.
  ///
  /// Before it is known what the request is made for there is nothing to tell it from others: then it has no value.
  mutating func idempotencyKey(
    _ declaration: FlowDeclaration, _ resource: Resource, url: String
  ) -> (value: String?, shown: String)? {
    guard let idempotency = declaration.request.idempotency else { return nil }
    let name = idempotency.header.value
    let isLater = scope.keepsDynamic && declaration.request.isDynamic
    guard let key = idempotency.key else {
      let value = IdempotencyKey.computed(flow: declaration.id, resource, url: url, item: item)
      return (isLater ? nil : value, "\(name): computed from flow, item and request")
    }
    guard let text = resolve(key) else { return nil }
    return (isLater ? nil : text.text, "\(name): \(key.value.sourceText)")
  }

  private static func words(_ records: SentRecordsDeclaration) -> String {
    var words = records.schema.map { "records encoded through '\($0.name)'" } ?? "records as they are kept"
    if !records.place.isEmpty { words += ", at \(JSONPath(singular: records.place).text)" }
    if records.format == .jsonLines { words += ", a line for each" }
    if records.sendsNulls { words += ", with nulls" }
    return words
  }
}
