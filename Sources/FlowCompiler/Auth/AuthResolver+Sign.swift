internal import Authorization
internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves headers and parameters that are computed over each request.
  mutating func sign(_ declared: AuthDeclaration.Sign) -> AuthPlan? {
    let (query, headers) = (bound(declared.query), bound(declared.headers))
    guard !diagnostics.hasErrors else { return nil }
    var auth = AuthPlan.none
    auth.source = .computed(ComputedFieldsPlan(query: query, headers: headers))
    auth.location = headers.first.map { .header($0.name) } ?? query.first.map { .query($0.name) }
    auth.secretHeaderNames = headers.map(\.name)
    let names = (declared.query + declared.headers).flatMap(\.value.value.secretNames)
    let values = names.map { scope.secrets[$0]?.reveal() }
    auth.identity = CredentialIdentity(
      ["sign"] + (query + headers).flatMap { [$0.name, $0.value.sourceText] } + values)
    auth.kind = "sign"
    let shown =
      (declared.headers.map { "header \($0.name.value)" } + declared.query.map { "parameter \($0.name.value)" })
    auth.shown = ("sign, \(shown.joined(separator: ", "))", "\ncomputed over each request when it is sent")
    return auth
  }

  /// Binds templates without evaluating their expressions: `now()` is the moment of sending.
  private mutating func bound(_ templates: [NamedTemplate]) -> [ComputedFieldsPlan.Field] {
    templates.map { named in
      var segments: [ExpressionTemplate.Segment] = []
      for segment in named.value.value.segments {
        if case .expression(let expression) = segment {
          check(expression, at: named.value)
          segments.append(.expression(expression))
        } else if let text = resolve(Located(Template([segment]), at: named.value.range)) {
          segments.append(.text(text))
        }
      }
      return ComputedFieldsPlan.Field(name: named.name.value, value: ExpressionTemplate(segments))
    }
  }

  /// Reports secrets and variables without a value before the run.
  private mutating func check(_ expression: Expression, at template: Located<Template>) {
    for reference in expression.references {
      guard let name = reference.firstMember else { continue }
      if reference.root == "secrets", scope.secrets[name] == nil {
        report(ResolutionError(.unsetSecret(name), at: template.range), at: template)
      } else if reference.root == "vars", scope.variables[name] == nil {
        report(ResolutionError(.unsetVariable(name), at: template.range), at: template)
      }
    }
  }
}

extension Template {
  /// The names of the secrets that the template uses, in order.
  fileprivate var secretNames: [String] {
    segments.flatMap { (segment) -> [String] in
      switch segment {
      case .secret(let name): [name]
      case .expression(let expression):
        expression.references.filter { $0.root == "secrets" }.compactMap(\.firstMember)
      case .text, .variable, .environment: []
      }
    }
  }
}
