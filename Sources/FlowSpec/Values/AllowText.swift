package import FlowModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads an entry of `http.allow`.
///
/// An entry is a host name with `*` for any characters, an address, or a range of addresses.
package enum AllowText {
  private static let expected = "a host (api.example.com, *.example.com) or addresses (10.0.0.0/8, fd00::/8, 127.0.0.1)"

  /// Parses a host or an address range.
  package static func value(of text: String) throws(ValueError) -> Transfer.Destination {
    guard !text.isEmpty, text.utf8.count <= 300, !text.utf8.contains(where: { ASCII.isControl($0) || $0 == 0x20 })
    else { throw ValueError(expected: expected) }
    if let scheme = text.firstIndex(of: ":"), text[scheme...].hasPrefix("://") {
      let rest = text[scheme...].dropFirst(3)
      throw ValueError(
        expected: expected, detail: "it is a URL, and hosts are listed without scheme and path",
        suggestion: right(String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })))
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let host = String(parts[0])
    if let bytes = Self.bytes(host) { return try network(bytes, host, parts.count > 1 ? parts[1] : nil) }
    if parts.count > 1 {
      throw ValueError(
        expected: expected, detail: "'\(host)' is not an address, and only addresses have ranges",
        suggestion: right(host))
    }
    return try name(host)
  }

  /// The host without brackets and port, for a suggestion; nil if it is not a valid entry.
  private static func right(_ text: String) -> String? {
    let plain = text.hasPrefix("[") ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
    guard !plain.hasPrefix("["), (try? value(of: String(plain))) != nil else { return nil }
    return String(plain)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    var storage = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &storage) == 1 { return Array(storage.prefix(4)) }
    return inet_pton(AF_INET6, text, &storage) == 1 ? storage : nil
  }

  private static func network(
    _ address: [UInt8], _ host: String, _ length: Substring?
  ) throws(ValueError) -> Transfer.Destination {
    let most = address.count * 8
    guard let length else { return .network(bytes: address, bits: most, text: host) }
    guard length.utf8.allSatisfy(ASCII.isDigit), let bits = Int(length), bits <= most, "\(bits)" == length else {
      throw ValueError(expected: expected, detail: "the prefix length after '/' must be from 0 to \(most)")
    }
    var first = address
    for index in first.indices {
      let bitCount = min(8, max(0, bits - index * 8))
      first[index] &= bitCount == 0 ? 0 : UInt8(truncatingIfNeeded: 0xff << (8 - bitCount))
    }
    guard first == address else {
      throw ValueError(
        expected: expected, detail: "'\(host)' is not the first address of the range",
        suggestion: notation(first).map { "\($0)/\(bits)" })
    }
    return .network(bytes: first, bits: bits, text: "\(host)/\(bits)")
  }

  private static func notation(_ address: [UInt8]) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, 64) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func name(_ text: String) throws(ValueError) -> Transfer.Destination {
    let plain = text.lowercased()
    if text.contains(":") || text.hasPrefix("[") {
      throw ValueError(
        expected: expected, detail: "write the address without brackets and without a port", suggestion: right(text))
    }
    let labels = plain.split(separator: ".", omittingEmptySubsequences: false)
    let isSpelt = labels.allSatisfy { label in
      !label.isEmpty
        && label.utf8.allSatisfy {
          ASCII.isNameCharacter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "*")
        }
    }
    guard isSpelt else {
      throw ValueError(
        expected: expected,
        detail: plain.utf8.allSatisfy { $0 < 0x80 } ? nil : "names that are not ASCII are written as 'xn--…'")
    }
    // Name resolvers read a name that looks like a number as an address.
    if labels.allSatisfy({ $0.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "*") } && $0 != "*" })
      || labels.last?.utf8.allSatisfy(ASCII.isDigit) == true || labels.last?.hasPrefix("0x") == true
      || (labels.last == "*" && labels.first?.utf8.allSatisfy(ASCII.isDigit) == true)
    {
      throw ValueError(expected: expected, detail: "addresses are written as 127.0.0.1 and ranges as 10.0.0.0/8")
    }
    return .host(plain)
  }
}
