public import ReactorCore

extension RecordFeed {
  /// Hands records on. Nothing here throws or waits for a reader; after the end nothing is taken any more.
  public struct Writer: Sendable {
    let generation: FeedGeneration

    /// Takes bytes of JSON Lines: records in compact form, each with a line end. A line may come in pieces.
    public func append(_ bytes: [UInt8]) async { await generation.append(bytes) }

    /// All records were handed on.
    ///
    /// - Parameter short: why these are less than there should be, when that is accepted
    public func finish(short: ReactorError? = nil) { generation.end(.finished(short: short)) }

    /// The flow has failed: readers fail too, with this error.
    public func fail(_ error: ReactorError) { generation.end(.failed(error)) }
  }
}
