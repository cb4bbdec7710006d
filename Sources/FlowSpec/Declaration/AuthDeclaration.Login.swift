public import JSONSyntax

extension AuthDeclaration {
  /// Requests of the API itself, the last of which gives a token.
  public struct Login: Sendable {
    /// Where a token is in a response.
    public enum TokenLocation: Sendable {
      /// In its JSON.
      case body(Located<JSONPath>)
      /// In a header field.
      case header(Located<String>)
    }

    /// How long a token is good for.
    public enum Expiry: Sendable {
      /// Always as long, in seconds.
      case after(Located<Double>)
      /// As the response says: a number of seconds, or the moment as ISO 8601.
      case path(Located<JSONPath>)
    }

    /// What is asked: a request whose templates may use what earlier answers gave.
    public struct Request: Sendable {
      /// The request method in upper case.
      public var method: String
      /// The path, relative to the base URL.
      public var path: Located<Template>
      /// Values for the braces in the path, by name.
      public var params: [NamedTemplate]
      /// Query parameters in order.
      public var query: [NamedTemplate]
      /// Headers of this request alone.
      public var headers: [NamedTemplate]
      /// The body, if any.
      public var body: BodyDeclaration?
    }

    /// A request before the last one.
    public struct Step: Sendable {
      /// What is asked.
      public var request: Request
      /// What is taken from the response for later requests, by name.
      public var capture: [(name: Located<String>, from: Located<JSONPath>)]
    }

    /// The server that is asked; nil for the flow's own.
    public var baseURL: Located<Template>?
    /// The requests before the last one, in order.
    public var steps: [Step]
    /// The request that gives the token.
    public var request: Request
    /// Where the token is.
    public var token: TokenLocation
    /// How long it is good for; nil: until the server refuses it.
    public var expiry: Expiry?
    /// How it is used.
    public var use: TokenUse
  }
}
