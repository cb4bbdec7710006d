extension FieldSpec {
  /// What becomes of a secret in a key's template.
  public enum SecretUse: Sendable, Hashable {
    /// It is filled in.
    case allowed
    /// It is filled in, with a warning: URLs end up in logs of servers and proxies.
    case warned
    /// It is an error: the text is shown or becomes a file name.
    case refused
  }
}
