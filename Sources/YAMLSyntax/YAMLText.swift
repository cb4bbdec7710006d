/// Writes YAML scalars that a YAML reader reads back as exactly the same text.
///
/// Equal texts are always written in the same notation.
package enum YAMLText {
  /// Returns a scalar for use after `key: ` or `- `; it may have several lines.
  ///
  /// The lines of a block are indented by `indent` spaces.
  package static func scalar(_ text: String, indent: Int) -> String {
    if isBlock(text) { return block(text, indent: indent) }
    if text.utf8.contains(UInt8(ascii: "\"")), text.unicodeScalars.allSatisfy(isShown) {
      return "'" + text.replacing("'", with: "''") + "'"
    }
    return quoted(text)
  }

  /// Returns a scalar in double quotes, on one line.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isShown(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let (letter, width) = scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
          result += "\\\(letter)" + String(repeating: "0", count: width - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  /// Whether a text has several lines of plain characters, so that a block is easier to read.
  private static func isBlock(_ text: String) -> Bool {
    guard text.utf8.contains(0x0A), text.utf8.count <= 1 << 20 else { return false }
    return text.unicodeScalars.allSatisfy { $0 == "\n" || isShown($0) } && text.utf8.contains { $0 > 0x20 }
  }

  /// Returns a literal block that preserves every line end.
  ///
  /// The block's header contains the indentation (`|2`), so the first line may begin with spaces.
  private static func block(_ text: String, indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let endsWithBreak = lines.last?.isEmpty ?? false
    if endsWithBreak { lines.removeLast() }
    // The written indentation is relative to the key, which is indented by two spaces less.
    return "|2" + (endsWithBreak ? "+" : "-") + lines.map { "\n" + ($0.isEmpty ? "" : space + $0) }.joined()
  }

  /// Whether every editor shows a character as itself and in the written order.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x3041...0x3096, 0x30A1...0x30FA,
      0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x2190...0x21FF:
      true
    default: false
    }
  }
}
