internal import ByteCodings

/// Reads numbers of seconds as headers contain them.
enum DecimalSeconds {
  /// A number without sign and exponent, which may have white space around it; nil for any other text.
  static func parse(_ text: some StringProtocol) -> Double? {
    let bytes = ASCII.trimmed(Array(text.utf8)[...])
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }) else {
      return nil
    }
    return Double(String(decoding: bytes, as: UTF8.self))
  }
}
