internal import TimeSyntax

extension ISO8601 {
  /// Whether the text already has the persisted format, `YYYY-MM-DDTHH:MM:SSZ`, and names an existing instant.
  @inline(__always)
  static func isPersistedForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[19] == UInt8(ascii: "Z")
    else { return false }
    @inline(__always) func pair(_ position: Int) -> Int {
      let tens = bytes[position] &- 0x30
      let ones = bytes[position + 1] &- 0x30
      return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : -100_000
    }
    let year = pair(0) * 100 + pair(2)
    let month = pair(5)
    let day = pair(8)
    guard year >= 0, month >= 1, month <= 12, day >= 1, day <= 31 else { return false }
    guard day <= 28 || day <= GregorianCalendar.length(ofMonth: month, in: year) else { return false }
    let hour = pair(11)
    let minute = pair(14)
    let second = pair(17)
    return hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59
  }
}
