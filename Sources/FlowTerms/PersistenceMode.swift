/// What becomes of the records of an older result when a new one is persisted.
public enum PersistenceMode: String, Sendable, Hashable, CaseIterable {
  /// They go.
  case replace
  /// Upsert by key: a new record replaces the one with its key.
  case merge
  /// They stay, before the new ones.
  case append
}
