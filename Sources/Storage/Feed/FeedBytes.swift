package import ReactorCore

/// Adapts a reader of a feed to `ByteSource`, so that the bytes of the feed can be used as the body of a response.
package actor FeedBytes: ByteSource {
  private var reader: RecordFeed.Reader

  package init(_ reader: RecordFeed.Reader) { self.reader = reader }

  package func next() async throws(ReactorError) -> [UInt8]? {
    var reader = reader
    defer { self.reader = reader }
    return try await reader.nextBytes()
  }

  package nonisolated func cancel() {}
}
