/// A table of a database that stores records.
///
/// - `StoreReference`: the type of the store: its name in a flow file, or the store itself after it is resolved
/// - `Name`: the type of the table's name: a template in a flow file, or a string after the values are filled in
public struct RecordTable<StoreReference: Sendable, Name: Sendable>: Sendable {
  /// The store of the table.
  public let store: StoreReference
  /// The name of the table.
  public let name: Name
  /// Whether a load must not change the table's columns.
  public var isFrozen: Bool
  /// Whether old versions of the rows stay.
  public var keepsVersions = false
  /// The text that joins the names of flattened fields; nil when objects stay as they are.
  public var separator: String?

  /// Creates a table that keeps no old versions.
  public init(_ name: Name, in store: StoreReference, isFrozen: Bool = false) {
    self.name = name
    self.store = store
    self.isFrozen = isFrozen
  }

  /// A copy with the given name and store, for example after the templates in them are filled in.
  public func with<OtherStore: Sendable, OtherName: Sendable>(
    _ name: OtherName, in store: OtherStore
  ) -> RecordTable<OtherStore, OtherName> {
    var table = RecordTable<OtherStore, OtherName>(name, in: store, isFrozen: isFrozen)
    table.keepsVersions = keepsVersions
    table.separator = separator
    return table
  }
}

/// A table as a flow file gives it: by the name of its store.
public typealias WrittenTable = RecordTable<Located<String>, Located<Template>>
