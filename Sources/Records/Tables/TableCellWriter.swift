internal import ByteCodings
internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

/// Writes cells as the values of a row: a 32-bit length, then the bytes.
struct TableCellWriter {
  private let cells: CellWriter
  private let out: ByteBuffer
  private let allowsNUL: Bool

  init(_ batch: RecordBatch, _ out: ByteBuffer, allowsNUL: Bool) {
    cells = CellWriter(batch: batch)
    self.out = out
    self.allowsNUL = allowsNUL
  }

  /// Appends the value of a cell; returns the reason why the column cannot store it, or nil.
  @inline(__always)
  func append(_ cell: Cell, as encoding: TableColumn.Encoding) -> TableValueProblem? {
    switch (cell.kind, encoding) {
    case (.windowText, .text):
      // A text in the window has no escapes, so it has no U+0000.
      out.append(bigEndian: Int32(bitPattern: cell.length))
      out.append(cells.window + Int(cell.value), Int(cell.length))
      return nil
    case (.integer, .integer):
      out.append(bigEndian: Int32(8))
      out.append(bigEndian: cell.value)
      return nil
    case (.integer, .double) where cell.value.magnitude <= 1 << 53:
      out.append(bigEndian: Int32(8))
      out.append(bigEndian: Int64(bitPattern: Double(cell.value).bitPattern))
      return nil
    case (.null, _), (.absent, _), (.mismatch, _):
      out.append(bigEndian: Int32(-1))
      return nil
    case (_, .json), (_, .binaryJSON): return appendJSON(cell, encoding)
    default: return appendScalar(cell, encoding)
    }
  }

  private func appendScalar(_ cell: Cell, _ encoding: TableColumn.Encoding) -> TableValueProblem? {
    switch cell.kind {
    case .windowText:
      return append(UnsafeBufferPointer(start: cells.window + Int(cell.value), count: Int(cell.length)), as: encoding)
    case .windowNumber:
      return append(UnsafeBufferPointer(start: cells.window + Int(cell.value), count: Int(cell.length)), as: encoding)
    case .ownText, .ownNumber, .json: return append(cells.bytes(of: cell, in: cells.text.bytes), as: encoding)
    case .constant: return appendConstant(cells.bytes(of: cell, in: cells.plan.constants), as: encoding)
    case .integer, .true, .false:
      let text = ByteBuffer(capacity: 32)
      cells.append(cell, to: text)
      return text.withBytes { append($0, as: encoding) }
    case .null, .absent, .mismatch:
      out.append(bigEndian: Int32(-1))
      return nil
    }
  }

  /// Appends a default value, which is JSON.
  private func appendConstant(
    _ json: UnsafeBufferPointer<UInt8>, as encoding: TableColumn.Encoding
  ) -> TableValueProblem? {
    guard json.first == UInt8(ascii: "\"") else { return append(json, as: encoding) }
    let content = UnsafeBufferPointer(rebasing: json[1..<(json.count - 1)])
    guard content.contains(UInt8(ascii: "\\")) else { return append(content, as: encoding) }
    let text = ByteBuffer(capacity: content.count)
    _ = EscapedText.unescape(content, into: text)
    return text.withBytes { append($0, as: encoding) }
  }

  private func appendJSON(_ cell: Cell, _ encoding: TableColumn.Encoding) -> TableValueProblem? {
    let start = out.count
    out.append(bigEndian: Int32(0))
    if encoding == .binaryJSON { out.append(1) }
    let content = out.count
    cells.append(cell, to: out)
    if !allowsNUL, Self.namesNUL(UnsafeBufferPointer(rebasing: out.bytes[content...])) { return .nul }
    out.replace(at: start, bigEndian: Int32(truncatingIfNeeded: out.count - start - 4))
    return nil
  }

  /// Whether JSON text contains the escape `\u0000`.
  private static func namesNUL(_ json: UnsafeBufferPointer<UInt8>) -> Bool {
    let backslash = UInt8(ascii: "\\")
    var position = 0
    while let found = json[position...].firstIndex(of: backslash) {
      if json[found...].starts(with: #"\u0000"#.utf8) { return true }
      // The character after a backslash belongs to its escape.
      position = min(found + 2, json.count)
    }
    return false
  }

  private func append(
    _ text: UnsafeBufferPointer<UInt8>, as encoding: TableColumn.Encoding
  ) -> TableValueProblem? {
    switch encoding {
    case .text:
      if !allowsNUL, text.contains(0) { return .nul }
      out.append(bigEndian: Int32(truncatingIfNeeded: text.count))
      out.append(text)
    case .integer:
      guard let value = NumberToken.exactInt64(text) else { return .form("an integer of 64 bits") }
      out.append(bigEndian: Int32(8))
      out.append(bigEndian: value)
    case .double:
      guard let value = ExactDouble.value(of: text) else { return .digits }
      out.append(bigEndian: Int32(8))
      out.append(bigEndian: Int64(bitPattern: value.bitPattern))
    case .boolean:
      out.append(bigEndian: Int32(1))
      out.append(text.first == UInt8(ascii: "t") ? 1 : 0)
    case .decimal: return appendDecimal(text)
    case .timestamp: return appendTimestamp(text)
    case .date:
      var scanner = TextScanner(text)
      guard let day = ISO8601.date(&scanner), scanner.isAtEnd else { return .form("a date") }
      out.append(bigEndian: Int32(4))
      out.append(bigEndian: Int32(truncatingIfNeeded: day.secondsSince1970 / 86_400 - Self.daysTo2000))
    case .uuid:
      let digits = text.filter { $0 != UInt8(ascii: "-") }
      guard let bytes = Hex.bytes(digits), bytes.count == 16 else { return .form("a UUID") }
      out.append(bigEndian: Int32(16))
      out.append(bytes)
    case .bytes:
      guard let bytes = Base64.decode(Array(text)) else { return .form("Base64") }
      out.append(bigEndian: Int32(truncatingIfNeeded: bytes.count))
      out.append(bytes)
    case .json, .binaryJSON: return .form("JSON")
    }
    return nil
  }

  /// The number of days from 1970-01-01 to 2000-01-01.
  static let daysTo2000: Int64 = 10_957

  private func appendTimestamp(_ text: UnsafeBufferPointer<UInt8>) -> TableValueProblem? {
    guard let time = ISO8601.instant(text) else { return .form("a timestamp") }
    guard time.nanosecond % 1000 == 0 else { return .nanoseconds }
    let seconds = time.secondsSince1970 - Self.daysTo2000 * 86_400
    out.append(bigEndian: Int32(8))
    out.append(bigEndian: seconds * 1_000_000 + Int64(time.nanosecond / 1000))
    return nil
  }

  private func appendDecimal(_ text: UnsafeBufferPointer<UInt8>) -> TableValueProblem? {
    guard let decimal = TableDecimal(text) else { return .digits }
    decimal.append(to: out)
    return nil
  }
}

/// The reason why a column cannot store a value.
enum TableValueProblem {
  /// The text contains U+0000.
  case nul
  /// The number has more digits than the column can store exactly.
  case digits
  /// The instant is more precise than a microsecond.
  case nanoseconds
  /// The value does not have this form, such as `a date`.
  case form(String)

  var words: String {
    switch self {
    case .nul: "it contains the character U+0000, which the database does not store"
    case .digits: "it has more digits than the column can store exactly"
    case .nanoseconds: "it is more precise than a microsecond, so the column would round it"
    case .form(let form): "it is not \(form)"
    }
  }

  func help(_ column: TableColumn) -> String {
    switch self {
    case .nul: "remove the character with a computed field, or persist to a file"
    case .digits where column.type == .number: "declare the field as 'decimal', which keeps all digits"
    case .digits, .nanoseconds, .form: "declare the field as 'string', which keeps the text as it is"
    }
  }
}

extension ByteBuffer {
  /// Appends an integer, the most significant byte first.
  @inline(__always)
  func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    let size = MemoryLayout<Value>.size
    withUnsafeBytes(of: value.bigEndian) { raw in
      if let start = raw.baseAddress { append(start.assumingMemoryBound(to: UInt8.self), size) }
    }
  }

  /// Replaces the bytes of an integer that was appended before.
  func replace(at offset: Int, bigEndian value: Int32) {
    withUnsafeBytes(of: value.bigEndian) { raw in
      for (index, byte) in raw.enumerated() { base[offset + index] = byte }
    }
  }
}
