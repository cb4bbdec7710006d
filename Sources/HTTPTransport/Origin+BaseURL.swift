internal import ReactorCore

extension Origin {
  /// The origin of a base URL that was checked before, as libcurl will connect to it.
  init(of baseURL: String) throws(ReactorError) {
    if let plain = Self.plain(baseURL) {
      self = plain
      return
    }
    guard let address = try? WebAddress(baseURL) else { throw .server("the base URL cannot be used") }
    self = address.origin
  }

  /// The origin of a base URL so plain that every parser reads it alike; nil when libcurl's has to judge.
  ///
  /// It spares most runs that are answered from persisted results the loading of libcurl. A host with a letter behind
  /// its last dot is a name and no way of writing an IPv4 address.
  static func plain(_ text: String) -> Origin? {
    var rest = text.utf8[...]
    let scheme: String
    if rest.starts(with: "https://".utf8) {
      scheme = "https"
    } else if rest.starts(with: "http://".utf8) {
      scheme = "http"
    } else {
      return nil
    }
    rest = rest.dropFirst(scheme.utf8.count + 3)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard rest.dropFirst(authority.count).allSatisfy(Self.isPlainPathByte) else { return nil }
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    guard !host.isEmpty, host.allSatisfy(Self.isPlainHostByte), isName(host) || isDottedQuad(host) else { return nil }
    var port = scheme == "https" ? 443 : 80
    if host.count < authority.count {
      let digits = authority.dropFirst(host.count + 1)
      guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"), digits.allSatisfy(Self.isDigit),
        let number = Int(String(decoding: digits, as: UTF8.self)), number <= 65_535
      else { return nil }
      port = number
    }
    return Origin(scheme: scheme, host: String(decoding: host, as: UTF8.self), port: port)
  }

  private static func isName(_ host: Substring.UTF8View) -> Bool {
    guard let last = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last,
      let lead = last.first
    else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lead)
  }

  private static func isDottedQuad(_ host: Substring.UTF8View) -> Bool {
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(isDigit) && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isPlainHostByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  private static func isPlainPathByte(_ byte: UInt8) -> Bool {
    isPlainHostByte(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "_")
  }
}
