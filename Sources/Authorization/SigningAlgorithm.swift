/// An algorithm for the signatures of JSON web tokens (RFC 7518, section 3.1).
public enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// HMAC with a shared key.
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"
  /// RSA with PKCS#1 v1.5 padding.
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  /// ECDSA with the curves P-256, P-384 and P-521.
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"

  /// Whether the key is shared with the server; other algorithms have a private key.
  public var isShared: Bool {
    switch self {
    case .hs256, .hs384, .hs512: true
    case .rs256, .rs384, .rs512, .es256, .es384, .es512: false
    }
  }

  /// The size of the digest in bits.
  var bits: Int {
    switch self {
    case .hs256, .rs256, .es256: 256
    case .hs384, .rs384, .es384: 384
    case .hs512, .rs512, .es512: 512
    }
  }
  /// The number of bytes of each of the two numbers of an ECDSA signature; nil for other algorithms.
  var numberLength: Int? {
    switch self {
    case .es256: 32
    case .es384: 48
    // The numbers have 521 bits.
    case .es512: 66
    default: nil
    }
  }
}
