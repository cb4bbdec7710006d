internal import ReactorCore

/// The head of a final response, checked.
struct ResponseHead: Sendable {
  /// 200 to 999.
  var status: Int
  /// Whether the connection speaks HTTP/1.0 or 1.1.
  var isHTTP1: Bool
  /// The fields in the order received.
  var headers: Headers
  /// The one coding of the body.
  var coding: ContentCoding
  /// The body's length in bytes as sent, where it is declared.
  var length: Int64?
  /// Whether only the end of the connection ends the body.
  var endsWithConnection: Bool
}
