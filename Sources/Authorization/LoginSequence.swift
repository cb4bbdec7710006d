public import JSONSyntax
public import ReactorCore

/// Requests of an API that give a token, in order.
public struct LoginSequence: Sendable {
  /// One request.
  public struct Step: Sendable {
    /// The request, made of what earlier responses gave.
    public var resource: @Sendable (_ captures: [String: String]) throws(ReactorError) -> Resource
    /// Method and URL without query, secrets masked.
    public var shown: String
    /// What is taken from the response, by name.
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

  /// Where the token is in the last response.
  public enum TokenLocation: Sendable {
    /// In its JSON.
    case body(JSONPath)
    /// In a header field.
    case header(String)
  }

  /// How long the token is good for.
  public enum Expiry: Sendable {
    /// Always as long.
    case after(Duration)
    /// As the last response says.
    case path(JSONPath)
  }

  /// In order; at least one.
  public var steps: [Step]
  /// Where the token is in the last response.
  public var token: TokenLocation
  /// How long it is good for; nil: until the server refuses it.
  public var expiry: Expiry?

  /// Builds a sequence.
  public init(_ steps: [Step], token: TokenLocation, expiry: Expiry?) {
    self.steps = steps
    self.token = token
    self.expiry = expiry
  }
}
