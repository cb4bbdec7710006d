internal import ByteCodings
internal import JSONSyntax
package import ReactorCore

/// What one request is made for, as far as it is part of the request.
package struct RequestItem: Sendable {
  /// The parents' records as JSON text; it distinguishes requests that look the same.
  var text: [UInt8]
  /// The records that are sent, encoded; nil where the body holds none.
  var payloads: [JSONValue]?
  /// Whether these are a batch, which is a list also with one record.
  var isBatch = false
}

/// The key by which a server knows a request that it has had before.
package enum IdempotencyKey {
  /// A key that is the same for the same request of a flow, in every run, and another one for every other request.
  ///
  /// - Parameter url: of the request, absolute
  package static func computed(flow: String, _ resource: Resource, url: String, item: RequestItem? = nil) -> String {
    var message: [UInt8] = []
    // Lengths before the parts keep two lists of parts from being one text.
    for part in [Array(flow.utf8), Array(resource.method.rawValue.utf8), Array(url.utf8), item?.text ?? []] {
      message += Array("\(part.count):".utf8) + part
    }
    message += resource.body ?? []
    return String(SHA256Digest(of: message).hex.prefix(32))
  }
}
