internal import ByteCodings

extension Resource {
  /// Returns the identity of a request, by which its result is persisted: 64 hexadecimal digits.
  ///
  /// The identity depends on method, path, query, headers and body. It does not depend on the case of header names, or
  /// on the order of query parameters or headers with different names. It is a SHA-256 digest, so no credential can be
  /// read from a stored identity.
  ///
  /// - Parameter scope: other inputs of the result, such as the base URL and the flow's name.
  public func fingerprint(scope: String = "") -> String {
    var message: [UInt8] = []
    // The length before each part makes the message unambiguous: different lists of parts never give the same message.
    func append(_ part: some Collection<UInt8>) {
      message += String(part.count).utf8
      message.append(UInt8(ascii: ":"))
      message += part
    }
    append(scope.utf8)
    append(method.rawValue.utf8)
    append((path.utf8.first == UInt8(ascii: "/") ? path : "/" + path).utf8)
    for pairs in [query.map { ($0.name, $0.value) }, headers.fields.map { (Headers.lowercase($0.name), $0.value) }] {
      append("\(pairs.count)".utf8)
      // Equal names keep their order, because that order has a meaning. The sort is stable.
      for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) {
        append(name.utf8)
        append(value.utf8)
      }
    }
    let unescaped = query.filter(\.isUnescaped).map(\.name).sorted()
    if !unescaped.isEmpty { append("unescaped \(unescaped.joined(separator: "&"))".utf8) }
    if let target { append("url \(target)".utf8) }
    append((body == nil ? "none" : "body").utf8)
    append(body ?? [])
    return SHA256Digest(of: message).hex
  }
}
