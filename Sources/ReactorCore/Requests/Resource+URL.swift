internal import ByteCodings
internal import WebSyntax

extension Resource {
  /// The whole URL: base path and path joined, the base's query first, then this resource's in order.
  ///
  /// A missing leading slash is added; escapes such as `%20` in the path stay as they are; query names and values are
  /// plain text, of which everything but unreserved characters is encoded. Refused, because servers and proxies
  /// disagree about them: a path with control characters, `?`, `#`, or a `.` or `..` segment.
  ///
  /// - Throws: `.server` naming what to change; nothing was sent.
  public func url(relativeTo base: String) throws(ReactorError) -> String {
    try url(relativeTo: try BaseURL(parsing: base))
  }

  /// The whole URL, relative to a base that was read before.
  public func url(relativeTo base: BaseURL) throws(ReactorError) -> String {
    if let target { return extended(target) }
    try checkPath()
    let basePath = base.path.utf8
    var url: [UInt8] = []
    url.reserveCapacity(base.origin.utf8.count + basePath.count + path.utf8.count + 2)
    url.append(contentsOf: base.origin.utf8)
    if path.isEmpty {
      url.append(contentsOf: basePath)
      if basePath.isEmpty { url.append(UInt8(ascii: "/")) }
    } else {
      url.append(contentsOf: basePath.last == UInt8(ascii: "/") ? basePath.dropLast() : basePath[...])
      if path.utf8.first != UInt8(ascii: "/") { url.append(UInt8(ascii: "/")) }
      PercentCoding.append(Array(path.utf8)[...], to: &url, keepsEscapes: true) {
        PercentCoding.isPathCharacter($0) || $0 == UInt8(ascii: "/")
      }
    }
    var separator = UInt8(ascii: "?")
    if let query = base.query {
      url.append(separator)
      url.append(contentsOf: query.utf8)
      separator = UInt8(ascii: "&")
    }
    for item in query {
      url.append(separator)
      url += PercentCoding.encode(item.name).utf8
      url.append(UInt8(ascii: "="))
      url += PercentCoding.encode(item.value).utf8
      separator = UInt8(ascii: "&")
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// A given URL with the query parameters that it lacks.
  private func extended(_ target: String) -> String {
    guard !query.isEmpty else { return target }
    var url = Array(target.utf8)
    let written = url.firstIndex(of: UInt8(ascii: "?")).map { url[($0 + 1)...] }
    let names = Set(
      (written ?? []).split(separator: UInt8(ascii: "&")).map { Array($0.prefix { $0 != UInt8(ascii: "=") }) })
    var separator = UInt8(ascii: written == nil ? "?" : "&")
    for item in query {
      let name = Array(PercentCoding.encode(item.name).utf8)
      if names.contains(name) { continue }
      url.append(separator)
      url += name + [UInt8(ascii: "=")]
      url += PercentCoding.encode(item.value).utf8
      separator = UInt8(ascii: "&")
    }
    return String(decoding: url, as: UTF8.self)
  }

  private func checkPath() throws(ReactorError) {
    for byte in path.utf8 {
      switch byte {
      case 0..<0x20, 0x7F: throw .server("the path holds a control character")
      case UInt8(ascii: "?"): throw .server("the path holds a '?'; give the query as such, or write %3F")
      case UInt8(ascii: "#"): throw .server("the path holds a fragment ('#'); write %23 for the character itself")
      default: break
      }
    }
    // Also when its dots are escaped: many servers unescape before they resolve.
    guard Array(path.utf8).split(separator: UInt8(ascii: "/")).allSatisfy({ DotSegment($0) == nil }) else {
      throw .server("the path holds a '.' or '..' segment")
    }
  }
}
