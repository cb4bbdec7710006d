public import SourceDiagnostics

extension FileDeclaration {
  /// The values that this file's templates may use.
  ///
  /// Every value from outside is checked against its variable's type; a wrong one is reported and left out. Variables
  /// and secrets without a value are no error here: resolving a template that needs one is.
  /// - Parameters:
  ///   - overrides: values of variables from outside.
  ///   - secrets: all known secrets; only those that the file names are taken.
  ///   - environment: the environment for `env.NAME`.
  public func scope(
    overrides: VariableOverrides, secrets known: [String: Secret], environment: [String: String],
    diagnostics: inout DiagnosticBag
  ) -> ResolutionScope {
    var scope = ResolutionScope(environment: environment)
    for variable in variables {
      let name = variable.name.value
      guard let given = overrides.text(for: name) else {
        scope.variables[name] = variable.defaultValue
        continue
      }
      do throws(ValueError) {
        scope.variables[name] = try VariableValue(reading: given.text, as: variable.type)
      } catch {
        scope.refusedVariables.insert(name)
        diagnostics.report(
          Diagnostic(
            .overrideValue, "'\(given.text)', given by \(given.origin), is not \(error.expected)", at: nil,
            notes: [Diagnostic.Note("variable '\(name)' is declared here", at: variable.name.range)],
            help: error.suggestion.map { "did you mean '\($0)'?" } ?? error.detail))
      }
    }
    for secret in self.secrets { scope.secrets[secret.value] = known[secret.value] }
    return scope
  }
}

extension VariableOverrides {
  /// Reports every `--var` name that none of the files declares.
  public func check(against files: [FileDeclaration], diagnostics: inout DiagnosticBag) {
    var known: [String] = []
    var names: Set<String> = []
    for file in files {
      for variable in file.variables where names.insert(variable.name.value).inserted {
        known.append(variable.name.value)
      }
    }
    for name in arguments.keys.sorted() where !names.contains(name) {
      let meant = NearMiss.suggestion(for: name, in: known)
      diagnostics.report(
        Diagnostic(
          .overrideUnknown, "no file declares a variable '\(name)', given by --var", at: nil,
          help: meant.map { "did you mean '\($0)'?" }
            ?? (known.isEmpty ? "the files declare no variables" : "declared are \(listed(known))")))
    }
  }
}
