#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The URL that resources are relative to: scheme, host, port, and a path and a query of its own (RFC 3986).
///
/// Only `http` and `https`, always with a host, never with user information or a fragment.
public struct BaseURL: Sendable, Hashable {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case; an IPv6 address in brackets.
  public let host: String
  /// The port as written, else nil: the scheme's own.
  public let writtenPort: Int?
  /// The path, percent-encoded; empty, or with a leading slash.
  public let path: String
  /// The query, percent-encoded, without its question mark; nil when there is none.
  public let query: String?

  /// The port: the one written, else 80 or 443.
  public var port: Int { writtenPort ?? (scheme == "https" ? 443 : 80) }

  /// Scheme, host and port as they are written in a URL, without a slash at the end.
  public let origin: String

  /// Reads a base URL; the error says what to change and never repeats a password.
  public init(parsing text: String) throws(ReactorError) {
    let bytes = Array(text.utf8)
    if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw BaseURL.refusal("holds white space or a control character")
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: Array("://".utf8))
    else { throw BaseURL.refusal("needs a scheme and a host, as in http://host/path") }
    scheme = String(decoding: bytes[..<colon].map(BaseURL.lowercase), as: UTF8.self)
    guard scheme == "http" || scheme == "https" else {
      throw BaseURL.refusal("has a scheme that is not http or https")
    }
    let authorityStart = colon + 3
    let authorityEnd =
      bytes[authorityStart...].firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "\\")
      } ?? bytes.endIndex
    if authorityEnd < bytes.endIndex, bytes[authorityEnd] == UInt8(ascii: "\\") {
      throw BaseURL.refusal("holds a backslash after the host")
    }
    (host, writtenPort) = try BaseURL.hostAndPort(bytes[authorityStart..<authorityEnd])
    origin = "\(scheme)://\(host)\(writtenPort.map { ":\($0)" } ?? "")"
    if bytes[authorityEnd...].contains(UInt8(ascii: "#")) { throw BaseURL.refusal("holds a fragment ('#')") }
    let mark = bytes[authorityEnd...].firstIndex(of: UInt8(ascii: "?"))
    var encoded: [UInt8] = []
    PercentEncoding.appendPath(bytes[authorityEnd..<(mark ?? bytes.endIndex)], to: &encoded)
    path = String(decoding: encoded, as: UTF8.self)
    guard let mark, mark + 1 < bytes.endIndex else {
      query = nil
      return
    }
    encoded.removeAll()
    PercentEncoding.appendWrittenQuery(bytes[(mark + 1)...], to: &encoded)
    query = String(decoding: encoded, as: UTF8.self)
  }

  private static func hostAndPort(_ authority: ArraySlice<UInt8>) throws(ReactorError) -> (String, Int?) {
    if authority.contains(UInt8(ascii: "@")) {
      throw refusal("holds user information ('@'); send credentials in a header")
    }
    let hostEnd: Int
    if authority.first == UInt8(ascii: "[") {
      guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else {
        throw refusal("has an IPv6 address without its closing ']'")
      }
      hostEnd = bracket + 1
      guard isIPv6(authority[(authority.startIndex + 1)..<bracket]) else {
        throw refusal("has something in brackets that is not an IPv6 address")
      }
    } else {
      hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      try checkName(authority[authority.startIndex..<hostEnd])
    }
    let host = String(decoding: authority[authority.startIndex..<hostEnd].map(lowercase), as: UTF8.self)
    guard hostEnd < authority.endIndex else { return (host, nil) }
    let digits = authority[(hostEnd + 1)...]
    guard authority[hostEnd] == UInt8(ascii: ":"), digits.count <= 5,
      digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    else { throw refusal("has a port that is not a number from 1 to 65535") }
    if digits.isEmpty { return (host, nil) }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard (1...65535).contains(port) else { throw refusal("has a port that is not a number from 1 to 65535") }
    return (host, port)
  }

  /// A registered name or an IPv4 address. Escapes in a name are legal in RFC 3986, but no resolver reads them alike.
  private static func checkName(_ name: ArraySlice<UInt8>) throws(ReactorError) {
    if name.isEmpty { throw refusal("has no host") }
    if name.contains(where: { $0 >= 0x80 }) {
      throw refusal("has a host outside ASCII; write its xn-- form")
    }
    guard name.allSatisfy({ PercentEncoding.isUnreserved($0) }) else {
      throw refusal("has a host with a character that no host name holds")
    }
  }

  /// An IPv6 address, with or without a zone (`%25eth0`, RFC 6874).
  private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    var address = text
    if let percent = text.firstIndex(of: UInt8(ascii: "%")) {
      let zone = text[percent...].dropFirst(3)
      guard text[percent...].starts(with: Array("%25".utf8)), !zone.isEmpty,
        zone.allSatisfy({ PercentEncoding.isUnreserved($0) })
      else { return false }
      address = text[..<percent]
    }
    var result = in6_addr()
    return inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &result) == 1
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func refusal(_ reason: String) -> ReactorError { .server("the base URL \(reason)") }
}
