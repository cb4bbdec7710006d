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
    func append(_ bytes: some Collection<UInt8>) {
      // Lengths in front keep neighbouring texts apart.
      message.append(contentsOf: "\(bytes.count):".utf8)
      message.append(contentsOf: bytes)
    }
    append(scope.utf8)
    append(method.rawValue.utf8)
    append((path.utf8.first == UInt8(ascii: "/") ? path : "/" + path).utf8)
    append("\(query.count)".utf8)
    for (name, value) in Resource.sorted(query.map { ($0.name, $0.value) }) {
      append(name.utf8)
      append(value.utf8)
    }
    append("\(headers.fields.count)".utf8)
    for (name, value) in Resource.sorted(headers.fields.map { (Headers.lowercase($0.name), $0.value) }) {
      append(name.utf8)
      append(value.utf8)
    }
    append((body == nil ? "none" : "body").utf8)
    append(body ?? [])
    return SHA256Digest(of: message).hex
  }

  /// Sorted by name; equal names keep their order, which has a meaning.
  private static func sorted(_ pairs: [(String, String)]) -> [(String, String)] {
    pairs.enumerated()
      .sorted { $0.element.0 == $1.element.0 ? $0.offset < $1.offset : $0.element.0 < $1.element.0 }
      .map(\.element)
  }
}
