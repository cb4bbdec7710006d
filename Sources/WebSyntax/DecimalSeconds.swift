internal import ByteCodings

/// Parses the decimal numbers in header fields, such as numbers of seconds.
enum DecimalSeconds {
  /// The value of a number without sign and exponent, with or without white space around it; nil for any other text.
  static func parse(_ text: some StringProtocol) -> Double? {
    let bytes = ASCII.trimmed(Array(text.utf8)[...])
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }) else {
      return nil
    }
    return Double(String(decoding: bytes, as: UTF8.self))
  }
}
