internal import ByteCodings

/// The encoding of forms, `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
package enum FormText {
  /// Returns a name or a value in the form encoding.
  package static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    PercentCoding.append(Array(text.utf8)[...], to: &bytes) {
      ASCII.isLetter($0) || ASCII.isDigit($0) || " *-._".utf8.contains($0)
    }
    bytes.replace([UInt8(ascii: " ")], with: [UInt8(ascii: "+")])
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns pairs in the form encoding, in order.
  package static func encoded(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }
}
