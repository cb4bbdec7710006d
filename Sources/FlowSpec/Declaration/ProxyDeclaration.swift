/// Which proxy is used, when the environment's is not.
public enum ProxyDeclaration: Sendable {
  /// None, whatever the environment says.
  case direct
  /// This one, with templates.
  case url(Located<Template>)
}
