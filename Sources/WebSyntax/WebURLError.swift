/// The reason why a text is not a URL.
///
/// The error contains no part of the text except one byte, because the text may contain a password.
public enum WebURLError: Error, Hashable, Sendable {
  /// The text is relative, and there is no base, or the base has no path segments (`mailto:someone`).
  case relativeWithoutBase
  /// The scheme needs a host, and the text has none.
  case missingHost
  /// User information is present, but no host follows.
  case credentialsWithoutHost
  /// The host contains characters outside ASCII; its `xn--` form must be used.
  case hostOutsideASCII
  /// The host contains a byte that is not allowed in hosts.
  case hostCharacter(UInt8)
  /// An `xn--` label of the host does not decode to a name outside ASCII (Punycode, RFC 3492).
  case hostLabel
  /// The host ends in a number and is not an IPv4 address.
  case ipv4Address
  /// The text in brackets is not an IPv6 address, or the bracket is not closed.
  case ipv6Address
  /// The text contains a control character, which URL readers drop or escape.
  case controlCharacter
  /// The port is not a number from 0 to 65535, or is 0 in a URL that is to be requested.
  case port
}

extension WebURLError: CustomStringConvertible {
  /// The text that completes "the URL …".
  public var description: String {
    switch self {
    case .relativeWithoutBase: "is relative, but there is no base URL"
    case .missingHost: "has no host"
    case .credentialsWithoutHost: "has user information but no host"
    case .hostOutsideASCII: "has a host with characters outside ASCII; write its xn-- form"
    case .hostCharacter(let byte):
      if byte > 0x20 && byte < 0x7F {
        "has a host with '\(Unicode.Scalar(byte))', which is not allowed in hosts"
      } else {
        "has a host with white space or a control character"
      }
    case .hostLabel: "has a host with an xn-- label that is not Punycode"
    case .ipv4Address: "has a host that ends in a number and is not an IPv4 address"
    case .ipv6Address: "has something in brackets that is not an IPv6 address"
    case .controlCharacter: "contains a control character"
    case .port: "has a port that is not a number from 1 to 65535"
    }
  }
}
