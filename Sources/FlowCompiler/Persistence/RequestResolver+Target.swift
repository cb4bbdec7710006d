internal import FlowRuntime
internal import FlowSpec
internal import SourceDiagnostics

extension RequestResolver {
  /// The validated place of records; nil after an error was reported.
  mutating func target(
    _ target: PersistenceDeclaration.Target, of declaration: FlowDeclaration
  ) -> ResultTarget? {
    switch target {
    case .file(let path): self.path(path).map { .file($0) }
    case .table(let table): self.table(table, of: declaration).map { .table($0) }
    }
  }

  private mutating func table(_ table: TableDeclaration, of declaration: FlowDeclaration) -> TablePlan? {
    guard let store = store(named: table.store.value, of: declaration), let name = resolve(table.name) else {
      return nil
    }
    var plan = TablePlan(store: store, name: name.text, isFrozen: table.isFrozen)
    plan.keepsVersions = table.keepsVersions
    return plan
  }

  /// The validated store of a file; nil after an error was reported.
  mutating func store(named name: String, of declaration: FlowDeclaration) -> StorePlan? {
    declaration.file.stores.first { $0.name.value == name }.flatMap { store($0) }
  }

  private mutating func store(_ declared: StoreDeclaration) -> StorePlan? {
    let location: StorePlan.Location
    switch declared.database {
    case .sqlite(let template):
      guard let text = resolve(template) else { return nil }
      do throws(URLSyntaxError) {
        try OutputPathText.check(text.text, endings: OutputPathText.databaseExtensions)
      } catch {
        diagnostics.report(
          Diagnostic(FlowCode.invalidOutput.code, error.message, at: template.range, help: error.help))
        return nil
      }
      let path = OutputPathText.normalized(text.text)
      location = .sqlite(path.split(separator: "/").map(String.init))
    case .postgres(let template, let schema):
      guard let url = resolve(template) else { return nil }
      location = .postgres(url.text, schema: schema?.value ?? "public")
    }
    var store = StorePlan(name: declared.name.value, location: location)
    if let seconds = declared.lockTimeout { store.lockTimeout = Int(seconds * 1000) }
    if let seconds = declared.statementTimeout { store.statementTimeout = Int(seconds * 1000) }
    if let connections = declared.connections { store.connections = connections }
    return store
  }
}
