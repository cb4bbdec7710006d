internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import SourceDiagnostics

extension AuthResolver {
  /// Puts the chosen kind of authorization in place of a choice.
  ///
  /// - Returns: the declaration with the chosen kind, and which it is; nil after an error was reported.
  mutating func chosen(
    _ declaration: FlowDeclaration
  ) -> (declaration: FlowDeclaration, words: (start: String, end: String)?)? {
    guard case .choose(let choice)? = declaration.auth?.value else { return (declaration, nil) }
    let chosen: AuthDeclaration.Choice.Chosen
    do throws(ResolutionError) {
      chosen = try choice.chosen(in: scope)
    } catch {
      report(error, at: nil)
      return nil
    }
    guard let auth = chosen.auth else {
      diagnostics.report(
        Diagnostic(
          FlowCode.authValue.code, chosen.words, at: choice.by.range,
          help: "the cases are \(choice.cases.map { "'\($0.name.value)'" }.joined(separator: ", ")); "
            + "give one of them, or add 'else'"))
      return nil
    }
    var declaration = declaration
    declaration.auth = auth
    // A case may be a choice too.
    guard let inner = self.chosen(declaration) else { return nil }
    let others = chosen.others.isEmpty ? "" : "\nnot chosen: \(chosen.others.joined(separator: ", "))"
    return (
      inner.declaration,
      ("\(chosen.words): \(inner.words?.start ?? "")", "\(inner.words?.end ?? "")\(others)")
    )
  }
}
