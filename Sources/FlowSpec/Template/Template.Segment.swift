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
    /// `NAME`: what a login has taken from an answer, `token` above all; known inside of `login` and `oauth2` only
    case captured(String)
  }
}
