/// The result of one lookup of an output path.
public enum StoredLookup<Reason: Sendable>: Sendable {
  /// There is no file.
  case absent
  /// There is a file without a stamp.
  case unknown
  /// There is a result, but the caller refuses its stamp for this reason.
  case refused(Reason)
  /// The content is not the content that was published.
  case changed
  /// The result is unchanged since its publication, and open for reading.
  case intact(StoredFile, Stamp)
}
