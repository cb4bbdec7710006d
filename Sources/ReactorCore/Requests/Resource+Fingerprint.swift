internal import ByteCodings

extension Resource {
  /// The identity of a request, by which its result is persisted: 64 hexadecimal digits.
  ///
  /// Method, path, query, headers and body count; the order of differently named query parameters and headers, and the
  /// case of header names, do not. It is a SHA-256 digest, so that no credential can be read from a stored one.
  ///
  /// - Parameter scope: what else the result depends on, such as the base URL and the flow's name.
  public func fingerprint(scope: String = "") -> String {
    var message: [UInt8] = []
    // Each part follows its length, so two lists of parts never give one message.
    func append(_ part: some Collection<UInt8>) { message += Array("\(part.count):".utf8) + part }
    append(scope.utf8)
    append(method.rawValue.utf8)
    append((path.utf8.first == UInt8(ascii: "/") ? path : "/" + path).utf8)
    for pairs in [query.map { ($0.name, $0.value) }, headers.fields.map { (Headers.lowercase($0.name), $0.value) }] {
      append("\(pairs.count)".utf8)
      // Equal names keep their order, which has a meaning: the sort is stable.
      for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) {
        append(name.utf8)
        append(value.utf8)
      }
    }
    append((body == nil ? "none" : "body").utf8)
    append(body ?? [])
    return SHA256Digest(of: message).hex
  }
}
