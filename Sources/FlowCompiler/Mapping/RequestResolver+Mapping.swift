internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the path of the records, with variables filled in.
  ///
  /// Reports the variables without a value that expressions about records need.
  mutating func recordsPath(_ declaration: FlowDeclaration) -> JSONPath? {
    for (reference, range) in declaration.mappingReferences where reference.root == "vars" {
      guard let name = reference.firstMember, scope.variables[name] == nil else { continue }
      _ = resolve(Located(Template([.variable(name)]), at: range))
    }
    guard let template = declaration.pull.mapping.records else { return declaration.pull.records?.value }
    var isWhole = true
    do throws(PathTemplateError) {
      let path = try template.value.path { segment in
        guard let value = resolve(Located(Template([segment]), at: template.range)) else {
          isWhole = false
          return "x"
        }
        return value.text
      }
      return isWhole ? path : nil
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidPath.code, error.message, at: template.range, help: error.help))
    }
    return nil
  }
}
