/// A database into which flows load records.
///
/// - `Text`: the type of its path or URI: a template in a flow file, or a string after the values are filled in
public struct Store<Text: Sendable>: Sendable {
  /// The kind of the database, and its path or URI.
  public enum Location: Sendable {
    /// An SQLite file; its path is relative to the output root.
    case sqlite(Text)
    /// A PostgreSQL server: its connection URI, which may contain a password, and the schema of the tables.
    case postgres(Text, schema: String)
  }

  /// The name of the store in its file.
  public let name: String
  /// The kind of the database, and its path or URI.
  public let location: Location
  /// How long a statement waits for a lock, in milliseconds.
  public var lockTimeout = 10_000
  /// How long a statement may run, in milliseconds; 0 for no limit.
  public var statementTimeout = 0
  /// The maximum number of connections at once.
  public var connections = 4

  /// Creates a store with the default limits.
  public init(_ name: String, at location: Location) {
    self.name = name
    self.location = location
  }

  /// A copy with the given location, for example after the templates in it are filled in.
  public func with<Other: Sendable>(_ location: Store<Other>.Location) -> Store<Other> {
    var store = Store<Other>(name, at: location)
    store.lockTimeout = lockTimeout
    store.statementTimeout = statementTimeout
    store.connections = connections
    return store
  }
}

extension Store: Equatable where Text: Equatable {}
extension Store: Hashable where Text: Hashable {}
extension Store.Location: Equatable where Text: Equatable {}
extension Store.Location: Hashable where Text: Hashable {}
