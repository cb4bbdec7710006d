/// Excerpts of external text that are safe to print on a terminal.
package enum TextExcerpt {
  private static let longest = 60

  /// Returns the text from an offset on, truncated and in quotes.
  package static func quoted(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String {
    "'" + plain(bytes[min(start, bytes.count)...]) + "'"
  }

  /// Returns the text, truncated, with escapes for invisible characters.
  package static func plain(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let text = String(decoding: bytes.prefix(longest), as: UTF8.self)
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        shown.unicodeScalars.append(scalar)
      }
    }
    return bytes.count > longest ? shown + "…" : shown
  }
}
