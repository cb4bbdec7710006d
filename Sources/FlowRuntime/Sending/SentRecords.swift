package import Expressions
package import JSONSyntax
internal import ReactorCore
package import Records

/// How a flow sends its parents' records in the body.
package struct SentRecords: Sendable {
  /// Encodes the records; nil to send them as they are persisted.
  package var encoder: PayloadEncoder?
  /// The roots (`vars`, `env`) that computed fields of the schema use from the scope.
  package var roots: Set<String> = []
  /// Whether each record is on its own line; otherwise the records are one JSON document.
  package let areLines: Bool
  /// The path of the records in the body; empty when they are the whole body.
  package var location: [JSONPath.Step] = []
  /// The members of the body besides the records; nil without any.
  package var envelope: ExpressionDocument?

  package init(areLines: Bool) { self.areLines = areLines }

  package var contentType: String { areLines ? "application/x-ndjson" : "application/json" }

  /// Builds the body with the records of an item.
  func bytes(_ item: RequestItem?, in scope: EvaluationScope) throws(ReactorError) -> [UInt8] {
    let envelope = try envelope?.json(in: scope) ?? .object(JSONObject())
    let payloads = item?.payloads ?? []
    guard !areLines else {
      var bytes: [UInt8] = []
      for payload in payloads {
        JSONWriter.write(payload, into: &bytes)
        bytes.append(0x0A)
      }
      return bytes
    }
    let value = item?.isBatch ?? false ? JSONValue.array(payloads) : payloads.first ?? .null
    return JSONWriter.bytes(location.isEmpty ? value : envelope.setting(location[...], to: value))
  }
}
