internal import ByteCodings
internal import FieldTypes
public import JSONSyntax
internal import TimeSyntax

/// Reads the values of one row.
public struct TableRowReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Starts at the first value of a row, after its number of fields.
  public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The bytes of the next value; nil for null. Empty at the end.
  public mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard bytes.count - position >= 4 else { return UnsafeBufferPointer(rebasing: bytes[..<0]) }
    let length = Int(Int32(bitPattern: bytes.bigEndian(at: position)))
    position += 4
    guard length >= 0 else { return nil }
    let end = min(position + length, bytes.count)
    defer { position = end }
    return UnsafeBufferPointer(rebasing: bytes[position..<end])
  }

  /// The length field before a value with `count` bytes, or before null when `count` is nil.
  public static func length(of count: Int?) -> [UInt8] {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: count ?? -1).bigEndian) { Array($0) }
  }

  /// Whole rows with one more value at the end of each.
  ///
  /// - Parameter value: the value as it is written in a row, that is, its length and its bytes
  public static func rows(_ rows: [UInt8], adding value: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(rows.count + rows.count / 4)
    rows.withUnsafeBufferPointer { bytes in
      var start = 0
      while let size = size(bytes, from: start) {
        let count = (Int(bytes[start]) << 8 | Int(bytes[start + 1])) + 1
        out += [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        out += bytes[(start + 2)..<(start + size)]
        out += value
        start += size
      }
    }
    return out
  }

  /// The size of the row that begins at an offset, including its number of fields; nil when it is not complete.
  public static func size(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard bytes.count - start >= 2 else { return nil }
    var (position, left) = (start + 2, Int(bytes[start]) << 8 | Int(bytes[start + 1]))
    while left > 0 {
      guard bytes.count - position >= 4 else { return nil }
      position += 4 + max(0, Int(Int32(bitPattern: bytes.bigEndian(at: position))))
      left -= 1
    }
    return position <= bytes.count ? position - start : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  func bigEndian(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }

  fileprivate var wide: Int64 {
    count == 8 ? Int64(bitPattern: UInt64(bigEndian(at: 0)) << 32 | UInt64(bigEndian(at: 4))) : 0
  }
}

extension TableColumn {
  /// Appends a value as JSON, in the format of a persisted record.
  public func append(json value: UnsafeBufferPointer<UInt8>?, to out: ByteBuffer) {
    guard let value else { return out.append("null") }
    switch encoding {
    case .text: EscapedText.quote(value, into: out)
    case .json: out.append(value)
    case .binaryJSON: out.append(UnsafeBufferPointer(rebasing: value.dropFirst()))
    case .integer: out.append(decimal: value.wide)
    case .double: out.append(utf8: Self.text(Double(bitPattern: UInt64(bitPattern: value.wide))))
    case .boolean: if value.first == 1 { out.append("true") } else { out.append("false") }
    case .decimal: out.append(quoted: TableDecimal.text(value) ?? "NaN")
    case .timestamp: appendTimestamp(value, to: out)
    case .date:
      let days = value.count == 4 ? Int64(Int32(bitPattern: value.bigEndian(at: 0))) : 0
      let instant = InstantText.text((days + TableCellWriter.daysTo2000) * 86_400)
      out.append(quoted: String(instant.prefix(10)))
    case .uuid:
      let digits = Array(Hex.text(Array(value)))
      var text = ""
      for (index, digit) in digits.enumerated() {
        if [8, 12, 16, 20].contains(index) { text += "-" }
        text.append(digit)
      }
      out.append(quoted: text)
    case .bytes: out.append(quoted: Base64.encode(Array(value)))
    }
  }

  private func appendTimestamp(_ value: UnsafeBufferPointer<UInt8>, to out: ByteBuffer) {
    let (seconds, rest) = value.wide.quotientAndRemainder(dividingBy: 1_000_000)
    let isBefore = rest < 0
    let time = CivilTime(
      secondsSince1970: seconds + TableCellWriter.daysTo2000 * 86_400 - (isBefore ? 1 : 0),
      nanosecond: Int(isBefore ? rest + 1_000_000 : rest) * 1000)
    guard let time else { return out.append("null") }
    out.append(UInt8(ascii: "\""))
    InstantText.append(time, to: out)
    out.append(UInt8(ascii: "\""))
  }

  /// The shortest JSON number that is read as the same double.
  private static func text(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }
}
