/// What is known of a published file: its content's fingerprint and its provenance.
///
/// A stamp speaks only of the content with its size and hash (`StoredFile.matches`). It can therefore be written before
/// or after the data, be lost or left over, at any crash: the worst is that a result counts as unknown and is fetched
/// again.
public struct Stamp: Sendable, Hashable {
  /// Bytes of the file.
  public var size: Int64
  /// `ContentHash` of the file.
  public var hash: UInt64
  /// Whether file and folder were on the medium before the stamp was written.
  public var isDurable: Bool
  /// Where the content came from.
  public var provenance: Provenance

  /// Builds a stamp.
  public init(size: Int64, hash: UInt64, isDurable: Bool, provenance: Provenance) {
    self.size = size
    self.hash = hash
    self.isDurable = isDurable
    self.provenance = provenance
  }
}
