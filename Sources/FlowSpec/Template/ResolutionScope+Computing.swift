internal import FlowModel
package import SourceDiagnostics

extension ResolutionScope {
  /// Computes the variables of a file that have a `value`, unless a value was given from outside the file.
  ///
  /// The scope's `now` must be set. A variable that needs a variable without a value has no value either. A result that
  /// does not fit the type is reported.
  package mutating func compute(_ declared: [VariableDeclaration], diagnostics: inout DiagnosticBag) {
    for variable in declared where variables[variable.name.value] == nil {
      let name = variable.name.value
      guard let template = variable.computed, !refusedVariables.contains(name) else { continue }
      do throws(ResolutionError) {
        let text =
          variable.type == .list
          ? try template.value.resolveEach(with: self).map(\.text).joined(separator: ",")
          : try template.value.resolve(with: self).text
        do throws(ValueError) {
          let value = try VariableValue(reading: text, as: variable.type)
          variables[name] = value
          if let problem = variable.problem(with: value) {
            diagnostics.report(
              .variableDefault, "variable '\(name)' is '\(text)', which \(problem)", at: template.range,
              notes: [Diagnostic.Note("the condition is here", at: variable.condition?.range)],
              help: variable.description)
          }
        } catch {
          // The variable keeps a text as its value, so that no further errors are reported where it is used.
          variables[name] = try? VariableValue(reading: text, as: .string)
          diagnostics.report(
            .variableDefault, "variable '\(name)' is '\(text)', which is not \(error.expected)", at: template.range,
            help: "declare another type, or change 'value'")
        }
      } catch {
        if error.isUnset { continue }
        var diagnostic = error.diagnostic
        if diagnostic.range == nil { diagnostic.range = template.range }
        diagnostics.report(diagnostic)
      }
    }
  }
}

extension ResolutionError {
  /// Whether the error is that a variable or an environment variable has no value.
  fileprivate var isUnset: Bool {
    switch kind {
    case .unsetVariable, .unsetEnvironment: true
    case .unsetSecret, .controlCharacter, .expression: false
    }
  }
}
