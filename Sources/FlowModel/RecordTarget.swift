public import SourceDiagnostics

/// The target of records: a file or a table.
///
/// In a flow file it may contain templates (`WrittenTarget`). The compiler fills in their values.
public enum RecordTarget<Path: Sendable, Table: Sendable>: Sendable {
  /// A file: its path, relative to the output root. The extension determines the format.
  case file(Path)
  /// A table of a database.
  case table(Table)

  /// The path of the file; nil for a table.
  public var path: Path? { if case .file(let path) = self { path } else { nil } }
  /// The table; nil for a file.
  public var table: Table? { if case .table(let table) = self { table } else { nil } }
}

/// The file or table of records as a flow file declares it.
public typealias WrittenTarget = RecordTarget<Located<Template>, WrittenTable>

extension RecordTarget where Path == Located<Template>, Table == WrittenTable {
  /// The source location of the path or of the table's name.
  public var range: SourceRange {
    switch self {
    case .file(let path): path.range
    case .table(let table): table.name.range
    }
  }
}
