package import Expressions
package import JSONSyntax
internal import ReactorCore
package import Records

/// The records that a flow sends: those it is asked for each of.
package struct SentRecords: Sendable {
  /// Encodes them; nil sends them as they are persisted.
  package var encoder: PayloadEncoder?
  /// The roots that computed fields of their schema take from the scope.
  package var roots: Set<String> = []
  /// Whether each stands on a line of its own; else they are one JSON document.
  package let areLines: Bool
  /// The member of the body under which they stand; empty for the body itself.
  package var location: [JSONPath.Step] = []
  /// What stands beside them.
  package var envelope: ExpressionDocument?

  package init(areLines: Bool) { self.areLines = areLines }

  package var contentType: String { areLines ? "application/x-ndjson" : "application/json" }

  /// The body that holds what a request is made for.
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
