internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import Records
internal import SourceDiagnostics
internal import Storage

extension RequestResolver {
  /// The validated file or table of records; nil after an error was reported.
  mutating func target(_ target: WrittenTarget, of declaration: FlowDeclaration) -> ResolvedTarget? {
    switch target {
    case .file(let path): (path.value.isSplit ? split(path, of: declaration) : self.path(path)).map { .file($0) }
    case .table(let table): self.table(table, of: declaration).map { .table($0) }
    }
  }

  /// Returns the validated file or table of rejected records; nil without one, or after an error was reported.
  mutating func rejected(_ declaration: FlowDeclaration) -> ResolvedTarget? {
    guard let declared = declaration.result.rejected, let target = target(declared, of: declaration) else { return nil }
    guard case .file(let path) = target, !path.isJSONLines else { return target }
    diagnostics.report(
      Diagnostic(
        FlowCode.invalidOutput.code, "the file of rejected records must be JSON Lines", at: declared.range,
        help: "end the path with '.jsonl'"))
    return nil
  }

  mutating func path(_ template: Located<Template>) -> RecordPath? {
    guard let text = resolve(template) else { return nil }
    do throws(RecordPathError) {
      return try RecordPath(parsing: text.text)
    } catch {
      diagnostics.report(FlowCompiler.invalidOutput(error, at: template.range))
      return nil
    }
  }

  /// Returns the path of the files that the flow downloads; nil without `download`, or after an error was reported.
  mutating func download(_ declaration: FlowDeclaration) -> Located<PathTemplate>? {
    guard let declared = declaration.download,
      let path = pathTemplate(declared, late: Set(declaration.each?.names ?? []))?.path
    else { return nil }
    do throws(RecordPathError) {
      try path.checkDownload()
      return Located(path, at: declared.range)
    } catch {
      diagnostics.report(FlowCompiler.invalidOutput(error, at: declared.range))
      return nil
    }
  }

  /// The path of a result that is split into files by fields of its records.
  private mutating func split(_ path: Located<Template>, of declaration: FlowDeclaration) -> RecordPath? {
    guard let late = pathTemplate(path, late: ["record"]) else { return nil }
    let template = SplitTemplate(
      late.path, recordType: declaration.schema?.recordType ?? .dynamic,
      key: declaration.schema?.key.map(\.value) ?? [], scope: EvaluationScope(late.values, now: scope.now))
    do throws(RecordPathError) {
      return try RecordPath(splitting: template)
    } catch {
      diagnostics.report(FlowCompiler.invalidOutput(error, at: path.range))
      return nil
    }
  }

  /// A path with values that are known only while the flow runs; nil after an error was reported.
  ///
  /// - Parameter late: the names whose values are known only while the flow runs
  /// - Returns: the path, and the values of all other names that its remaining expressions use
  mutating func pathTemplate(
    _ path: Located<Template>, late: Set<String>
  ) -> (path: PathTemplate, values: [String: ExpressionValue])? {
    var segments: [PathTemplate.Segment] = []
    var used: Set<String> = []
    for (index, segment) in path.value.segments.enumerated() {
      if case .expression(let expression) = segment, expression.references.contains(where: { late.contains($0.root) }) {
        segments.append(.value(expression))
        used.formUnion(expression.references.map(\.root))
      } else {
        let ranges = path.value.ranges.indices.contains(index) ? [path.value.ranges[index]] : []
        guard let text = resolve(Located(Template([segment], ranges: ranges), at: path.range)) else { return nil }
        segments.append(.text(text.text))
      }
    }
    var values: [String: ExpressionValue] = [:]
    for root in used where root == "vars" || root == "env" { values[root] = scope.value(of: root) }
    return (PathTemplate(segments), values)
  }

  private mutating func table(_ table: WrittenTable, of declaration: FlowDeclaration) -> ResolvedTable? {
    guard let store = store(named: table.store.value, of: declaration), let name = resolve(table.name) else {
      return nil
    }
    return table.with(name.text, in: store)
  }

  /// The validated store of a file; nil after an error was reported.
  mutating func store(named name: String, of declaration: FlowDeclaration) -> Store<String>? {
    declaration.file.stores.first { $0.name == name }.flatMap { store($0) }
  }

  private mutating func store(_ declared: Store<Located<Template>>) -> Store<String>? {
    let location: Store<String>.Location
    switch declared.location {
    case .sqlite(let template):
      guard let text = resolve(template) else { return nil }
      do throws(URLSyntaxError) {
        try OutputPathText.check(text.text, endings: OutputPathText.databaseExtensions)
      } catch {
        diagnostics.report(
          Diagnostic(FlowCode.invalidOutput.code, error.message, at: template.range, help: error.help))
        return nil
      }
      do throws(OutputPath.ParsingError) {
        _ = try OutputPath(ofAnyFile: OutputPathText.normalized(text.text))
      } catch {
        diagnostics.report(
          Diagnostic(FlowCode.invalidOutput.code, error.description, at: template.range, help: error.remedy))
        return nil
      }
      location = .sqlite(OutputPathText.normalized(text.text))
    case .postgres(let template, let schema):
      guard let url = resolve(template) else { return nil }
      location = .postgres(url.text, schema: schema)
    }
    return declared.with(location)
  }
}
