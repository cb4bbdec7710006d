/// Whether and where a flow persists its results.
public enum PersistenceConfiguration: Sendable {
  /// At a path of the provider, one resource at a time.
  ///
  /// A result is used for as long as `expiresAfter` says, and without a limit when it is nil. `Storage` has a short form
  /// for files: `.enabled(path: "out/articles.json")`.
  case enabled(path: String, expiresAfter: Duration? = nil, in: any PersistenceProvider)
  /// Nowhere.
  case disabled
}

/// Makes the persistence at a path.
///
/// `createFlow` needs one to persist results, because this library knows no files. `OutputRoot` of `Storage` is one.
public protocol PersistenceProvider: Sendable {
  /// A persistence of a flow's results; an unusable path fails each save.
  ///
  /// - Parameters:
  ///   - parser: maps the model both ways, as strictly as the network's results
  ///   - path: where the provider persists the result
  ///   - scope: what a result belongs to besides its resource: the base URL
  ///   - expiresAfter: how long a result is used; nil for no limit
  func persistence<Model: Sendable>(
    of parser: Parser<Model>, at path: String, scope: String, expiresAfter: Duration?, wallClock: WallClock
  ) -> any Persistence<Model>
}
