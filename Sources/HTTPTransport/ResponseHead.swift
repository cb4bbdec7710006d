internal import ReactorCore

/// The checked head of a final response.
struct ResponseHead: Sendable {
  /// The status code, 200 to 999.
  var status: Int
  /// Whether the response's version is HTTP/1.0 or HTTP/1.1.
  var isHTTP1: Bool
  /// The fields in the order received.
  var headers: Headers
  /// The content coding of the body; there is at most one.
  var coding: ContentCoding
  /// The declared length of the encoded body in bytes. Nil when none is declared.
  var length: Int64?
  /// Whether only the end of the connection marks the end of the body.
  var endsWithConnection: Bool
}
