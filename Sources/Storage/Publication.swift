public import ReactorCore

/// The outcome of a publication.
public struct Publication: Sendable, Hashable {
  /// The change that the publication made to the file.
  public enum Change: String, Sendable, Hashable {
    /// The file did not exist before.
    case created
    /// The file's content was replaced in one step.
    case replaced
    /// The file already had this content and was not changed.
    case unchanged
  }

  /// The change that the publication made to the file.
  public var change: Change
  /// The size of the file in bytes.
  public var size: Int64
  /// The `ContentHash` of the file.
  public var hash: UInt64
  /// Why the stamp could not be written; nil when it was written.
  ///
  /// Without a stamp the file is published, but the next run fetches the result again.
  public var stampFailure: ReactorError?

  /// Creates an outcome.
  public init(change: Change, size: Int64, hash: UInt64, stampFailure: ReactorError? = nil) {
    self.change = change
    self.size = size
    self.hash = hash
    self.stampFailure = stampFailure
  }
}
