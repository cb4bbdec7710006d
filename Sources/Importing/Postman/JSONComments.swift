/// Removes comments from JSON, as Postman does before it sends a body.
enum JSONComments {
  /// The text without `// …` and `/* … */` outside of its strings.
  static func removed(from text: String) -> String {
    guard text.contains("//") || text.contains("/*") else { return text }
    let bytes = Array(text.utf8)
    var (result, index, isString) = ([UInt8](), 0, false)
    result.reserveCapacity(bytes.count)
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if isString, byte == UInt8(ascii: "\\") {
        result += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      } else if !isString, byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if !isString, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
        index = min(index + 2, bytes.count)
      } else {
        if byte == UInt8(ascii: "\"") { isString.toggle() }
        result.append(byte)
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
