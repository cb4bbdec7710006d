internal import ByteCodings

/// Recognises the drive letters of `file` URLs (`C:`, `c|`), which dot segments never remove.
enum DriveLetter {
  /// Whether the bytes are a letter followed by `:` or `|`.
  static func isWritten(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 2, let first = bytes.first, let last = bytes.last else { return false }
    return ASCII.isLetter(first) && (last == UInt8(ascii: ":") || last == UInt8(ascii: "|"))
  }

  /// Whether a segment is a letter followed by a colon.
  static func isNormalized(_ segment: String.UTF8View) -> Bool {
    guard segment.count == 2, let first = segment.first else { return false }
    return ASCII.isLetter(first) && segment.last == UInt8(ascii: ":")
  }

  /// Whether a text begins with a drive letter that is followed by the end of the text or by `/`, `\`, `?` or `#`.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard isWritten(bytes.prefix(2)) else { return false }
    guard let third = bytes.dropFirst(2).first else { return true }
    return third == UInt8(ascii: "/") || third == UInt8(ascii: "\\") || third == UInt8(ascii: "?")
      || third == UInt8(ascii: "#")
  }
}
