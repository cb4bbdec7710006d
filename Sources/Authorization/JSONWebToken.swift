internal import ByteCodings
public import JSONSyntax
public import ReactorCore

/// A declaration of signed JSON web tokens (RFC 7519, RFC 7515), with all its values resolved.
public struct JSONWebToken: Sendable {
  /// The key that signs.
  public var key: SigningKey
  /// Members of the header besides `alg` and `typ`, in order.
  public var header = JSONObject([])
  /// The claims besides `iat`, `exp` and `jti`, in order.
  public var claims: JSONObject
  /// The time from `iat` to `exp`.
  public var lifetime: Duration
  /// Whether each token has its own identifier, `jti`.
  public var hasIdentifier = false

  /// Builds a declaration.
  public init(key: SigningKey, claims: JSONObject, lifetime: Duration) {
    self.key = key
    self.claims = claims
    self.lifetime = lifetime
  }

  /// Signs a new token.
  ///
  /// - Parameter now: the current time, since 1970; the fraction of a second is left out
  public func signed(at now: Duration) throws(ReactorError) -> String {
    let issued = now.components.seconds
    var header = JSONObject([
      .init(name: "alg", value: .string(key.algorithm.rawValue)), .init(name: "typ", value: "JWT"),
    ])
    for member in self.header.members { header[member.name] = member.value }
    var claims = claims
    claims["iat"] = .integer(issued)
    claims["exp"] = .integer(issued + lifetime.components.seconds)
    if hasIdentifier {
      claims["jti"] = .string(RandomText.hex(bytes: 16))
    }
    return try Self.signed(JSONWriter.bytes(.object(header)), JSONWriter.bytes(.object(claims)), with: key)
  }

  /// Returns the compact serialization (RFC 7515, section 7.1) of a header and a payload.
  static func signed(_ header: [UInt8], _ payload: [UInt8], with key: SigningKey) throws(ReactorError) -> String {
    let input = "\(Base64.encodeURLSafe(header)).\(Base64.encodeURLSafe(payload))"
    do throws(SigningKey.KeyError) {
      return "\(input).\(Base64.encodeURLSafe(try key.signature(of: Array(input.utf8))))"
    } catch {
      throw .server("no token: \(error.message)")
    }
  }
}
