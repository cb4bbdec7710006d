internal import ByteCodings
package import Expressions
package import FlowModel
package import JSONSyntax
internal import SourceDiagnostics

extension Template {
  /// The destination of the resolved text. It determines which characters values may contain.
  package enum Destination: Sendable, Hashable {
    /// A single line, such as a URL, a header or a path: values with line breaks or NUL are errors.
    case line
    /// A body, in which line breaks are data: only values with NUL are errors.
    case body
  }

  /// The maximum size of a text that is filled in before a run, in bytes; also the limit for the value of an
  /// expression.
  private static let longest = 1 << 20

  /// Replaces all names in the template with their values.
  ///
  /// A value that is known only while the flow runs is replaced by a short placeholder, for display and comparison.
  /// Templates inside values are never resolved.
  package func resolve(
    with scope: ResolutionScope, for destination: Destination = .line
  ) throws(ResolutionError) -> ResolvedText {
    if let constantText { return ResolvedText(text: constantText, isSecret: false) }
    var text = ""
    var isSecret = false
    for (index, segment) in segments.enumerated() {
      let range = index < ranges.count ? ranges[index] : nil
      let value: String
      switch segment {
      case .text(let plain):
        text += plain
        continue
      case .variable(let name):
        guard let variable = scope.variables[name] else { throw ResolutionError(.unsetVariable(name), at: range) }
        value = variable.text
      case .secret(let name):
        guard let secret = scope.secrets[name] else { throw ResolutionError(.unsetSecret(name), at: range) }
        value = secret.reveal()
        isSecret = true
      case .environment(let name):
        guard let variable = scope.environment[name] else {
          throw ResolutionError(.unsetEnvironment(name), at: range)
        }
        value = variable
      case .expression(let expression):
        if scope.leavesOpen(segment) {
          text += "{\(expression.shortText)}"
          continue
        }
        value = try scope.text(of: filled(expression, in: scope, at: range), in: expression, at: range)
        if expression.references.contains(where: { $0.root == "secrets" }) { isSecret = true }
      }
      guard !value.utf8.contains(where: { destination.refuses($0) }) else {
        throw ResolutionError(.controlCharacter(segment), at: range)
      }
      // Before the text grows: variables may double each other.
      guard text.utf8.count + value.utf8.count <= Self.longest, scope.budget.takeText(value.utf8.count) else {
        throw ResolutionError(
          .expression(
            "the text becomes longer than \(Self.longest >> 10) KiB, or all texts together longer than "
              + "\(LoadBudget.texts >> 20) MiB", help: "fill in shorter values"), at: range)
      }
      text += value
    }
    return ResolvedText(text: text, isSecret: isSecret)
  }

  /// Whether the template uses a secret of which only a placeholder is known.
  package func usesPlaceholder(in scope: ResolutionScope) -> Bool {
    segments.contains {
      switch $0 {
      case .secret(let name): scope.secrets[name]?.placeholder != nil
      case .expression(let expression):
        expression.references.contains {
          $0.root == "secrets" && $0.firstMember.flatMap { scope.secrets[$0]?.placeholder } != nil
        }
      case .text, .variable, .environment: false
      }
    }
  }

  /// Resolves the values of a parameter that may be repeated.
  ///
  /// If the template is exactly one list, the result has one text for each element. It is empty for `{{ optional(…) }}`
  /// without a value. Otherwise it has one text.
  package func resolveEach(with scope: ResolutionScope) throws(ResolutionError) -> [ResolvedText] {
    guard segments.count == 1, !isDynamic, let elements = try list(segments[0], in: scope) else {
      return [try resolve(with: scope)]
    }
    guard !elements.contains(where: { $0.utf8.contains { Destination.line.refuses($0) } }) else {
      throw ResolutionError(.controlCharacter(segments[0]), at: ranges.first)
    }
    return elements.map { ResolvedText(text: $0, isSecret: usesSecret) }
  }

  /// The value of an expression of the template. Texts that it computes from secrets are recorded, so that they are
  /// masked.
  private func filled(
    _ expression: Expression, in scope: ResolutionScope, at range: SourceRange?
  ) throws(ResolutionError) -> ExpressionValue {
    let value = try scope.value(of: expression, at: range)
    scope.derivedSecrets.add(value, of: expression)
    return value
  }

  /// The elements of a list as texts; nil for a value that is not a list.
  private func list(_ segment: Segment, in scope: ResolutionScope) throws(ResolutionError) -> [String]? {
    switch segment {
    case .variable(let name):
      guard let variable = scope.variables[name], variable.type == .list else { return nil }
      return variable.elements
    case .expression(let expression):
      let value = try filled(expression, in: scope, at: ranges.first)
      if expression.isOptional, value == .null { return [] }
      guard case .list(let values) = value else { return nil }
      var texts: [String] = []
      for value in values { texts.append(try scope.text(of: value, in: expression, at: ranges.first)) }
      return texts
    case .text, .secret, .environment: return nil
    }
  }

  /// Resolves the template to a value in a JSON body.
  ///
  /// A template that is exactly one variable or expression keeps the type of its value. Other templates become strings.
  package func resolveJSON(with scope: ResolutionScope) throws(ResolutionError) -> (value: JSONValue, isSecret: Bool) {
    if segments.count == 1, case .variable(let name) = segments[0] {
      guard let variable = scope.variables[name] else {
        throw ResolutionError(.unsetVariable(name), at: ranges.first)
      }
      return (variable.json, false)
    }
    if segments.count == 1, case .expression(let expression) = segments[0],
      !scope.leavesOpen(segments[0])
    {
      let isSecret = expression.references.contains { $0.root == "secrets" }
      return (try filled(expression, in: scope, at: ranges.first).json, isSecret)
    }
    let resolved = try resolve(with: scope, for: .body)
    return (.string(resolved.text), resolved.isSecret)
  }
}

extension Template.Destination {
  fileprivate func refuses(_ byte: UInt8) -> Bool {
    switch self {
    case .line: byte == 0x0A || byte == 0x0D || byte == 0
    case .body: byte == 0
    }
  }
}

extension ResolutionScope {
  /// The text of an expression that chooses one of several declarations, such as a case of `choose`.
  ///
  /// A placeholder of a secret without a value counts as not set.
  package func choice(_ expression: Located<Expression>) throws(ResolutionError) -> String {
    var scope = self
    scope.secrets = secrets.filter { $0.value.placeholder != .unset }
    return try scope.text(of: expression.value, at: expression.range)
  }

  /// The value of an expression that is evaluated before the run.
  package func value(of expression: Located<Expression>) throws(ResolutionError) -> ExpressionValue {
    try value(of: expression.value, at: expression.range)
  }

  fileprivate func value(of expression: Expression, at range: SourceRange?) throws(ResolutionError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.evaluate(in: self, now: now)
    } catch {
      // A name in a branch that is not evaluated does not need a value.
      if error.kind == .missing { try check(expression, at: range) }
      let account = error.account(of: expression)
      throw ResolutionError(.expression(account.message, help: account.help), at: range)
    }
  }

  fileprivate func text(of expression: Expression, at range: SourceRange?) throws(ResolutionError) -> String {
    try text(of: value(of: expression, at: range), in: expression, at: range)
  }

  fileprivate func text(
    of value: ExpressionValue, in expression: Expression, at range: SourceRange?
  ) throws(ResolutionError) -> String {
    do throws(EvaluationError) {
      return try value.text()
    } catch {
      let account = error.account(of: expression)
      throw ResolutionError(.expression(account.message, help: account.help), at: range)
    }
  }

  /// Throws an error for a name without a value, whose message explains how to set the value.
  private func check(_ expression: Expression, at range: SourceRange?) throws(ResolutionError) {
    // Secrets are checked last, because `has(…)` may only have tested whether one exists.
    for reference in expression.references.sorted(by: { $0.root > $1.root }) {
      guard let name = reference.firstMember else { continue }
      switch reference.root {
      case "vars" where variables[name] == nil: throw ResolutionError(.unsetVariable(name), at: range)
      case "secrets" where secrets[name] == nil: throw ResolutionError(.unsetSecret(name), at: range)
      default: break
      }
    }
  }
}

extension Expression {
  /// The expression's text if it consists only of names and dots, else `…`. It is used when a URL is shown.
  fileprivate var shortText: String {
    text.utf8.allSatisfy { ASCII.isNameCharacter($0) || $0 == UInt8(ascii: ".") } ? text : "…"
  }
}

extension TemplatedJSON {
  /// Replaces all templates in the JSON document with their values, and returns whether it contains a secret.
  package func resolve(with scope: ResolutionScope) throws(ResolutionError) -> (value: JSONValue, isSecret: Bool) {
    switch self {
    case .constant(let value):
      return (value, false)
    case .template(let template):
      return try template.value.resolveJSON(with: scope)
    case .array(let elements):
      var values: [JSONValue] = []
      var isSecret = false
      for element in elements {
        let resolved = try element.resolve(with: scope)
        if !element.leavesOut(resolved.value) { values.append(resolved.value) }
        isSecret = isSecret || resolved.isSecret
      }
      return (.array(values), isSecret)
    case .object(let members):
      var values: [JSONObject.Member] = []
      var isSecret = false
      for member in members {
        let resolved = try member.value.resolve(with: scope)
        if !member.value.leavesOut(resolved.value) {
          values.append(JSONObject.Member(name: member.name, value: resolved.value))
        }
        isSecret = isSecret || resolved.isSecret
      }
      return (.object(JSONObject(values)), isSecret)
    }
  }

  /// Whether a member or element with this value is left out, because it is `{{ optional(…) }}` without a value.
  private func leavesOut(_ value: JSONValue) -> Bool {
    if case .template(let template) = self { template.value.isOptional && value == .null } else { false }
  }
}
