public import JSONSyntax
public import ReactorCore

/// A sequence of requests to an API, whose last response has a token.
public struct LoginSequence: Sendable {
  /// One request of the login.
  public struct Step: Sendable {
    /// Builds the request from the values captured from earlier responses.
    public var resource: @Sendable (_ captures: [String: String]) throws(ReactorError) -> Resource
    /// The method and the URL without its query, with secrets masked.
    public var shown: String
    /// The values to capture from the response, by name.
    public var captures: [(name: String, path: JSONPath)]

    /// Builds a step.
    public init(
      shown: String, captures: [(name: String, path: JSONPath)] = [],
      resource: @escaping @Sendable ([String: String]) throws(ReactorError) -> Resource
    ) {
      self.shown = shown
      self.captures = captures
      self.resource = resource
    }
  }

  /// The location of the token in the last response.
  public enum TokenLocation: Sendable {
    /// A path in the JSON body.
    case body(JSONPath)
    /// A header field with this name.
    case header(String)
  }

  /// The source of the token's lifetime.
  public enum Expiry: Sendable {
    /// A fixed duration.
    case after(Duration)
    /// A path in the JSON body of the last response.
    case path(JSONPath)
  }

  /// The requests in order; at least one.
  public var steps: [Step]
  /// The location of the token in the last response.
  public var token: TokenLocation
  /// The source of the token's lifetime; nil when the token is used until the server rejects it.
  public var expiry: Expiry?

  /// Builds a sequence.
  public init(_ steps: [Step], token: TokenLocation, expiry: Expiry?) {
    self.steps = steps
    self.token = token
    self.expiry = expiry
  }
}
