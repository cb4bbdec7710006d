/// What happens to the persisted records when a new result is persisted.
public enum PersistenceMode: String, Sendable, Hashable, CaseIterable {
  /// The new records replace all existing records.
  case replace
  /// Upsert by key: a new record replaces the existing record with the same key.
  case merge
  /// The existing records stay, and the new records follow them.
  case append
}
