internal import Expressions
internal import FlowModel
public import SourceDiagnostics

/// Values for variables that are given outside the files.
///
/// The option `--var NAME=VALUE` has priority over the environment variable `REACTOR_VAR_NAME`.
public struct VariableOverrides: Sendable {
  /// The values from the command line, by name.
  public var arguments: [String: String]
  /// All environment variables. Only names that start with `REACTOR_VAR_` are used.
  public var environment: [String: String]

  /// Creates overrides from both sources.
  public init(arguments: [String: String] = [:], environment: [String: String] = [:]) {
    self.arguments = arguments
    self.environment = environment
  }

  /// The text that is given for a variable, and its origin; nil if none is given.
  ///
  /// `REACTOR_VAR_since` has priority over `REACTOR_VAR_SINCE`.
  func text(for name: String) -> (text: String, origin: String)? {
    if let text = arguments[name] { return (text, "--var \(name)") }
    for key in ["REACTOR_VAR_\(name)", "REACTOR_VAR_\(name.uppercased())"] {
      if let text = environment[key] { return (text, key) }
    }
    return nil
  }
}

extension FileDeclaration {
  /// Creates the scope of values that this file's templates may use.
  ///
  /// Every given value is checked against its variable's type. A wrong value is reported and left out. A variable or
  /// secret without a value is an error only when a template that needs it is resolved.
  ///
  /// - Parameters:
  ///   - overrides: the values of variables that are given outside the files.
  ///   - secrets: all known secrets. Only the secrets that the file declares are used.
  ///   - environment: the environment variables for `env.NAME`.
  package func scope(
    overrides: VariableOverrides, secrets known: [String: Secret], environment: [String: String],
    diagnostics: inout DiagnosticBag
  ) -> ResolutionScope {
    var scope = ResolutionScope(environment: environment)
    for variable in variables {
      let name = variable.name.value
      guard !variable.isItem, let given = overrides.text(for: name) else {
        scope.variables[name] = variable.defaultValue
        continue
      }
      do throws(ValueError) {
        let value = try VariableValue(reading: given.text, as: variable.type)
        guard let problem = variable.problem(with: value) else {
          scope.variables[name] = value
          continue
        }
        scope.refusedVariables.insert(name)
        diagnostics.report(
          .overrideValue, "'\(given.text)', given by \(given.origin), \(problem)", at: nil,
          notes: [Diagnostic.Note("the condition is here", at: variable.condition?.range)], help: variable.description)
      } catch {
        scope.refusedVariables.insert(name)
        diagnostics.report(
          .overrideValue, "'\(given.text)', given by \(given.origin), is not \(error.expected)", at: nil,
          notes: [Diagnostic.Note("variable '\(name)' is declared here", at: variable.name.range)],
          help: error.suggestion.map { "did you mean '\($0)'?" } ?? error.detail)
      }
    }
    for secret in self.secrets { scope.secrets[secret.value] = known[secret.value] }
    return scope
  }
}

extension VariableDeclaration {
  /// What is wrong with a value, by the variable's condition: `does not satisfy 'value > 0'`. Nil for an allowed value.
  func problem(with value: VariableValue) -> String? {
    guard let condition = condition?.value else { return nil }
    do throws(EvaluationError) {
      let isAllowed = try condition.evaluate(in: ["value": value.expression], now: .epoch) == .bool(true)
      return isAllowed ? nil : "does not satisfy '\(condition.text)'"
    } catch {
      return "cannot be checked with '\(condition.text)': \(error.message)"
    }
  }
}

extension VariableOverrides {
  /// Reports every name after `--var` that none of the files declares.
  public func check(against files: [FileDeclaration], diagnostics: inout DiagnosticBag) {
    var known: [String] = []
    var names: Set<String> = []
    for file in files {
      for variable in file.variables where names.insert(variable.name.value).inserted {
        known.append(variable.name.value)
      }
    }
    for name in arguments.keys.sorted() where !names.contains(name) {
      let suggestion = NearMiss.suggestion(for: name, in: known)
      diagnostics.report(
        .overrideUnknown, "no file declares a variable '\(name)', given by --var", at: nil,
        help: suggestion.map { "did you mean '\($0)'?" }
          ?? (known.isEmpty ? "the files declare no variables" : "the declared variables are \(listed(known))"))
    }
  }
}
