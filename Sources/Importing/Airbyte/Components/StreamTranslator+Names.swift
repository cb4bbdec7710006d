/// Names of parameters, headers and members. Here they are known before a run; in manifests they may be templates.
extension StreamTranslator {
  /// The name of a member; records a loss and returns nil when it depends on the configuration or the run.
  func name(of member: SourceNode.Member, in field: String, of component: Component) -> String? {
    guard Self.isTemplate(member.name) else { return member.name }
    guard let name = constant(member.value.with(member.name), of: component) else {
      lose(
        .request, "\(field): the name \(member.name)", needs: "a name that is known before a run", at: member.value)
      return nil
    }
    guard !name.isEmpty else {
      skip("\(field): the name \(member.name)", reason: "it is empty, and a server does not read it", at: member.value)
      return nil
    }
    return name
  }

  /// The name and the value of a written pair `NAME=VALUE` of a query; records a loss and returns nil when it has no
  /// counterpart. The whole pair may be one expression, such as `{{ 'size=' ~ config['size'] }}`.
  func pair(_ text: String, _ node: SourceNode, of component: Component) -> (name: String, value: FlowTemplate)? {
    let (name, value) = URLText.split(text, at: "=")
    guard Self.isTemplate(name) else {
      return template(node.with(value), of: component, as: "query", canBeLeftOut: true).map { (name, $0) }
    }
    do throws(JinjaError) {
      if let only = try JinjaTemplate(text).only, let pair = Self.pair(only) {
        let value = try JinjaTranslator(names.of(component)).translate(pair.value)
        return (pair.name, FlowTemplate(expression: value, canBeLeftOut: true))
      }
    } catch {
      lose(.expression, "query: \(text)", needs: "a translatable text: \(error.message)", at: node)
      return nil
    }
    let member = SourceNode.Member(name: name, value: node.with(value))
    guard let name = self.name(of: member, in: "query", of: component) else { return nil }
    return template(member.value, of: component, as: "query", canBeLeftOut: true).map { (name, $0) }
  }

  /// The name and the value of a pair that an expression returns as one text; nil if the name itself is computed.
  private static func pair(_ expression: JinjaExpression) -> (name: String, value: JinjaExpression)? {
    switch expression {
    case .text(let text):
      let (name, value) = URLText.split(text, at: "=")
      guard !name.isEmpty, name.utf8.count < text.utf8.count, !text.contains("&") else { return nil }
      return (name, .text(value))
    case .binary(let left, let kind, let right) where kind == .join || kind == .plus:
      guard let (name, first) = pair(left), !mentionsPairs(right) else { return nil }
      return (name, first == .text("") ? right : .binary(first, kind, right))
    // If the pair has no value, the request has no such parameter.
    case .conditional(let condition, let then, let otherwise)
    where otherwise == nil || otherwise == .text("") || otherwise == JinjaExpression.none:
      return pair(then).map { ($0.name, .conditional(condition, then: $0.value, otherwise: nil)) }
    default: return nil
    }
  }

  /// Whether a joined text contains `&`, and so the beginning of another pair.
  private static func mentionsPairs(_ expression: JinjaExpression) -> Bool {
    switch expression {
    case .text(let text): text.contains("&")
    case .binary(let left, _, let right): mentionsPairs(left) || mentionsPairs(right)
    case .conditional(_, let then, let otherwise): mentionsPairs(then) || otherwise.map(mentionsPairs) ?? false
    default: false
    }
  }

  private static func isTemplate(_ name: String) -> Bool { name.contains("{{") || name.contains("{%") }
}
