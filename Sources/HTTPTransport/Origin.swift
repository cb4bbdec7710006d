/// Scheme, host and port: the border that secrets do not cross.
struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  let scheme: String
  /// Lower case; IPv6 addresses in brackets.
  let host: String
  /// The port, the scheme's default filled in.
  let port: Int

  /// `https://host`, with the port where it is not the scheme's default.
  var description: String {
    port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
