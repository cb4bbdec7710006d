internal import ByteCodings

/// Which bytes of a part of a URL are percent-encoded: the sets of the URL standard, each holding all bytes above 0x7E.
struct PercentEncodeSet: Sendable {
  /// Bit n for the byte n, for bytes below 128.
  private let low: UInt64
  private let high: UInt64

  /// Control characters and what is outside ASCII.
  static let controls = PercentEncodeSet(base: nil, adding: "\u{7F}")
  static let fragment = PercentEncodeSet(base: controls, adding: " \"<>`")
  static let query = PercentEncodeSet(base: controls, adding: " \"#<>")
  static let specialQuery = PercentEncodeSet(base: query, adding: "'")
  static let path = PercentEncodeSet(base: query, adding: "?^`{}")
  static let userinfo = PercentEncodeSet(base: path, adding: "/:;=@[\\]|")

  private init(base: PercentEncodeSet?, adding text: String) {
    var low = base?.low ?? 0xFFFF_FFFF
    var high = base?.high ?? 0
    for byte in text.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
    self.low = low
    self.high = high
  }

  func contains(_ byte: UInt8) -> Bool {
    if byte >= 0x80 { return true }
    return (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
  }

  /// The bytes with those of the set as `%XX`; escapes that stand in them already are left alone.
  func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    PercentCoding.append(bytes, to: &result) { !contains($0) }
    return String(decoding: result, as: UTF8.self)
  }
}
