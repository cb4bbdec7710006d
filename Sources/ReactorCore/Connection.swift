/// The way to a server: sends a request and gives back the answer as a stream.
///
/// A connection follows redirects, keeps its limits and knows its base URL. It does not judge the status: that is the
/// response modifier's work (see `Network`).
public protocol Connection: Sendable {
  /// Sends the request; returns as soon as the answer's head is complete.
  ///
  /// Cancelling the calling task stops the transfer.
  func response(for resource: Resource) async throws(ReactorError) -> Response
}
