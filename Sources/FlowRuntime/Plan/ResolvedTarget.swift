internal import Databases
package import FlowModel
internal import Records

/// The file or table of records, with all values filled in.
package typealias ResolvedTarget = RecordTarget<RecordPath, ResolvedTable>

/// A table and its store with all values filled in.
package typealias ResolvedTable = RecordTable<Store<String>, String>

extension RecordTarget where Path == RecordPath, Table == ResolvedTable {
  /// The target, as reports show it.
  var text: String {
    switch self {
    case .file(let path): path.text
    case .table(let table): table.text
    }
  }
}

extension RecordTable where StoreReference == Store<String>, Name == String {
  /// The store and the table, as reports show them: `warehouse:orders`.
  var text: String { "\(store.name):\(name)" }

  /// The columns of the table for records of a schema.
  func layout(of schema: RecordSchema, marksDeletions: Bool = false) -> TableLayout {
    TableLayout(of: schema, in: store.dialect, marksDeletions: marksDeletions)
  }
}
