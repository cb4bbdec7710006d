internal import ByteCodings
internal import WebSyntax

extension Resource {
  /// Returns the complete URL: the base path joined with the path, then the base's query, then this resource's query.
  ///
  /// A missing slash at the start of the path is added. Escapes such as `%20` in the path are not changed. Query names
  /// and values are plain text; all their characters except unreserved characters are encoded. A path with control
  /// characters, `?`, `#`, or a `.` or `..` segment is rejected, because servers and proxies treat such paths
  /// differently.
  ///
  /// - Throws: `.server` with a message about what to change; nothing was sent.
  public func url(relativeTo base: String) throws(ReactorError) -> String {
    try url(relativeTo: try BaseURL(parsing: base))
  }

  /// Returns the complete URL, relative to a base URL that was parsed before.
  public func url(relativeTo base: BaseURL) throws(ReactorError) -> String {
    if let target { return try extended(target) }
    try checkPath()
    let basePath = base.path
    var url = base.origin
    if path.isEmpty {
      url += basePath.isEmpty ? "/" : basePath
    } else {
      url += basePath.hasSuffix("/") ? basePath.dropLast() : basePath[...]
      if path.utf8.first != UInt8(ascii: "/") { url += "/" }
      var escaped: [UInt8] = []
      PercentCoding.append(Array(path.utf8)[...], to: &escaped, keepsEscapes: true) {
        PercentCoding.isPathCharacter($0) || $0 == UInt8(ascii: "/")
      }
      url += String(decoding: escaped, as: UTF8.self)
    }
    let query = (base.query.map { [$0] } ?? []) + (try Self.texts(query))
    return query.isEmpty ? url : url + "?" + query.joined(separator: "&")
  }

  private static func texts(_ items: [QueryItem]) throws(ReactorError) -> [String] {
    var texts: [String] = []
    for item in items {
      let value = item.isUnescaped ? try unescaped(item) : PercentCoding.encode(item.value)
      texts.append(PercentCoding.encode(item.name) + "=" + value)
    }
    return texts
  }

  /// The value of an unescaped item as written, except that characters that no query may contain are encoded. White
  /// space is an error.
  private static func unescaped(_ item: QueryItem) throws(ReactorError) -> String {
    guard !item.value.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw .server(
        "the unescaped parameter '\(item.name)' contains a space or a control character; write %20 for a space")
    }
    var result: [UInt8] = []
    PercentCoding.append(Array(item.value.utf8)[...], to: &result, keepsEscapes: true) {
      PercentCoding.isPathCharacter($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the URL with those query parameters of the resource added that the URL does not have.
  private func extended(_ target: String) throws(ReactorError) -> String {
    let written = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target.utf8[$0...].dropFirst() }
    let names = (written ?? target.utf8.suffix(0)).split(separator: UInt8(ascii: "&")).map {
      $0.prefix { $0 != UInt8(ascii: "=") }
    }
    let added = query.filter { item in
      let name = PercentCoding.encode(item.name)
      return !names.contains { $0.elementsEqual(name.utf8) }
    }
    if added.isEmpty { return target }
    return target + (written == nil ? "?" : "&") + (try Self.texts(added)).joined(separator: "&")
  }

  private func checkPath() throws(ReactorError) {
    for byte in path.utf8 {
      switch byte {
      case 0..<0x20, 0x7F: throw .server("the path contains a control character")
      case UInt8(ascii: "?"): throw .server("the path contains a '?'; declare the query separately, or write %3F")
      case UInt8(ascii: "#"): throw .server("the path contains a fragment ('#'); write %23 for the character itself")
      default: break
      }
    }
    // Escaped dots are rejected too: many servers unescape a path before they resolve it.
    guard Array(path.utf8).split(separator: UInt8(ascii: "/")).allSatisfy({ DotSegment($0) == nil }) else {
      throw .server("the path contains a '.' or '..' segment")
    }
  }
}
