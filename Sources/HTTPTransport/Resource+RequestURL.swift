internal import ReactorCore

extension Resource {
  /// The whole URL: base path and path joined, the base's query first, then the resource's.
  func requestURL(relativeTo base: String) throws(ReactorError) -> String {
    var url = base
    var query: Substring?
    if let mark = url.firstIndex(of: "?") {
      query = base[base.index(after: mark)...]
      url = String(url[..<mark])
    }
    if path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      throw .server("the path holds a character that must be percent-encoded")
    }
    if url.hasSuffix("/") { url.removeLast() }
    if !path.hasPrefix("/") { url += "/" }
    url += path
    var separator = "?"
    if let query, !query.isEmpty {
      url += "?\(query)"
      separator = "&"
    }
    for item in self.query {
      url += "\(separator)\(Self.escape(item.name))=\(Self.escape(item.value))"
      separator = "&"
    }
    return url
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        escaped += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return escaped
  }
}
