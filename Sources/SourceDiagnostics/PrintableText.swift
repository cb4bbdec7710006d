/// Makes texts from files and servers safe to print on a terminal.
public enum PrintableText {
  /// Replaces invisible characters with visible text (`<U+001B>`, `\n`).
  ///
  /// The result has at most `limit` characters. If more follow, `...` is appended.
  public static func of(_ text: String, limit: Int = 500) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= limit { return result + "..." }
      count += 1
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isShownAsItself: result.unicodeScalars.append(scalar)
      default: result += scalar.escaped
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows this scalar as a visible mark or as a plain space.
  ///
  /// False for control and format characters, line and paragraph separators, every space except U+0020, and code points
  /// that Unicode has not assigned. These characters can hide text, reverse its direction or control the terminal.
  package var isShownAsItself: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      return false
    default:
      return true
    }
  }

  /// Whether the scalar is drawn over the preceding scalar and takes no column.
  package var isCombining: Bool {
    guard value >= 0x300 else { return false }
    if (0x1160...0x11FF).contains(value) || (0x1F3FB...0x1F3FF).contains(value) { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Whether the scalar takes two columns on a terminal (East Asian wide and full-width forms, emoji).
  package var isWide: Bool {
    guard value >= 0x1100 else { return false }
    if properties.isEmojiPresentation { return true }
    return Self.wideRanges.contains { $0.contains(value) }
  }

  /// Whether the scalar is one of the two scalars that form a flag.
  package var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// The scalar's code point as visible text: `<U+001B>`.
  var escaped: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
  }

  /// Ranges of wide or full-width characters (UAX #11).
  ///
  /// Emoji are not listed, because a Unicode property identifies them.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
