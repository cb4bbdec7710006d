/// Checks mail addresses (RFC 5321, section 4.1.2).
package enum MailAddressText {
  /// Whether a text is an address with a dot-string before the sign and a host after it, of at most 254 bytes.
  ///
  /// Quoted local parts are not accepted: they are rare, and could carry characters of the header.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, let host = parts.last, let local = parts.first else { return false }
    return isDotted(local) { ASCII.isTokenCharacter($0) || $0 == UInt8(ascii: "/") || "={}?".utf8.contains($0) }
      && isDotted(host) { ASCII.isNameCharacter($0) || $0 == UInt8(ascii: "-") }
  }

  /// Whether a text has non-empty parts of certain characters with dots between them.
  private static func isDotted(_ text: Substring.UTF8View.SubSequence, _ isAllowed: (UInt8) -> Bool) -> Bool {
    text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 != UInt8(ascii: ".") && isAllowed($0) } }
  }
}

/// Checks URLs of mail servers.
package enum MailServerText {
  /// The parts of the URL of a mail server.
  package struct Parts: Sendable, Hashable {
    /// Whether the connection is encrypted from its beginning.
    package let isEncrypted: Bool
    /// The host name or address; an IPv6 address with its brackets.
    package let host: String
    /// The port.
    package let port: Int

    /// The URL in its usual form.
    package var url: String { "\(isEncrypted ? "smtps" : "smtp")://\(host):\(port)" }
  }

  /// The parts of a URL with only a scheme, a host and perhaps a port; nil for other texts.
  package static func parts(of text: String) -> Parts? {
    guard let schemeEnd = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<schemeEnd.lowerBound].lowercased()
    guard scheme == "smtp" || scheme == "smtps" else { return nil }
    var rest = text[schemeEnd.upperBound...]
    if rest.hasSuffix("/") { rest.removeLast() }
    var port = scheme == "smtps" ? 465 : 587
    if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
      guard let number = Int(rest[rest.index(after: colon)...]), (1...65535).contains(number) else { return nil }
      port = number
      rest = rest[..<colon]
    }
    let isAddress = rest.hasPrefix("[") && rest.hasSuffix("]") && rest.count > 2
    let name = isAddress ? rest.dropFirst().dropLast() : rest
    guard !name.isEmpty, name.utf8.count <= 253,
      name.utf8.allSatisfy({
        ASCII.isNameCharacter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
          || isAddress && $0 == UInt8(ascii: ":")
      })
    else { return nil }
    return Parts(isEncrypted: scheme == "smtps", host: String(rest), port: port)
  }
}
