internal import ByteCodings
public import ReactorCore

/// A credential and its location in a request.
public struct Credential: Sendable, Hashable {
  /// The location of a credential in a request.
  public enum Location: Sendable, Hashable {
    /// A header field with this name.
    case header(String)
    /// A query parameter with this name.
    case query(String)
    /// A member of a JSON body, or a pair of a form body, with this name.
    case body(String)
  }

  /// The location of the credential in a request.
  public var location: Location
  private let value: String

  /// Builds a credential.
  public init(_ location: Location, _ value: String) {
    self.location = location
    self.value = value
  }

  /// `Authorization: Bearer …` (RFC 6750, section 2.1).
  public static func bearer(_ token: String) -> Credential {
    Credential(.header("Authorization"), "Bearer \(token)")
  }

  /// `Authorization: Basic …` in UTF-8 (RFC 7617, section 2).
  public static func basic(username: String, password: String) -> Credential {
    Credential(.header("Authorization"), "Basic \(Base64.encode(Array("\(username):\(password)".utf8)))")
  }

  /// Returns the request with the credential; an existing value of the same name is replaced.
  ///
  /// - Throws: `.server` when the location is a body that is neither a JSON object nor a form; nothing was sent.
  public func applied(to resource: Resource) throws(ReactorError) -> Resource {
    var resource = resource
    switch location {
    case .header(let name):
      resource.headers[name] = value
    case .query(let name):
      resource.query.removeAll { $0.name == name }
      resource.query.append(Resource.QueryItem(name, value))
    case .body(let name):
      resource.body = try CredentialBody.adding(name, value, to: resource)
    }
    return resource
  }

  /// The text that must not be shown: the value, without the name of the scheme before it.
  package var secret: String {
    guard case .header(let name) = location, Headers.matches(name, "Authorization"),
      let space = value.firstIndex(of: " ")
    else { return value }
    return String(value[value.index(after: space)...])
  }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The location; never the value.
  public var description: String { "credential in \(location)" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// Shows only the location, so that a dump does not show the value.
  public var customMirror: Mirror { Mirror(self, children: ["place": location]) }
}
