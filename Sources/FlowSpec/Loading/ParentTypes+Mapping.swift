import Expressions
import FlowModel
import SourceDiagnostics

extension ParentTypes {
  /// Errors in the expressions of a flow's mapping, given the schemas of its parents.
  ///
  /// It checks `change.add`, `where`, `delete_when`, and the computed fields of the flow's schema and of the schema of
  /// sent records.
  ///
  /// - Parameters:
  ///   - scope: the names of the expressions, with the types of the parents' records.
  ///   - names: the names of the parents.
  func errors(
    inMappingOf flow: FlowDeclaration, _ scope: ExpressionScopeType, _ names: Set<String>
  ) -> [Diagnostic] {
    var scope = scope
    scope["secrets"] = nil
    scope["source"] = .dynamic
    var found = flow.schema.map { errors(in: $0, of: flow, scope, names) } ?? []
    if let sent = flow.pull.request.body?.records?.schema { found += errors(in: sent, of: flow, scope, names) }
    scope["record"] = .dynamic
    for template in (flow.pull.mapping.change?.add ?? []).flatMap(\.value.value.templates) {
      for (segment, range) in zip(template.segments, template.ranges) {
        guard case .expression(let expression) = segment, expression.usesOne(of: names) else { continue }
        found += errors(in: expression, at: range, scope, mayBeMissing: template.segments.count == 1)
      }
    }
    if let cursor = flow.pull.cursor {
      scope["cursor"] = FlowReader.cursorInRecords(cursor.kind, cursor.start != nil, cursor.end != nil)
    }
    if let condition = flow.pull.mapping.condition, condition.value.usesOne(of: names) {
      scope["record"] = flow.schema?.recordType ?? .dynamic
      found += errors(in: condition.value, at: condition.range, scope)
    }
    if let deletion = flow.result.deleteWhen, deletion.value.usesOne(of: names) {
      scope["record"] = nil
      found += errors(in: deletion.value, at: deletion.range, scope)
    }
    return found
  }

  /// Errors in a schema's computed fields. They are reported at the flow if other flows can use the schema too.
  private func errors(
    in schema: SchemaDeclaration, of flow: FlowDeclaration, _ scope: ExpressionScopeType, _ names: Set<String>
  ) -> [Diagnostic] {
    var found = DiagnosticBag()
    let isOwn = schema.range.file.path == flow.range.file.path && schema.name == flow.name
    for field in schema.fields {
      guard let value = field.value else { continue }
      var scope = scope
      scope["record"] = .object(ExpressionType.Object(schema.fields.filter { $0.name != field.name }.map(\.member)))
      let isWhole = value.template.segments.count == 1
      for part in value.parts where part.expression.usesOne(of: names) {
        let before = found.diagnostics.count
        found.report(errorsOf: part, in: value, scope, at: isOwn ? nil : flow.range)
        guard found.diagnostics.count == before, part.expression.check(scope).type.mayBeMissing else { continue }
        if isWhole, case .required = field.missing {} else if isWhole { continue }
        let location = value.location(of: 0..<part.expression.text.utf8.count, in: part)
        found.report(
          .expressionMissing, "'\(part.expression.text)' may be missing", at: isOwn ? location : flow.range,
          notes: isOwn ? [] : [Diagnostic.Note("the field is computed here", at: location)],
          help: "give a default: coalesce(\(part.expression.text), …)")
      }
    }
    return found.diagnostics
  }
}

extension Expression {
  /// Whether the expression uses at least one of the given names.
  fileprivate func usesOne(of names: Set<String>) -> Bool { references.contains { names.contains($0.root) } }
}
