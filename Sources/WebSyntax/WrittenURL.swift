internal import ByteCodings

/// A URL that a user writes in a file: a base URL or a proxy.
///
/// Scheme, host and port are parsed by `WebURL`. The path and the query stay as they are written. Text that different
/// programs interpret differently is refused: white space, control characters, backslashes, a fragment, and a host that
/// is not a plain name or address. An IPv6 address may have a zone (`%25eth0`, RFC 6874).
public struct WrittenURL: Sendable, Hashable {
  /// Scheme, user information, host and port in normalised spelling.
  public let server: WebURL
  /// The path; empty, or with a leading slash. Characters that no path may contain are escaped; existing escapes stay.
  public let path: String
  /// The query without its question mark; nil when the URL has none.
  public let query: String?

  /// Reads a URL.
  ///
  /// - Parameter mayHoldUser: whether a user and a password may precede the host
  public init(
    _ text: String, schemes: [String] = ["http", "https"], mayHoldUser: Bool = false
  ) throws(WrittenURLError) {
    let bytes = Array(text.utf8)
    if let index = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) {
      throw WrittenURLError(bytes[index] == UInt8(ascii: "\\") ? .backslash : .blank, at: index)
    }
    guard let separator = bytes.firstRange(of: Array("://".utf8)) else { throw WrittenURLError(.noScheme) }
    let scheme = String(decoding: bytes[..<separator.lowerBound], as: UTF8.self).lowercased()
    guard schemes.contains(scheme) else { throw WrittenURLError(.scheme) }
    let start = separator.upperBound
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    if let fragment = bytes[end...].firstIndex(of: UInt8(ascii: "#")) { throw WrittenURLError(.fragment, at: fragment) }
    let hostStart = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    if hostStart > start, !mayHoldUser { throw WrittenURLError(.user, at: start) }
    do throws(WebURLError) {
      let host = bytes[hostStart..<end]
      if host.first != UInt8(ascii: "["), host.contains(UInt8(ascii: "%")) { throw .hostCharacter(UInt8(ascii: "%")) }
      server = try WebURL(
        "\(scheme)://\(String(decoding: bytes[start..<end], as: UTF8.self))", allowsZone: true)
      try server.checkServer()
    } catch {
      throw WrittenURLError(.server(error), at: hostStart)
    }
    let mark = bytes[end...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    path = Self.encoded(bytes[end..<mark], keeping: "/")
    let query = Self.encoded(bytes[mark...].dropFirst(), keeping: "/?")
    self.query = query.isEmpty ? nil : query
  }

  private static func encoded(_ bytes: ArraySlice<UInt8>, keeping separators: String) -> String {
    var result: [UInt8] = []
    PercentCoding.append(bytes, to: &result, keepsEscapes: true) {
      PercentCoding.isPathCharacter($0) || separators.utf8.contains($0)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
