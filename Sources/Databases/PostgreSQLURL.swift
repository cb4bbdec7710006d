internal import ByteCodings

/// The URL of a PostgreSQL server, as the user wrote it.
///
/// In its messages, libpq quotes parts that it cannot read. If a password contains a character with a meaning in URLs,
/// that can be a part of the password. So a URL that libpq would misread is refused first, with a message that contains
/// no part of it.
enum PostgreSQLURL {
  /// Throws if a character of the user name or password makes a URL ambiguous; does not check `keyword=value` lists.
  static func check(_ url: String) throws(SQLError) {
    let bytes = Array(url.utf8)
    guard let scheme = ["postgres://", "postgresql://"].first(where: { url.hasPrefix($0) }) else { return }
    let rest = bytes[scheme.utf8.count...]
    let place = rest.prefix { $0 != UInt8(ascii: "?") }
    let authority = place.prefix { $0 != UInt8(ascii: "/") }
    let signs = place.filter { $0 == UInt8(ascii: "@") }.count
    guard signs == 0 || signs == 1 && authority.contains(UInt8(ascii: "@")), hasWholeEscapes(bytes) else {
      throw SQLError(
        .statement, "the URL of the database cannot be read: its user name or password has '%', '/', '@', '?' or '#'",
        help: "write such a character percent-encoded: %25, %2F, %40, %3F, %23")
    }
  }

  private static func hasWholeEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.indices.allSatisfy { index in
      guard bytes[index] == UInt8(ascii: "%") else { return true }
      return index + 2 < bytes.count && Hex.value(bytes[index + 1]) != nil && Hex.value(bytes[index + 2]) != nil
    }
  }

  /// A message of libpq about a connection, without the parameters that it quotes.
  static func message(_ text: String) -> String {
    let kinds = [
      "connection info string", "connection option", "URI", "percent-encoded", "query parameter", "IPv6 host address",
    ]
    return kinds.contains { text.contains($0) } ? "the parameters of the connection cannot be read" : text
  }
}
