import Expressions
import SourceDiagnostics

extension ParentTypes {
  /// What is wrong with what a flow computes of its records, in `value` and in `where`.
  ///
  /// - Parameters:
  ///   - names: what the flow calls its parents' records
  ///   - scope: what the flow's expressions may use, the parents' records as their schemas make them
  func faultsOfRecords(in flow: FlowDeclaration, _ names: Set<String>, _ scope: ExpressionScopeType) -> [Diagnostic] {
    var scope = scope
    scope["secrets"] = nil
    scope["source"] = .dynamic
    var found = DiagnosticBag()
    for field in flow.schema?.fields ?? [] {
      guard let value = field.value else { continue }
      scope["record"] = .object(
        ExpressionType.Object((flow.schema?.fields ?? []).filter { $0.name != field.name }.map(\.member)))
      // A schema of another file is not wrong by itself.
      let owner = value.range.file.path == flow.range.file.path ? nil : flow.range
      for part in value.parts where isNew(part.expression, names, scope) {
        let (type, faults) = part.expression.check(scope)
        found.report(faultsOf: part, in: value, scope, at: owner)
        let isWhole = value.template.segments.count == 1
        guard faults.isEmpty, type.mayBeMissing, !isWhole || field.isRequired else { continue }
        found.report(
          Diagnostic(
            FlowCode.expressionMissing.code, "'\(part.expression.text)' may be missing",
            at: owner ?? value.place(0..<part.expression.text.utf8.count, in: part),
            help: "give a default: coalesce(\(part.expression.text), …)" + (isWhole ? ", or add 'optional: true'" : ""))
        )
      }
    }
    scope["record"] = flow.schema?.recordType ?? .dynamic
    if let condition = flow.mapping.condition, isNew(condition.value, names, scope) {
      for fault in condition.value.check(scope).faults {
        let fault = TemplateScanner.Fault(fault, from: 0)
        found.report(Diagnostic(fault.code.code, fault.message, at: condition.range, help: fault.help))
      }
    }
    return found.diagnostics
  }

  /// Whether an expression uses a parent's record, and nothing was found wrong with it while the record was not known.
  private func isNew(_ expression: Expression, _ names: Set<String>, _ scope: ExpressionScopeType) -> Bool {
    guard expression.references.contains(where: { names.contains($0.root) }) else { return false }
    var unknown = scope
    for name in names { unknown[name] = .dynamic }
    return expression.check(unknown).faults.isEmpty
  }
}

extension FieldDeclaration {
  fileprivate var isRequired: Bool { if case .required = missing { true } else { false } }
}
