/// What may be asked over the network, as one entry of `http.allow` says it.
public enum AllowDeclaration: Sendable, Hashable {
  /// Hosts whose name fits a pattern: lower case, `*` stands for any characters.
  case host(String)
  /// Addresses that begin with the same bits: 4 bytes (IPv4) or 16 (IPv6), and how many bits count. The text is the
  /// entry in its usual notation.
  case network(bytes: [UInt8], bits: Int, text: String)

  /// The entry as messages show it.
  public var text: String {
    switch self {
    case .host(let pattern): pattern
    case .network(_, _, let text): text
    }
  }
}
