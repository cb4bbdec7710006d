internal import JSONSyntax

/// `@text` and its like.
enum Format: String, Sendable, Hashable, CaseIterable {
  case text
  case json
  case html
  case uri
  case csv
  case tsv
  case sh
  case base64
  case base64d
}

extension Meter {
  mutating func formatted(_ value: JSONValue, as format: Format) throws(Interruption) -> String {
    let result: String
    switch format {
    case .text: return try shown(value)
    case .json: return try written(value)
    case .csv, .tsv: result = try row(value, format)
    case .sh: result = try quoted(value)
    case .html:
      var bytes: [UInt8] = []
      for byte in try shown(value).utf8 {
        switch byte {
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "'"): bytes += "&#39;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        default: bytes.append(byte)
        }
      }
      result = String(decoding: bytes, as: UTF8.self)
    case .uri:
      let digits = Array("0123456789ABCDEF".utf8)
      var bytes: [UInt8] = []
      for byte in try shown(value).utf8 {
        if Lexer.isWordStart(byte) || Lexer.isDigit(byte) || "-.~".utf8.contains(byte) {
          bytes.append(byte)
        } else {
          bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      result = String(decoding: bytes, as: UTF8.self)
    case .base64: result = Base64.encode(try shown(value))
    case .base64d:
      let text = try shown(value)
      guard let decoded = Base64.decode(text) else {
        throw .message("\(JSONValue.string(text).shown) is not valid base64 data")
      }
      result = decoded
    }
    try build(32 + result.utf8.count)
    try step(result.utf8.count / 4)
    return result
  }

  private mutating func row(_ value: JSONValue, _ format: Format) throws(Interruption) -> String {
    guard case .array(let cells) = value else {
      throw .message("\(value.shown) cannot be \(format.rawValue)-formatted, only an array can be")
    }
    var texts: [String] = []
    for cell in cells {
      try step()
      switch cell {
      case .null: texts.append("")
      case .bool, .number: texts.append(try written(cell))
      case .string(let text):
        try build(text.utf8.count)
        try step(text.utf8.count / 16)
        texts.append(format == .csv ? Self.csv(text) : Self.tsv(text))
      default: throw .message("\(cell.shown) is not valid in a csv row")
      }
    }
    return texts.joined(separator: format == .csv ? "," : "\t")
  }

  private static func csv(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func tsv(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  private mutating func quoted(_ value: JSONValue) throws(Interruption) -> String {
    var cells = [value]
    if case .array(let elements) = value { cells = elements }
    var texts: [String] = []
    for cell in cells {
      try step()
      switch cell {
      case .string(let text):
        try build(text.utf8.count)
        try step(text.utf8.count / 16)
        texts.append(
          "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'")
      case .array, .object: throw .message("\(cell.shown) can not be escaped for shell")
      default: texts.append(try written(cell))
      }
    }
    return texts.joined(separator: " ")
  }
}

/// RFC 4648, section 4.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Padding may be missing; bytes that are no UTF-8 become U+FFFD. Nil for a sign that is not in the alphabet.
  static func decode(_ text: String) -> String? {
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    var signs = Array(text.utf8)
    while signs.last == UInt8(ascii: "=") { signs.removeLast() }
    guard signs.count % 4 != 1 else { return nil }
    for sign in signs {
      let value: Int
      switch sign {
      case 0x41...0x5A: value = Int(sign) - 0x41
      case 0x61...0x7A: value = Int(sign) - 0x61 + 26
      case 0x30...0x39: value = Int(sign) - 0x30 + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      bits = (bits << 6 | value) & 0xFFFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
