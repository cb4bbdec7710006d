internal import ByteCodings

extension Resource {
  /// The identity of what is asked, under which its result is kept: 64 hexadecimal digits.
  ///
  /// Method, path, query, headers and body count; the order of differently named query parameters and headers, and the
  /// case of header names, do not. It is a SHA-256 digest, so that no credential can be read from a stored one.
  ///
  /// - Parameter scope: what else the result depends on, such as the base URL and the flow's name.
  public func fingerprint(scope: String = "") -> String {
    var message = Message(room: 256 + scope.utf8.count + path.utf8.count + (body?.count ?? 0))
    message.append(scope)
    message.append(method.rawValue)
    message.append(path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    message.append(number: query.count)
    for (name, value) in Resource.sorted(query.map { ($0.name, $0.value) }) {
      message.append(name)
      message.append(value)
    }
    message.append(number: headers.fields.count)
    for (name, value) in Resource.sorted(headers.fields.map { (Headers.lowercase($0.name), $0.value) }) {
      message.append(name)
      message.append(value)
    }
    message.append(body == nil ? "none" : "body")
    message.append(length: body?.count ?? 0)
    message.bytes += body ?? []
    return SHA256Digest(of: message.bytes).hex
  }

  /// What is digested: texts, each behind its length, which keeps neighbours apart.
  private struct Message {
    var bytes: [UInt8] = []

    init(room: Int) { bytes.reserveCapacity(room) }

    mutating func append(length: Int) {
      append(digitsOf: length)
      bytes.append(UInt8(ascii: ":"))
    }

    mutating func append(_ text: String) {
      var text = text
      text.withUTF8 { text in
        append(length: text.count)
        bytes.append(contentsOf: text)
      }
    }

    /// A number as the text of its digits.
    mutating func append(number: Int) {
      append(length: number < 10 ? 1 : String(number).utf8.count)
      append(digitsOf: number)
    }

    private mutating func append(digitsOf number: Int) {
      if number < 10 { bytes.append(UInt8(ascii: "0") + UInt8(number)) } else { bytes += String(number).utf8 }
    }
  }

  /// Sorted by name; equal names keep their order, which has a meaning.
  private static func sorted(_ pairs: [(String, String)]) -> [(String, String)] {
    if pairs.count < 2 { return pairs }
    return pairs.enumerated()
      .sorted { $0.element.0 == $1.element.0 ? $0.offset < $1.offset : $0.element.0 < $1.element.0 }
      .map(\.element)
  }
}
