internal import ByteCodings

/// Normalises hosts of URLs: names, IPv4 and IPv6 addresses, each in only one spelling.
enum URLHost {
  /// The host in its normalised spelling.
  ///
  /// - Parameter special: true for schemes such as http, whose hosts are domain names or IP addresses; false if the host
  ///   is not interpreted
  static func parse(
    _ text: ArraySlice<UInt8>, special: Bool, allowsZone: Bool
  ) throws(WebURLError) -> String {
    if text.first == UInt8(ascii: "[") {
      guard text.count > 1, text.last == UInt8(ascii: "]") else { throw .ipv6Address }
      let inside = text.dropFirst().dropLast()
      let zone = allowsZone ? inside.firstIndex(of: UInt8(ascii: "%")) ?? inside.endIndex : inside.endIndex
      let name = inside[zone...].dropFirst(3)
      guard let address = IPv6Address(inside[..<zone]),
        zone == inside.endIndex || inside[zone...].starts(with: "%25".utf8) && !name.isEmpty,
        name.allSatisfy(PercentCoding.isUnreserved)
      else { throw .ipv6Address }
      return "[\(address.text)\(String(decoding: inside[zone...], as: UTF8.self))]"
    }
    guard special else {
      if let byte = text.first(where: isForbidden) { throw .hostCharacter(byte) }
      return PercentEncodeSet.controls.encoded(text)
    }
    let name = PercentCoding.decode(text).map(ASCII.lowercased)
    if name.contains(where: { $0 >= 0x80 }) { throw .hostOutsideASCII }
    if let byte = name.first(where: isForbiddenInDomain) { throw .hostCharacter(byte) }
    if name.isEmpty { throw .missingHost }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels where label.starts(with: "xn--".utf8) {
      guard Punycode.isDecodable(label.dropFirst(4)) else { throw .hostLabel }
    }
    if IPv4Address.endsInNumber(labels) {
      guard let address = IPv4Address(labels) else { throw .ipv4Address }
      return address.text
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a byte is a forbidden host code point of the URL standard.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00, 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  private static func isForbiddenInDomain(_ byte: UInt8) -> Bool {
    isForbidden(byte) || byte <= 0x1F || byte == 0x7F || byte == UInt8(ascii: "%")
  }
}
