internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import Records

extension Template {
  /// Fills in variables, secrets and environment variables. Only parts that depend on the run remain as expressions.
  func bound(in scope: ResolutionScope) throws(ResolutionError) -> ExpressionTemplate {
    var bound: [ExpressionTemplate.Segment] = []
    var plain = ""
    for (index, segment) in segments.enumerated() {
      let part = Template([segment], ranges: ranges.isEmpty ? [] : [ranges[index]])
      guard part.isDynamic, case .expression(let expression) = segment else {
        plain += try part.resolve(with: scope, for: .body).text
        continue
      }
      if !plain.isEmpty { bound.append(.text(plain)) }
      plain = ""
      bound.append(.expression(expression))
    }
    if !plain.isEmpty { bound.append(.text(plain)) }
    return ExpressionTemplate(bound)
  }
}

extension TemplatedJSON {
  /// Fills in the variables, secrets and environment variables of the document.
  func bound(in scope: ResolutionScope) throws(ResolutionError) -> ExpressionDocument {
    guard isDynamic else { return .constant(try resolve(with: scope).value) }
    switch self {
    case .constant(let value): return .constant(value)
    case .template(let template): return .template(try template.value.bound(in: scope))
    case .array(let elements):
      var bound: [ExpressionDocument] = []
      for element in elements where try !element.isLeftOut(in: scope) { bound.append(try element.bound(in: scope)) }
      return .array(bound)
    case .object(let members):
      var bound: [ExpressionDocument.Member] = []
      for member in members where try !member.value.isLeftOut(in: scope) {
        bound.append(ExpressionDocument.Member(member.name, try member.value.bound(in: scope)))
      }
      return .object(bound)
    }
  }

  /// Whether the value is `{{ optional(…) }}` and has no value in this run.
  private func isLeftOut(in scope: ResolutionScope) throws(ResolutionError) -> Bool {
    guard case .template(let template) = self, template.value.isOptional, !template.value.isDynamic else {
      return false
    }
    return try resolve(with: scope).value == .null
  }
}
