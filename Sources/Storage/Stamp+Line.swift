internal import ByteCodings

extension Stamp {
  /// The most bytes of a line without its end; longer ones are not ours.
  static let maxLineBytes = 16 * 1024

  private static let maxValidatorBytes = 1024
  private static let version = Array("r1".utf8)
  private static let tab = UInt8(ascii: "\t")

  /// The journal's line for a file of this stamp, without line end.
  ///
  /// `r1 CHECK NAME SIZE HASH WRITTEN RESOURCE SCHEMA RECORDS REJECTED DURABLE ETAG LAST-MODIFIED [CURSOR [CREDENTIALS]]`,
  /// separated by tabs.
  /// CHECK is the `ContentHash` of all that follows its tab; hashes are 16 hex digits, numbers decimal, DURABLE `d` or
  /// `f`, or `a` for a content that is about to be put there, texts percent-escaped, an absent text `-`.
  func line(for name: String, isAnnounced: Bool = false) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(224)
    Stamp.append(text: name, to: &line)
    line.append(Stamp.tab)
    Stamp.append(number: size, to: &line)
    line.append(Stamp.tab)
    Hex.append(hash, to: &line)
    line.append(Stamp.tab)
    Stamp.append(number: provenance.writtenAt, to: &line)
    line.append(Stamp.tab)
    Hex.append(provenance.resource, to: &line)
    line.append(Stamp.tab)
    Hex.append(provenance.schema, to: &line)
    line.append(Stamp.tab)
    Stamp.append(number: Int64(provenance.recordCount), to: &line)
    line.append(Stamp.tab)
    Stamp.append(number: Int64(provenance.rejectedCount), to: &line)
    line.append(Stamp.tab)
    line.append(isAnnounced ? UInt8(ascii: "a") : isDurable ? UInt8(ascii: "d") : UInt8(ascii: "f"))
    for validator in [provenance.etag, provenance.lastModified] {
      line.append(Stamp.tab)
      if let validator, validator.utf8.count <= Stamp.maxValidatorBytes {
        Stamp.append(text: validator, to: &line)
      } else {
        line.append(UInt8(ascii: "-"))
      }
    }
    // Last and only where there is one, so that lines without it are what they always were.
    if let cursor = provenance.cursor, cursor.utf8.count <= Stamp.maxValidatorBytes + 1 {
      line.append(Stamp.tab)
      Stamp.append(text: cursor, to: &line)
    } else if provenance.credentials != nil {
      line += [Stamp.tab, UInt8(ascii: "-")]
    }
    if let credentials = provenance.credentials {
      line.append(Stamp.tab)
      Hex.append(credentials, to: &line)
    }
    var checked = Stamp.version + [Stamp.tab]
    Hex.append(ContentHash.of(line), to: &checked)
    return checked + [Stamp.tab] + line
  }

  /// Reads a line; nil when it is torn, altered or of another version.
  static func parse(_ line: ArraySlice<UInt8>) -> (name: String, stamp: Stamp, isAnnounced: Bool)? {
    guard line.count <= maxLineBytes else { return nil }
    return line.withUnsafeBufferPointer { parse(Fields(rest: $0)) }
  }

  /// The fields of a line, read where they are.
  private struct Fields {
    /// What was not taken yet; nil after the last field.
    var rest: UnsafeBufferPointer<UInt8>?

    /// The next field; empty after the last one, which no field but a text may be.
    mutating func next() -> UnsafeBufferPointer<UInt8> {
      guard let fields = rest else { return UnsafeBufferPointer(start: nil, count: 0) }
      guard let end = fields.firstIndex(of: Stamp.tab) else {
        rest = nil
        return fields
      }
      rest = UnsafeBufferPointer(rebasing: fields[(end + 1)...])
      return UnsafeBufferPointer(rebasing: fields[..<end])
    }
  }

  private static func parse(_ line: Fields) -> (name: String, stamp: Stamp, isAnnounced: Bool)? {
    var fields = line
    guard fields.next().elementsEqual(version), let check = hex(fields.next()), let body = fields.rest,
      check == ContentHash.of(body)
    else {
      return nil
    }
    guard let name = text(fields.next()), let size = integer(fields.next()), size >= 0, let hash = hex(fields.next()),
      let writtenAt = integer(fields.next()), let resource = hex(fields.next()), let schema = hex(fields.next()),
      let records = integer(fields.next()).flatMap({ Int(exactly: $0) }),
      let rejected = integer(fields.next()).flatMap({ Int(exactly: $0) }), records >= 0, rejected >= 0
    else { return nil }
    let isDurable: Bool
    let flag = fields.next()
    switch flag.first {
    case UInt8(ascii: "d") where flag.count == 1: isDurable = true
    case UInt8(ascii: "f") where flag.count == 1, UInt8(ascii: "a") where flag.count == 1: isDurable = false
    default: return nil
    }
    guard fields.rest != nil, let etag = validator(fields.next()), fields.rest != nil,
      let lastModified = validator(fields.next())
    else {
      return nil
    }
    var cursor: String?
    var credentials: UInt64?
    if fields.rest != nil {
      guard let field = validator(fields.next()), field?.isEmpty != true else { return nil }
      cursor = field
      if fields.rest != nil {
        guard let found = hex(fields.next()), fields.rest == nil else { return nil }
        credentials = found
      } else if field == nil {
        return nil
      }
    }
    let provenance = Provenance(
      writtenAt: writtenAt, resource: resource, schema: schema, recordCount: records, rejectedCount: rejected,
      etag: etag, lastModified: lastModified, cursor: cursor, credentials: credentials)
    let stamp = Stamp(size: size, hash: hash, isDurable: isDurable, provenance: provenance)
    return (name, stamp, flag.first == UInt8(ascii: "a"))
  }

  // MARK: - Fields

  /// Escapes what would end a field or a line, and `-` alone, which stands for an absent text.
  private static func append(text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { text in
      if text.count == 1, text[0] == UInt8(ascii: "-") {
        bytes += "%2d".utf8
        return
      }
      guard text.contains(where: isEscaped) else {
        bytes.append(contentsOf: text)
        return
      }
      for byte in text {
        if isEscaped(byte) {
          bytes.append(UInt8(ascii: "%"))
          Hex.append(byte, to: &bytes)
        } else {
          bytes.append(byte)
        }
      }
    }
  }

  /// Appends a number in decimal digits.
  private static func append(number: Int64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = digits.count
      var rest = number.magnitude
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%")
  }

  private static func hex(_ field: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard field.count == 16 else { return nil }
    var value: UInt64 = 0
    for byte in field {
      guard let digit = Hex.value(byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  private static func integer(_ field: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = field.first == UInt8(ascii: "-")
    let digits = isNegative ? field[1...] : field[...]
    guard !digits.isEmpty, digits.count <= 19 else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      // Downwards, because the least number has no positive counterpart.
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = product.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !overflows, !overflowsToo else { return nil }
      value = sum
    }
    if !isNegative {
      guard value != .min else { return nil }
      value = -value
    }
    return value
  }

  /// A text or its absence; nil when it is neither.
  private static func validator(_ field: UnsafeBufferPointer<UInt8>) -> String?? {
    if field.count == 1, field.first == UInt8(ascii: "-") { return .some(nil) }
    return text(field).map { .some($0) }
  }

  private static func text(_ field: UnsafeBufferPointer<UInt8>) -> String? {
    guard field.contains(UInt8(ascii: "%")) else { return String(validating: field, as: UTF8.self) }
    let bytes = Array(field)[...]
    guard PercentCoding.isWellFormed(bytes) else { return nil }
    return String(validating: PercentCoding.decode(bytes), as: UTF8.self)
  }
}
