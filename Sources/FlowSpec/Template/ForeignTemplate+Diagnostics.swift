import Expressions
import SourceDiagnostics

extension ForeignTemplate {
  /// The diagnostic for this template of another program, which a text of the flow file contains.
  ///
  /// - Parameters:
  ///   - written: the template as a message shows it
  ///   - range: its source location
  ///   - scope: the names that templates may use
  func diagnostic(_ written: String, at range: SourceRange, in scope: ExpressionScopeType) -> Diagnostic {
    guard written != "$" else {
      return Diagnostic(
        .foreignTemplate, "the '$' in front of '{{' is not part of the template", at: range,
        help: "write '{{ … }}' without '$'; for the sign itself write {{ '$' }}",
        fixIts: [Diagnostic.FixIt("remove the '$'", replacing: range, with: "")])
    }
    let literal = "for the text itself write {{ '\(written)' }}"
    guard let content else {
      return Diagnostic(
        .foreignTemplate, "'\(written)' is a statement of another template language", at: range,
        help: "write a condition as {{ condition ? value : other }}; \(literal)")
    }
    let (template, declaration) = Self.template(for: content, in: scope)
    return Diagnostic(
      .foreignTemplate, "'\(written)' is not a template here, and would be used unchanged", at: range,
      help: "write \(template)\(declaration.map { " and \($0)" } ?? ""); \(literal)",
      fixIts: [Diagnostic.FixIt("replace it with '\(template)'", replacing: range, with: template)])
  }

  /// The diagnostic for a field whose value is a lookup without braces: each record would have the same text.
  ///
  /// Nil for other texts.
  static func diagnostic(ofLookup text: String, _ written: String, at range: SourceRange) -> Diagnostic? {
    let isPath = text.hasPrefix("$.") || text.hasPrefix("$[")
    guard isPath || ["record.", "source.", "parent."].contains(where: text.hasPrefix),
      !TemplateScanner.hasTemplate(text)
    else { return nil }
    return Diagnostic(
      .foreignTemplate, "'\(written)' is text here: every record would get this same text", at: range,
      help: (isPath ? "write 'from: \(written)' for a path" : "write \"{{ \(written) }}\" for an expression")
        + "; for the text itself write {{ '\(written.contains("'") ? "…" : written)' }}")
  }

  /// The template that replaces another program's template, and the declaration that it needs.
  private static func template(
    for name: String, in scope: ExpressionScopeType
  ) -> (text: String, declaration: String?) {
    if name.contains(".") { return ("{{ \(name) }}", nil) }
    if let path = scope.path(to: name) { return ("{{ \(path) }}", nil) }
    for root in ["vars", "secrets"] {
      guard case .object(let object)? = scope[root],
        let near = NearMiss.suggestion(for: name, in: object.members.map(\.name))
      else { continue }
      return ("{{ \(root).\(near) }}", nil)
    }
    let isConstant = name == name.uppercased()
    return isConstant
      ? (
        "{{ secrets.\(name) }}",
        "add \(name) to 'secrets', or for a value that is not a secret write {{ env.\(name) }}"
      )
      : ("{{ vars.\(name) }}", "declare '\(name)' under 'vars'")
  }
}
