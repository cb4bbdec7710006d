public import Expressions

extension Template {
  /// A piece of a template.
  public enum Segment: Sendable, Hashable {
    /// Text as it is.
    case text(String)
    /// `vars.NAME`
    case variable(String)
    /// `secrets.NAME`
    case secret(String)
    /// `env.NAME`
    case environment(String)
    /// Anything else between the braces.
    case expression(Expression)
  }
}
