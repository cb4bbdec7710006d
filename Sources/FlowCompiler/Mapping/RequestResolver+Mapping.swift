internal import Expressions
internal import FlowSpec
internal import SourceDiagnostics

extension RequestResolver {
  /// Fills variables into the place of the records; reports those that expressions about records need and that have no
  /// value. Gives the flow with its place of the records.
  mutating func fillMapping(_ declaration: FlowDeclaration) -> FlowDeclaration {
    for (reference, range) in declaration.mappingReferences where reference.root == "vars" {
      guard let name = reference.firstMember, scope.variables[name] == nil else { continue }
      _ = resolve(Located(Template([.variable(name)]), at: range))
    }
    guard let template = declaration.mapping.records else { return declaration }
    var isWhole = true
    do throws(PathTemplateError) {
      let path = try template.value.path { segment in
        guard let value = resolve(Located(Template([segment]), at: template.range)) else {
          isWhole = false
          return "x"
        }
        return value.text
      }
      if isWhole {
        var flow = declaration
        flow.records = Located(path, at: template.range)
        return flow
      }
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidPath.code, error.message, at: template.range, help: error.help))
    }
    return declaration
  }
}
