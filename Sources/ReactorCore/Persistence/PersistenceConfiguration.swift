/// Whether and where a flow persists its results.
public enum PersistenceConfiguration: Sendable {
  /// Results are persisted at a path, which stores the result of one resource at a time.
  ///
  /// A result is used for the duration `expiresAfter`; nil means no limit. `Storage` has a short form for files:
  /// `.enabled(path: "out/articles.json")`.
  case enabled(path: String, expiresAfter: Duration? = nil, in: any PersistenceProvider)
  /// Nothing is persisted.
  case disabled
}

/// Creates the persistence for a path.
///
/// `createFlow` needs a provider to persist results, because this library does not use files itself. `OutputRoot` of
/// `Storage` is a provider.
public protocol PersistenceProvider: Sendable {
  /// Creates the persistence of a flow's results; with an unusable path each save fails, and so does `checkSave`.
  ///
  /// - Parameters:
  ///   - parser: maps models to JSON and back, with the same rules as for network responses
  ///   - path: the path at which the provider persists the result
  ///   - scope: the base URL; a result belongs to it and to its resource
  ///   - expiresAfter: how long a result is used; nil for no limit
  func persistence<Model: Sendable>(
    of parser: Parser<Model>, at path: String, scope: String, expiresAfter: Duration?, wallClock: WallClock
  ) -> any Persistence<Model>
}
