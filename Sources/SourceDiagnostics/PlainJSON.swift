package import JSONSyntax

/// Writes JSON with invisible characters (control, format, direction of text) as `\uXXXX`.
package enum PlainJSON {
  /// The text of a value on one line, without a line end.
  package static func bytes(_ value: JSONValue) -> [UInt8] {
    let bytes = JSONWriter.bytes(value)
    guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    // Outside of strings, JSON is ASCII, so every other scalar is inside a string and may be escaped.
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.value < 0x7F || scalar.isShownAsItself {
        plain.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        continue
      }
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
        let digits = String(unit, radix: 16)
        plain.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
    return plain
  }
}
