/// Checks base URLs: http or https, a host, no user information, no fragment.
public enum BaseURLText {
  /// Refuses what cannot be a base URL.
  /// - Parameters:
  ///   - isWhole: false for the text in front of a template, of which only the part that is there is checked.
  public static func check(_ text: String, isWhole: Bool = true) throws(URLFault) {
    try check(text, schemes: ["http", "https"], name: "base URL", mayHoldUser: false, isWhole: isWhole)
  }

  /// Refuses what cannot be a proxy's URL; here user information is allowed.
  public static func checkProxy(_ text: String, isWhole: Bool = true) throws(URLFault) {
    try check(
      text, schemes: ["http", "https", "socks5", "socks5h"], name: "proxy", mayHoldUser: true, isWhole: isWhole)
  }

  private static func check(
    _ text: String, schemes: [String], name: String, mayHoldUser: Bool, isWhole: Bool
  ) throws(URLFault) {
    let bytes = Array(text.utf8)
    if let bad = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) {
      throw URLFault("a \(name) holds no spaces, backslashes or control characters", at: bad)
    }
    guard let schemeEnd = firstRange(of: Array("://".utf8), in: bytes) else {
      let isScheme = !isWhole && schemes.contains { "\($0)://".hasPrefix(text.lowercased()) }
      guard !isScheme else { return }
      throw URLFault(
        "the \(name) '\(text)' has no scheme",
        help: "write \(schemes.contains("https") && name == "base URL" ? "https" : "http")://\(text)")
    }
    let scheme = String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased()
    guard schemes.contains(scheme) else {
      throw URLFault("a \(name) starts with http:// or https://, not \(scheme)://")
    }
    let start = schemeEnd + 3
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    let authority = bytes[start..<end]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")), !mayHoldUser {
      _ = at
      throw URLFault(
        "a \(name) holds no user information", at: start,
        help: "send it in a header: Authorization: \"Basic {{ secrets.NAME }}\"")
    }
    if isWhole || end < bytes.count { try checkHost(authority, name: name) }
    if let fragment = bytes[end...].firstIndex(of: UInt8(ascii: "#")) {
      throw URLFault("a \(name) has no fragment", at: fragment, help: "leave out '#' and what follows")
    }
  }

  private static func checkHost(_ authority: ArraySlice<UInt8>, name: String) throws(URLFault) {
    var host = authority
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
    let hasBracket = host.first == UInt8(ascii: "[")
    let hostEnd: Int
    if hasBracket {
      guard let close = host.firstIndex(of: UInt8(ascii: "]")) else {
        throw URLFault("the IPv6 address is not closed with ']'", at: host.startIndex)
      }
      hostEnd = close + 1
    } else {
      hostEnd = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
    }
    guard hostEnd > host.startIndex else { throw URLFault("the \(name) has no host", at: host.startIndex) }
    let rest = host[hostEnd...]
    guard !rest.isEmpty else { return }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit),
      let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
    else { throw URLFault("the port is a number from 1 to 65535", at: hostEnd) }
  }

  private static func firstRange(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first { bytes[$0..<$0 + pattern.count].elementsEqual(pattern) }
  }
}
