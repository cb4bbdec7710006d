/// What a server on 127.0.0.1 replies to requests. It is called by several threads.
package protocol LoopbackContent: Sendable {
  /// The reply to a request.
  ///
  /// - Parameter base: the server's own URL
  func reply(
    method: String, target: String, headers: [RecordedRequest.Field], body: [UInt8], base: FixtureBase
  ) -> ServedTapes.Reply
}
