extension AuthDeclaration {
  /// Where a token that was obtained goes, and in what words.
  public struct TokenUse: Sendable {
    /// A header or a query parameter.
    public var place: AuthLocationDeclaration
    /// What stands there, with `{{ token }}` in it; nil is the token itself, in `Authorization` after `Bearer`.
    public var value: Located<Template>?
  }

  /// A token of an authorization server (RFC 6749).
  public struct OAuth2: Sendable {
    /// What is shown to get a token.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
      /// The client's own credentials, section 4.4.
      case clientCredentials = "client_credentials"
      /// A refresh token, section 6.
      case refreshToken = "refresh_token"
    }

    /// How the client proves who it is, section 2.3.1.
    public enum Sending: String, Sendable, Hashable, CaseIterable {
      /// In the header `Authorization`.
      case basic
      /// As fields of the form.
      case body
    }

    /// What is shown to get a token.
    public var grant: Grant
    /// The token endpoint.
    public var tokenURL: Located<Template>
    /// The client's name.
    public var clientID: Located<Template>
    /// The client's password; public clients have none.
    public var clientSecret: Located<Template>?
    /// What is asked for, in order.
    public var scopes: [Located<Template>]
    /// For whom the token is to be.
    public var audience: Located<Template>?
    /// Further fields of the form.
    public var params: [NamedTemplate]
    /// The refresh token of the first run.
    public var refreshToken: Located<Template>?
    /// How the client proves who it is.
    public var send: Sending
    /// Whether a new refresh token of a response replaces the old one for good.
    public var isSingleUse: Bool
    /// How the token is used.
    public var use: TokenUse
  }
}
