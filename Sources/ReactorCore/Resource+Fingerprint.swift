internal import ByteCodings

extension Resource {
  /// The identity of what is asked, under which its result is kept: 64 hexadecimal digits.
  ///
  /// Method, path, query, headers and body count; the order of differently named query parameters and headers, and the
  /// case of header names, do not. It is a SHA-256 digest, so that no credential can be read from a stored one.
  ///
  /// - Parameter scope: what else the result depends on, such as the base URL and the flow's name.
  public func fingerprint(scope: String = "") -> String {
    var message: [UInt8] = []
    message.reserveCapacity(256 + scope.utf8.count + path.utf8.count + (body?.count ?? 0))
    // Lengths in front keep neighbouring texts apart.
    func append(length: Int) {
      if length < 10 {
        message.append(UInt8(ascii: "0") + UInt8(length))
      } else {
        message.append(contentsOf: String(length).utf8)
      }
      message.append(UInt8(ascii: ":"))
    }
    func append(_ text: String) {
      append(length: text.utf8.count)
      message.append(contentsOf: text.utf8)
    }
    append(scope)
    append(method.rawValue)
    append(path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    append(String(query.count))
    for (name, value) in Resource.sorted(query.map { ($0.name, $0.value) }) {
      append(name)
      append(value)
    }
    append(String(headers.fields.count))
    for (name, value) in Resource.sorted(headers.fields.map { (Headers.lowercase($0.name), $0.value) }) {
      append(name)
      append(value)
    }
    append(body == nil ? "none" : "body")
    append(length: body?.count ?? 0)
    message.append(contentsOf: body ?? [])
    return SHA256Digest(of: message).hex
  }

  /// Sorted by name; equal names keep their order, which has a meaning.
  private static func sorted(_ pairs: [(String, String)]) -> [(String, String)] {
    if pairs.count < 2 { return pairs }
    return pairs.enumerated()
      .sorted { $0.element.0 == $1.element.0 ? $0.offset < $1.offset : $0.element.0 < $1.element.0 }
      .map(\.element)
  }
}
