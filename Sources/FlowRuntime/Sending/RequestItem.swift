internal import ByteCodings
internal import JSONSyntax
package import ReactorCore

/// The part of a request that depends on its partition.
package struct RequestItem: Sendable {
  /// The parents' records as JSON text. It distinguishes requests that are otherwise equal.
  var text: [UInt8]
  /// The encoded records to send; nil when the body has no records.
  var payloads: [JSONValue]?
  /// Whether the records are a batch. A batch is sent as a list, even with one record.
  var isBatch = false
}

/// Computes the idempotency key, by which a server recognizes a repeated request.
package enum IdempotencyKey {
  /// Computes the key of a request.
  ///
  /// Equal requests of a flow have the same key in every run. Different requests have different keys.
  ///
  /// - Parameter url: the absolute URL of the request
  package static func computed(flow: String, _ resource: Resource, url: String, item: RequestItem? = nil) -> String {
    var message: [UInt8] = []
    // Each part is preceded by its length, so that two different lists of parts never give the same text.
    for part in [Array(flow.utf8), Array(resource.method.rawValue.utf8), Array(url.utf8), item?.text ?? []] {
      message += Array("\(part.count):".utf8) + part
    }
    message += resource.body ?? []
    return String(SHA256Digest(of: message).hex.prefix(32))
  }
}
