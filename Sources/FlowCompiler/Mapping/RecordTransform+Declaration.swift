internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Reshape

extension RecordTransform {
  /// Creates the changes to a flow's records besides the mapping; nil without changes.
  init?(_ declaration: FlowDeclaration, _ schema: CompiledSchema, scope: ResolutionScope) {
    let mapping = declaration.pull.mapping
    let isComputed = schema.schema.fields.contains { $0.value != nil }
    let deletion = declaration.result.deleteWhen
    guard mapping.reshape != nil || mapping.change != nil || mapping.condition != nil || isComputed || deletion != nil
    else { return nil }
    let program = mapping.reshape?.program.value
    let isForEach = mapping.reshape?.isForEach ?? false
    self.init(
      responseProgram: isForEach ? nil : program, recordProgram: isForEach ? program : nil,
      change: mapping.change.map(RecordChange.init), condition: mapping.condition?.value,
      recordType: declaration.schema?.recordType ?? .dynamic, now: scope.now)
    self.deletion = deletion.map { ($0.value, schema.schema.key, declaration.pull.cursor?.rank) }
    // Only the roots that expressions use, because the environment may be large.
    for root in Set(declaration.mappingReferences.map { $0.reference.root }) where root == "vars" || root == "env" {
      self.scope[root] = scope.value(of: root)
    }
  }
}

extension RecordChange {
  init(_ declaration: MappingDeclaration.Change) {
    self.init(
      flatten: declaration.flatten.map { Flatten(separator: $0.separator, depth: $0.depth) },
      rename: declaration.rename.map { Rename($0.steps, to: $0.name) }, remove: declaration.remove.map(\.value),
      add: declaration.add.map { ExpressionDocument.Member($0.name.value, ExpressionDocument($0.value.value)) })
  }
}

extension ExpressionDocument {
  fileprivate init(_ document: TemplatedJSON) {
    self =
      switch document {
      case .constant(let value): .constant(value)
      case .template(let template): .template(ExpressionTemplate(template.value))
      case .array(let elements): .array(elements.map(ExpressionDocument.init))
      case .object(let members): .object(members.map { Member($0.name, ExpressionDocument($0.value)) })
      }
  }
}
