/// The record of a published file: the fingerprint of its content and its provenance.
///
/// A stamp is valid only for content with its size and hash (`StoredFile.matches`). It can therefore be written before
/// or after the data. At a crash it may be lost or left over. In the worst case a result counts as unknown and is
/// fetched again.
public struct Stamp: Sendable, Hashable {
  /// The size of the file in bytes.
  public var size: Int64
  /// The `ContentHash` of the file.
  public var hash: UInt64
  /// Whether file and folder were on the medium before the stamp was written.
  public var isDurable: Bool
  /// The origin and the fetch time of the content.
  public var provenance: Provenance

  /// Creates a stamp.
  public init(size: Int64, hash: UInt64, isDurable: Bool, provenance: Provenance) {
    self.size = size
    self.hash = hash
    self.isDurable = isDurable
    self.provenance = provenance
  }
}
