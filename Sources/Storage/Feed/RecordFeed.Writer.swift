public import ReactorCore

extension RecordFeed {
  /// Writes the records of a feed.
  ///
  /// No function throws or waits for a reader. After the end, further bytes are ignored.
  public struct Writer: Sendable {
    let generation: FeedGeneration

    /// Appends bytes of JSON Lines: records in compact format, each with a line end.
    ///
    /// A line may be split over several calls.
    public func append(_ bytes: [UInt8]) async { await generation.append(bytes) }

    /// Ends the feed after all records were written.
    ///
    /// - Parameter short: the reason why records are missing, when the flow accepts that
    public func finish(short: ReactorError? = nil) { generation.end(.finished(short: short)) }

    /// Ends the feed because the flow has failed; the readers throw this error.
    public func fail(_ error: ReactorError) { generation.end(.failed(error)) }
  }
}
