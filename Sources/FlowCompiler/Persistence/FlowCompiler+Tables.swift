internal import Databases
internal import FlowRuntime
internal import FlowSpec
internal import FlowModel
internal import SourceDiagnostics

extension FlowCompiler {
  /// Reports why the table of a flow cannot be created, as far as that is known without the values of templates.
  static func problems(ofTable declaration: FlowDeclaration, _ diagnostics: inout DiagnosticBag) {
    // A name with a template is checked when its values are known.
    for case .table(let table) in declaration.result.targets {
      guard let dialect = dialect(of: table, in: declaration) else { continue }
      problems(of: declaration, table, named: table.name.value.constantText ?? "x", in: dialect, &diagnostics)
    }
    if let table = declaration.result.rejected?.table, let dialect = dialect(of: table, in: declaration) {
      problems(
        ofRejected: table.name.value.constantText ?? "x", in: dialect, at: table.name.range, &diagnostics)
    }
  }

  private static func dialect(of table: WrittenTable, in declaration: FlowDeclaration) -> (any SQLDialect)? {
    declaration.file.stores.first { $0.name == table.store.value }.map { store in
      switch store.location {
      case .sqlite: SQLiteDialect()
      case .postgres: PostgreSQLDialect()
      }
    }
  }

  /// Reports why a database cannot contain the table of a flow's rejected records.
  static func problems(
    ofRejected table: String, in dialect: any SQLDialect, at range: SourceRange, _ diagnostics: inout DiagnosticBag
  ) {
    for problem in TableProblem.all(table: table, fields: [], in: dialect) {
      diagnostics.report(
        Diagnostic(FlowCode.invalidTable.code, problem.message, at: range, help: problem.help))
    }
  }

  /// Reports why a database cannot contain the table of a flow.
  static func problems(
    of declaration: FlowDeclaration, _ declared: WrittenTable, named table: String, in dialect: any SQLDialect,
    _ diagnostics: inout DiagnosticBag
  ) {
    guard let schema = declaration.schema else { return }
    let fields = schema.fields.map(\.name)
    // `append` adds the column of the load, and deleted keys are marked where the rows are staged.
    let ownColumns = declaration.result.mode == .append || declaration.result.deleteWhen != nil ? 1 : 0
    let problems = TableProblem.all(
      table: table, fields: fields, ownColumns: declared.keepsVersions ? 2 : ownColumns,
      keepsVersions: declared.keepsVersions, in: dialect)
    for problem in problems {
      let field = problem.field.flatMap { name in schema.fields.first { $0.name == name } }
      diagnostics.report(
        Diagnostic(
          FlowCode.invalidTable.code, problem.message, at: field?.range ?? declared.name.range,
          notes: field == nil ? [] : [Diagnostic.Note("the table is declared here", at: declared.name.range)],
          help: problem.help))
    }
  }
}
