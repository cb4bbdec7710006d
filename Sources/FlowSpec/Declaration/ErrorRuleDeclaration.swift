public import Expressions

/// What is done about some responses of a flow.
public struct ErrorRuleDeclaration: Sendable {
  /// What is done.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    case fail, retry, wait, skip, stop
  }

  /// Whether the rule applies: an expression over `status`, `headers` and `response`.
  public var when: Located<Expression>
  /// What is done when it does.
  public var action: Action
  /// What the error says, over the same names; nil for words that name the condition.
  public var message: Located<Template>?

  /// Whether the condition or the message look at the body.
  public var needsBody: Bool {
    when.value.references.contains { $0.root == "response" }
      || message?.value.segments.contains { segment in
        if case .expression(let expression) = segment {
          expression.references.contains { $0.root == "response" }
        } else {
          false
        }
      } ?? false
  }
}
