import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What expressions over an answer that may be an error may use.
  private static let errorNames = [
    ExpressionType.Member("status", .int), ExpressionType.Member("headers", .map(.string)),
    ExpressionType.Member("response", .dynamic),
  ]

  /// The rules of `errors`, in order; nil when the key is left out.
  mutating func errorRules(_ value: FieldValue?) -> [ErrorRuleDeclaration]? {
    guard let value, let elements = elements(of: value) else { return nil }
    if elements.isEmpty {
      report(.missingValue, "'errors' is empty", at: value.node.range, help: "leave it out, or write a rule")
    }
    let names = runtimeNames
    runtimeNames = Self.errorNames
    defer { runtimeNames = names }
    return elements.compactMap { errorRule($0) }
  }

  private mutating func errorRule(_ value: FieldValue) -> ErrorRuleDeclaration? {
    guard let fields = open(value.node, as: .errorRule, owner: value.node.range) else { return nil }
    let when = fields.value("when").flatMap { expression($0, of: .bool) }
    let action = choice(fields.value("do"), ErrorRuleDeclaration.Action.allCases.map(\.rawValue))
      .flatMap(ErrorRuleDeclaration.Action.init(rawValue:))
    let message = fields.value("message").flatMap { lineTemplate($0) }
    if let key = fields.key("message"), action == .skip || action == .stop {
      report(
        .misplacedKey, "'message' means nothing for a rule that is no failure", at: key, help: "leave it out")
    }
    guard let when, let action else { return nil }
    return ErrorRuleDeclaration(when: when, action: action, message: message)
  }
}
