import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What expressions over a response that may be an error may use.
  private static let errorNames = [
    ExpressionType.Member("status", .int), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("response", .dynamic),
  ]

  /// The rules of `errors`, in order.
  mutating func errorRules(_ value: FieldValue) -> [ErrorRuleDeclaration]? {
    guard let elements = elements(of: value) else { return nil }
    if elements.isEmpty {
      report(.missingValue, "'errors' is empty", at: value.node.range, help: "leave it out, or write a rule")
    }
    let scope = value.scope.with(Self.errorNames)
    return elements.compactMap { errorRule($0.node, scope) }
  }

  private mutating func errorRule(_ node: YAMLNode, _ scope: Scope) -> ErrorRuleDeclaration? {
    guard let nodes = open(node, as: ErrorRuleKeys.construct, owner: node.range, scope: scope) else { return nil }
    let when = read(ErrorRuleKeys.when, of: nodes)
    let action = read(ErrorRuleKeys.action, of: nodes)
    let message = read(ErrorRuleKeys.message, of: nodes)
    if let key = nodes.key(ErrorRuleKeys.message), action == .skip || action == .stop {
      report(
        .misplacedKey, "'message' means nothing for a rule that is no failure", at: key, help: "leave it out")
    }
    guard let when, let action else { return nil }
    return ErrorRuleDeclaration(when: when, action: action, message: message)
  }
}
