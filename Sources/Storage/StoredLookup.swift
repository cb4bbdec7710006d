/// What is under an output path, as one visit finds it.
public enum StoredLookup<Reason: Sendable>: Sendable {
  /// There is nothing.
  case absent
  /// There is a file of which nothing is known.
  case unknown
  /// There is a result that is not wanted, for this reason.
  case refused(Reason)
  /// The content is not the one that was published.
  case changed
  /// The result as it was published, open for reading.
  case intact(StoredFile, Stamp)
}
