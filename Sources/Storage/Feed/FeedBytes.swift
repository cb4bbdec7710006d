package import ReactorCore

/// The bytes of a feed from its beginning, as a body.
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
