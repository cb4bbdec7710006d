/// What becomes of the records of an older result when a new one is kept.
public enum PersistenceMode: String, Sendable, Hashable, CaseIterable {
  /// They go.
  case replace
  /// They stay but for those whose key a new record has, which takes their place.
  case merge
  /// They stay, before the new ones.
  case append
}
