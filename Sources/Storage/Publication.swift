public import ReactorCore

/// The outcome of a publication.
public struct Publication: Sendable, Hashable {
  /// What happened to the file.
  public enum Change: String, Sendable, Hashable {
    /// There was none.
    case created
    /// Its content was replaced in one step.
    case replaced
    /// It had this content already and was left alone.
    case unchanged
  }

  /// What happened to the file.
  public var change: Change
  /// Bytes of the file.
  public var size: Int64
  /// `ContentHash` of the file.
  public var hash: UInt64
  /// Why the stamp could not be written, if so: the file is in place, but the next run will fetch it again.
  public var stampFailure: ReactorError?

  /// Builds an outcome.
  public init(change: Change, size: Int64, hash: UInt64, stampFailure: ReactorError? = nil) {
    self.change = change
    self.size = size
    self.hash = hash
    self.stampFailure = stampFailure
  }
}
