public import Expressions

/// A rule for some of a flow's responses: a condition, and the reaction to a response that matches it.
public struct ErrorRule: Sendable {
  /// The reaction to a response that matches the rule.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    case fail, retry, wait, skip, stop, cap, shrink
  }

  /// The condition of the rule: an expression over `status`, `headers` and `response`.
  public var when: Located<Expression>
  /// The reaction to a response that matches the rule.
  public var action: Action
  /// The message of the error, which can use the names of the condition `when`; nil means the default message.
  ///
  /// The compiler fills in the variables; a template with `status`, `headers` and `response` remains.
  public var message: Setting<ExpressionTemplate>?
  /// The expression for the wait before the request is sent again, which may use the names of the condition `when`; nil
  /// means the wait of `retry`.
  public var wait: Located<Expression>?

  /// Creates a rule.
  public init(
    when: Located<Expression>, action: Action, message: Setting<ExpressionTemplate>?, wait: Located<Expression>?
  ) {
    self.when = when
    self.action = action
    self.message = message
    self.wait = wait
  }
}
